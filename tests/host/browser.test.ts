// The pages in a browser, as a newcomer uses them: the landing page, an answer with the key of the console, the
// documentation and its "try it". No request may go to another host, and the browser may report no error.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { barriersIn, collectComplaints, describeInBrowser, launchBrowser } from '../fixtures/browser';
import { ask, runProgram, startHost, type RunningHost } from '../fixtures/host-process';
import { temporaryFolder } from '../fixtures/temporary-folder';

const folder = temporaryFolder();

describeInBrowser(() => {
  let host: RunningHost;
  let browser: Browser;
  let complaints: string[];

  beforeAll(async () => {
    host = await startHost({ WATER_DATA_DIR: join(folder, 'data') });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await host.stop();
  });

  beforeEach(() => {
    complaints = [];
  });

  /** Opens a page and collects its errors, failed requests, violated policies and requests to other hosts. */
  async function listen(context: BrowserContext): Promise<Page> {
    context.on('page', (page) => {
      collectComplaints(page, `http://127.0.0.1:${host.port}/`, complaints);
    });
    return context.newPage();
  }

  async function openAt(path: string, options = {}): Promise<Page> {
    const page = await listen(await browser.newContext(options));
    await page.goto(`http://127.0.0.1:${host.port}${path}`);
    return page;
  }

  test('a newcomer gets an answer with the key of the console, and addresses that work in programs', async () => {
    const page = await openAt('/');
    const card = page.locator('.card', { hasText: 'AggregatedAmounts' });
    await page
      .locator('.card', { hasText: 'SiteVariableAmounts' })
      .getByLabel('Key')
      .fill(host.key ?? '');
    await card.getByLabel('State').selectOption('NM');
    await card.getByLabel('Records').fill('2');
    const opened = page.waitForEvent('popup');
    await card.getByRole('button', { name: 'Open the answer' }).click();
    const answer = await (await opened).locator('body').innerText();
    expect(JSON.parse(answer).Organizations[0].AggregatedAmounts).toHaveLength(2);
    const shown = await card.locator('.address a').innerText();
    expect(shown).toBe(
      `http://127.0.0.1:${host.port}/v1/AggregatedAmounts?State=NM&RecordCount=2&key=${host.key ?? ''}`,
    );
    expect((await fetch(shown)).status).toBe(200);
    const beside = await Promise.all(
      (await card.locator('.beside a').all()).map(async (link) => (await link.getAttribute('href')) ?? ''),
    );
    for (const part of ['/Export?format=parquet&State=NM&key=', '/Totals?GroupBy=Year&State=NM&key=']) {
      const address = beside.find((one) => one.includes(part)) ?? '';
      expect((await fetch(address)).status).toBe(200);
    }
    const command = (await page.locator('.code code').first().textContent()) ?? '';
    const [, key = '', url = ''] = /^curl -H "X-API-Key: (\S+)" "(\S+)"$/.exec(command) ?? [];
    expect((await fetch(url, { headers: { 'X-API-Key': key } })).status).toBe(200);
    expect(complaints).toEqual([]);
  });

  test('without JavaScript the form opens an answer too', async () => {
    const page = await openAt('/', { javaScriptEnabled: false });
    const card = page.locator('.card').first();
    await card.getByLabel('Key').fill(host.key ?? '');
    const opened = page.waitForEvent('popup');
    await card.getByRole('button').click();
    expect(await (await opened).locator('body').innerText()).toMatch(/^\{"TotalSiteVariableAmountsCount":\d+/);
    expect(complaints).toEqual([]);
  });

  test('the page of downloads gives a file to who types a key, and without one asks for it', async () => {
    const made = await runProgram('tools/releases', ['files'], { WATER_DATA_DIR: join(folder, 'data') });
    expect(made.code).toBe(0);
    const page = await openAt('/downloads', { viewport: { width: 360, height: 800 } });
    const button = page.getByRole('button', { name: /^Download records\.csv\.gz of .*Utah/ });
    await button.click();
    expect(await page.getByLabel('Your key').evaluate((field) => field.matches(':invalid:focus'))).toBe(true);
    await page.getByLabel('Your key').fill(host.key ?? '');
    const downloading = page.waitForEvent('download');
    await button.click();
    const download = await downloading;
    const digest = createHash('sha256').update(readFileSync(await download.path()));
    const row = page.locator('tr', { has: button });
    expect(await row.locator('.digest code').innerText()).toBe(digest.digest('hex'));
    const examples = page.locator('section', { has: button }).locator('.code code');
    expect(await examples.first().textContent()).toContain(`X-API-Key: ${host.key ?? ''}`);
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(360);
    expect(complaints).toEqual([]);
  });

  test('the documentation page takes a key and shows the records of a request', async () => {
    const page = await openAt('/docs');
    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.locator('.modal-ux');
    await dialog
      .locator('input')
      .first()
      .fill(host.key ?? '');
    await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    const path = page.locator('[data-path="/v1/SiteAllocationAmounts"]');
    const operation = page.locator('.opblock', { has: path });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const live = operation.locator('.live-responses-table').first();
    expect(await live.locator('tr.response .response-col_status').first().innerText()).toContain('200');
    const shown = await live.locator('tr.response .response-col_description pre').first().innerText();
    expect(JSON.parse(shown)).toMatchObject({ TotalWaterAllocationsCount: 300 });
    expect(JSON.parse(shown).Organizations[0].WaterAllocations).toHaveLength(5);
    expect(complaints).toEqual([]);
  });

  test.each(['/', '/docs'])('%s fits a narrow screen', async (path) => {
    const page = await openAt(path, { viewport: { width: 360, height: 800 }, colorScheme: 'dark' });
    await page.locator('h1, h2').first().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['sites', 'dark', 360],
    ['reporting-units', 'light', 1280],
    ['allocations', 'light', 360],
  ] as const)(
    'the page of one of the %s keeps nobody out, %s and %s pixels wide',
    async (collection, colorScheme, width) => {
      const headers = { 'X-API-Key': host.key ?? '' };
      const items = await ask(host.port, `/ogc/collections/${collection}/items?limit=1`, headers);
      const { features } = JSON.parse(items.text) as { readonly features: readonly { readonly id: string }[] };
      const path = `/ogc/collections/${collection}/items/${encodeURIComponent(features[0]?.id ?? '')}`;
      const page = await openAt(path, { extraHTTPHeaders: headers, colorScheme, viewport: { width, height: 800 } });
      expect(await page.locator('svg.map title').count()).toBe(1);
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await barriersIn(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});

test('another origin that reads the pages finds no key in them', async () => {
  const host = await startHost({ WATER_DATA_DIR: join(folder, 'data') });
  try {
    for (const path of ['/', '/docs', '/openapi.json']) {
      const { text } = await ask(host.port, path, { origin: 'https://elsewhere.example' });
      expect(text).not.toContain(host.key);
    }
  } finally {
    await host.stop();
  }
});
