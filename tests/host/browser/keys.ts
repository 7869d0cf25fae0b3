// Keys in the explorer and in the other pages, on a service with a host name that is not loopback, as for everyone
// except its operator (D54, D55): parts of tests/host/browser.test.ts.

import { createServer } from 'node:http';
import type { Page, Response } from 'playwright-core';
import { NON_LOOPBACK_NAME } from '../../fixtures/browser';
import { EXPLORER_VIEWPORT } from '../../fixtures/explorer-visit';
import { readIssuedKey, runProgram } from '../../fixtures/host-process';
import { listenOnLoopback } from '../../fixtures/loopback-server';
import type { BrowserSuite } from './suite';

/** The requests of the browser and their answers. */
interface Heard {
  readonly page: Page;
  readonly addresses: string[];
  /** The status of each tile, and the key that was sent for it. */
  readonly tiles: { readonly status: number; readonly key: string | undefined }[];
  /** 401 answers with a challenge, for which the browser would ask for a user name. */
  readonly challenges: string[];
}

export function testKeys({ data, host, browser, pageAt }: BrowserSuite): void {
  const visitors: Heard[] = [];

  afterEach(async () => {
    for (const { page, addresses, challenges } of visitors.splice(0)) {
      expect(challenges).toEqual([]);
      expect(addresses.filter((address) => address.includes('wdk_'))).toEqual([]);
      await page.context().close();
    }
  });

  async function openVisitor(path: string): Promise<Heard> {
    const context = await browser().newContext({ viewport: EXPLORER_VIEWPORT, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const heard: Heard = { page, addresses: [], tiles: [], challenges: [] };
    // Other pages open an answer at an address with the key.
    if (path.startsWith('/explore')) page.on('request', (request) => heard.addresses.push(request.url()));
    page.on('response', (answer) => {
      if (answer.headers()['www-authenticate'] !== undefined) heard.challenges.push(answer.url());
      if (answer.url().includes('/WebMercatorQuad/') && !answer.url().includes('tilejson')) {
        heard.tiles.push({ status: answer.status(), key: answer.request().headers()['x-api-key'] });
      }
    });
    visitors.push(heard);
    await page.goto(`http://${NON_LOOPBACK_NAME}:${host().port}${path}`);
    return heard;
  }

  const keys = async (...args: readonly string[]): Promise<string> => {
    return readIssuedKey(await runProgram('keys', args, { WATER_DATA_DIR: data }));
  };

  const idOf = (key: string): string => key.split('_')[1] ?? '';

  const give = async (page: Page, key: string): Promise<void> => {
    await page.getByLabel('Access key').fill(key);
    await page.keyboard.press('Enter');
  };

  test('the map is drawn with the first valid key; a key that is revoked while the map moves is explained', async () => {
    const key = await keys('issue', '--owner', 'Visitor');
    const { page, tiles } = await openVisitor('/explore?at=-111,40,8');
    await give(page, 'wdk_wrong');
    await page.getByText('isn’t recognized').waitFor();
    const isTile = (answer: Response): boolean => answer.url().includes('/WebMercatorQuad/') && answer.ok();
    const first = page.waitForResponse(isTile);
    await give(page, key);
    await first;
    await page.locator('.map[aria-busy="false"]').waitFor();
    await page.locator('.total [role="status"]').filter({ hasText: /\d/ }).waitFor();
    await keys('revoke', idOf(key));
    await page.locator('.map canvas').focus();
    for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight');
    await page.getByText('was revoked').waitFor();
    const drawn = page.waitForResponse(isTile);
    await give(page, host().key);
    await drawn;
    await page.locator('.map[aria-busy="false"]').waitFor();
    expect(tiles.filter((tile) => tile.key === host().key && tile.status >= 400)).toEqual([]);
  });

  test('choices survive a missing key and a new key, and the key stays in the tab', async () => {
    const key = await keys('issue', '--owner', 'Visitor');
    const { page } = await openVisitor('/explore?view=table&State=CO');
    await page.getByRole('alert').getByText('Enter your access key').waitFor();
    await give(page, key);
    const total = page.getByRole('status').filter({ hasText: '240 water rights' });
    await total.waitFor();
    await page.reload();
    await total.waitFor();
    await keys('revoke', idOf(key));
    await page.getByRole('checkbox', { name: /^Irrigation/ }).check();
    await page.getByText('was revoked').waitFor();
    await give(page, host().key);
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?view=table&State=CO&UseCategoryCV=Irrigation');
    expect(await page.getByRole('checkbox', { name: /^Colorado/ }).isChecked()).toBe(true);
    expect(await page.evaluate('localStorage.length')).toBe(0);
  });

  test('every page removes the key after #key= from its address and uses it in the whole tab', async () => {
    const key = host().key;
    const page = await pageAt(`/downloads#key=${key}`);
    expect([new URL(page.url()).hash, await page.getByLabel('Your key').inputValue()]).toEqual(['', key]);
    const address = `http://127.0.0.1:${host().port}`;
    await page.goto(`${address}/`);
    expect(await page.locator('.card').first().getByLabel('Key').inputValue()).toBe(key);
    await page.goto(`${address}/explore?view=table`);
    await page.getByRole('status').filter({ hasText: '300 water rights' }).waitFor();
    const typed = 'wdk_typed';
    await page.goto(`${address}/downloads`);
    await page.getByLabel('Your key').fill(typed);
    await page.goto(`${address}/`);
    expect(await page.locator('.card').first().getByLabel('Key').inputValue()).toBe(typed);
    await page.evaluate(`location.hash = 'key=${key}'`);
    await page.waitForURL(`${address}/`);
    expect(await page.locator('.card').first().getByLabel('Key').inputValue()).toBe(key);
  });

  test('the landing page and the downloads explain that a key is refused or over its limit', async () => {
    const { page } = await openVisitor('/#key=wdk_wrong');
    const card = page.locator('.card').first();
    await card.getByRole('button', { name: 'Run query' }).click();
    await page.getByRole('alert').getByText('The key was not accepted.').waitFor();
    await card.locator('.address a').click();
    await card.locator('form [role="alert"]').waitFor();
    await page.route('**/v1/**', (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '20' } }));
    await card.getByRole('button', { name: 'Run query' }).click();
    await page.getByRole('alert').getByText('Try again in 20 seconds').waitFor();
    await page.unrouteAll();
    await page.goto(`http://${NON_LOOPBACK_NAME}:${host().port}/downloads`);
    await page
      .getByRole('button', { name: /^Download records.parquet/ })
      .first()
      .click();
    await page.getByRole('alert').getByText('The key was not accepted.').waitFor();
    expect(page.context().pages()).toHaveLength(1);
  });

  test('a page on another port of the machine cannot read answers that a key was used for', async () => {
    const stranger = await listenOnLoopback(createServer((_, response) => response.end('<!doctype html>')));
    const key = host().key;
    const at = `http://127.0.0.1:${host().port}`;
    const inventory = `${at}/v1/Inventory`;
    const items = `${at}/ogc/collections/sites/items?limit=1`;
    const context = await browser().newContext();
    const own = await context.newPage();
    const other = await context.newPage();
    await own.goto(`${at}/downloads`);
    const asked = `fetch('${inventory}', { headers: { 'X-API-Key': '${key}' } }).then((answer) => answer.text())`;
    expect(await own.evaluate(asked)).toContain('DataVersion');
    // The header that a browser sends after a login with HTTP Basic, without a request from a script of the page.
    const sent = Buffer.from(`${key}:`).toString('base64');
    await own.setExtraHTTPHeaders({ Authorization: `Basic ${sent}` });
    expect((await own.goto(items))?.status()).toBe(200);
    await other.goto(`http://127.0.0.1:${stranger.port}/`);
    for (const kept of [inventory, items]) {
      expect(await other.evaluate(`fetch('${kept}', { cache: 'force-cache' }).then(({ status }) => status)`)).toBe(401);
    }
    await context.close();
    await stranger.stop();
  });
}
