// The landing page, the downloads, the documentation with its "try it" and the pages of features: parts of
// tests/host/browser.test.ts.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { COLORS_ONLY, findAccessibilityViolations } from '../../fixtures/browser';
import { isSoak } from '../../fixtures/soak';
import type { BrowserSuite } from './suite';

const NARROW = { width: 360, height: 800 };

/** Turns off color transitions. */
const AT_REST = { reducedMotion: 'reduce' } as const;

/**
 * Thousands of operations, table rows and tokens have the same structure, and axe would check each of them, so only one
 * of each kind is kept.
 */
const ONE_OF_EACH = `for (const parts of ['.opblock', '.opblock tr', '.highlight-code span']) {
  const seen = new Set();
  for (const part of document.querySelectorAll(parts)) {
    const looks = [part, ...part.querySelectorAll('*')].map((one) => one.tagName + one.className + one.style.color);
    if (seen.has(looks.join())) part.remove();
    seen.add(looks.join());
  }
}`;

/**
 * Swagger UI takes seconds for many similar operations, so only the operation on rights and the operation with the
 * longest path are kept.
 */
function withFewOperations(document: { readonly paths: object }): object {
  const [longest = ''] = Object.keys(document.paths).toSorted((a, b) => b.length - a.length);
  const kept = Object.entries(document.paths).filter(([path]) => [longest, '/v1/SiteAllocationAmounts'].includes(path));
  return { ...document, paths: Object.fromEntries(kept) };
}

const OVERFLOW = 'document.documentElement.scrollWidth - innerWidth';

/** Returns the texts of the parts of a card that overlap the previous part and so cannot be read. */
const OVERLAPS = `[...document.querySelectorAll('.card > * + *')]
  .filter((part) => part.getBoundingClientRect().top < part.previousElementSibling.getBoundingClientRect().bottom)
  .map((part) => part.textContent.trim())`;

export function testPages({ host, pageAt }: BrowserSuite): void {
  test('a newcomer gets an answer with the key from the console, and addresses that work in programs', async () => {
    const page = await pageAt('/');
    const card = page.locator('.card', { hasText: 'AggregatedAmounts' });
    await page.locator('.card', { hasText: 'SiteVariableAmounts' }).getByLabel('Key').fill(host().key);
    await card.getByLabel('State').selectOption('NM');
    await card.getByLabel('Records').fill('2');
    const opened = page.waitForEvent('popup');
    await card.getByRole('button', { name: 'Run query' }).click();
    const answer = await (await opened).locator('body').innerText();
    expect(JSON.parse(answer).Organizations[0].AggregatedAmounts).toHaveLength(2);
    const shown = await card.locator('.address a').innerText();
    expect(shown).toBe(`http://127.0.0.1:${host().port}/v1/AggregatedAmounts?State=NM&RecordCount=2&key=YOUR-KEY`);
    expect(await page.content()).not.toContain(`key=${host().key}`);
    expect((await fetch(shown.replace('YOUR-KEY', host().key))).status).toBe(200);
    const beside = await Promise.all(
      (await card.locator('.beside a').all()).map(async (link) => (await link.getAttribute('href')) ?? ''),
    );
    for (const part of ['/Export?format=parquet&State=NM&key=', '/Totals?GroupBy=Year&State=NM&key=']) {
      const address = beside.find((one) => one.includes(part)) ?? '';
      expect((await fetch(address.replace('YOUR-KEY', host().key))).status).toBe(200);
    }
    const command = (await page.locator('.code code', { hasText: 'curl -H' }).first().textContent()) ?? '';
    const [, key = '', url = ''] = /^curl -H "X-API-Key: (\S+)" "(\S+)"$/.exec(command) ?? [];
    expect((await fetch(url, { headers: { 'X-API-Key': key } })).status).toBe(200);
    expect(await page.evaluate(OVERLAPS)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate(OVERLAPS)).toEqual([]);
    expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
    expect(await findAccessibilityViolations(page)).toEqual([]);
  });

  test('the search box suggests names while typing, and works by keyboard and with screen readers', async () => {
    const page = await pageAt('/', { viewport: { width: 390, height: 800 } });
    await page.locator('.card', { hasText: 'SiteVariableAmounts' }).getByLabel('Key').fill(host().key);
    const box = page.getByRole('combobox', { name: /^Search/ });
    const options = page.getByRole('listbox', { name: 'Found' }).getByRole('option');
    await box.pressSequentially('utah');
    await options.first().waitFor();
    const { text } = await host().get('/v1/Find?Query=utah&RecordCount=8');
    // The shape that D60 defines.
    const json = JSON.parse(text) as { TotalFoundCount: number; Found: { Kind: string; Name: string | null }[] };
    // The brief of a county or watershed follows the county or watershed.
    const found = json.Found.flatMap(({ Kind, Name }) => (/^(County|HUC8)$/.test(Kind) ? [Name, 'Brief of'] : [Name]));
    const names = ['Utah', ...found];
    const shown = await options.locator('strong').allInnerTexts();
    expect(await options.first().innerText()).toBe('Utah State');
    expect(shown).toHaveLength(names.length);
    for (const [index, name] of names.entries()) expect(shown[index]).toContain(name ?? '');
    expect(await page.locator('#find-status').innerText()).toMatch(`${json.TotalFoundCount + 1} found`);
    await box.press('ArrowUp');
    expect(await options.last().getAttribute('aria-selected')).toBe('true');
    expect(await box.getAttribute('aria-activedescendant')).toBe(await options.last().getAttribute('id'));
    expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await box.press('Escape');
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    await box.fill('utah');
    await options.first().click();
    await page.waitForURL(/\/explore\?kind=(rights|series|aggregates)&State=UT$/);
  });

  test('without JavaScript, the form still opens an answer', async () => {
    const page = await pageAt('/', { javaScriptEnabled: false });
    const card = page.locator('.card').first();
    await card.getByLabel('Key').fill(host().key);
    const opened = page.waitForEvent('popup');
    await card.getByRole('button').click();
    expect(await (await opened).locator('body').innerText()).toMatch(/^\{"TotalSiteVariableAmountsCount":\d+/);
  });

  test('the page of downloads saves a file for a typed key, and asks for a missing key', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const page = await pageAt('/downloads', { viewport: NARROW, permissions });
    const button = page.getByRole('button', { name: /^Download records\.csv\.gz of .*Utah/ });
    await button.click();
    expect(await page.getByLabel('Your key').evaluate((field) => field.matches(':invalid:focus'))).toBe(true);
    await page.getByLabel('Your key').fill(host().key);
    const downloading = page.waitForEvent('download');
    await button.click();
    const download = await downloading;
    expect(page.url()).not.toContain(host().key);
    const content = readFileSync(await download.path());
    const digest = createHash('sha256').update(content).digest('hex');
    const row = page.locator('tr', { has: button });
    expect(await row.getByRole('rowheader').innerText()).toContain(download.suggestedFilename());
    const [size, unit = ''] = (await row.locator('[data-kind="Size"]').innerText()).split(' ');
    expect(Number(size) * 1000 ** ['bytes', 'KB', 'MB'].indexOf(unit)).toBeCloseTo(content.length, -2);
    expect(await row.locator('.digest code').innerText()).toBe(digest);
    await row.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(digest);
    const examples = page.locator('section', { has: button }).locator('details');
    for (const example of await examples.all()) {
      await example.locator('summary').click();
      await example.getByRole('button').click();
      const copied = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(copied).toBe(await example.locator('code').textContent());
      expect(copied).toContain(host().key);
      expect(copied).toContain(`http://127.0.0.1:${host().port}/v1/Downloads/`);
    }
    expect(await page.locator('html').evaluate((root) => root.scrollWidth)).toBe(360);
  });

  test('the page for submitters is accessible, and saves a file under the name that a submission needs', async () => {
    const page = await pageAt('/', { viewport: NARROW });
    await page.getByRole('link', { name: 'Submit', exact: true }).click();
    // Waits until the page is loaded, because its style may be missing before.
    await page.waitForURL('**/submit');
    for (const [colorScheme, width, scope] of [
      ['dark', 360, {}],
      ['light', 1280, COLORS_ONLY],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
      expect(await findAccessibilityViolations(page, scope)).toEqual([]);
    }
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download sites.csv, filled example' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('sites.csv');
    expect(readFileSync(await download.path(), 'utf8')).toContain('Exampleton Well No. 1');
  });

  test('the documentation page fits a narrow screen, accepts a key and shows the records of a request', async () => {
    const key = host().key;
    const page = await pageAt(`/downloads#key=${key}`, { viewport: NARROW, colorScheme: 'dark', ...AT_REST });
    await page.route('**/openapi.json', async (route) => {
      const response = await route.fetch();
      const document = (await response.json()) as { readonly paths: object };
      await route.fulfill({ response, json: isSoak ? document : withFewOperations(document) });
    });
    await page.goto(`http://127.0.0.1:${host().port}/docs`);
    const dialog = page.locator('.modal-ux');
    const authorize = page.getByRole('button', { name: 'Authorize' }).first();
    await authorize.click();
    // The tab already has the key; it can be removed and typed again.
    await dialog.getByText('Authorized').first().waitFor();
    await dialog.getByRole('button', { name: 'Logout' }).first().click();
    await dialog.locator('input').first().fill(key);
    await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
    expect(await findAccessibilityViolations(page, { within: '.modal-ux' })).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
    const path = page.locator('[data-path="/v1/SiteAllocationAmounts"]');
    const operation = page.locator('.opblock-get', { has: path });
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const live = operation.locator('.live-responses-table').first();
    expect(await live.locator('tr.response .response-col_status').first().innerText()).toContain('200');
    const shown = await live.locator('tr.response .response-col_description pre').first().innerText();
    expect(JSON.parse(shown)).toMatchObject({ TotalWaterAllocationsCount: 300 });
    expect(JSON.parse(shown).Organizations[0].WaterAllocations).toHaveLength(5);
    await page.evaluate(ONE_OF_EACH);
    await page.locator('html.dark-mode').waitFor();
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
    expect(await findAccessibilityViolations(page, COLORS_ONLY)).toEqual([]);
    await authorize.click();
    await dialog.getByRole('button', { name: 'Logout' }).first().waitFor();
    expect(await findAccessibilityViolations(page, { within: '.modal-ux', ...COLORS_ONLY })).toEqual([]);
  });

  test('the page about the data fits a narrow screen and is accessible in both color schemes', async () => {
    const page = await pageAt('/docs/data', { viewport: NARROW, colorScheme: 'dark' });
    expect([await findAccessibilityViolations(page), await page.evaluate(OVERFLOW)]).toEqual([[], 0]);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await findAccessibilityViolations(page, COLORS_ONLY)).toEqual([]);
  });

  test('the pages of a site, a unit and a right need no key and are accessible in both color schemes', async () => {
    const page = await pageAt('/');
    for (const [collection, colorScheme, width] of [
      ['sites', 'dark', 360],
      ['reporting-units', 'light', 1280],
      ['allocations', 'dark', 768],
    ] as const) {
      const items = await host().get(`/ogc/collections/${collection}/items?limit=1`);
      const { features } = JSON.parse(items.text) as { readonly features: readonly { readonly id: string }[] };
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.goto(
        `http://127.0.0.1:${host().port}/ogc/collections/${collection}/items/${encodeURIComponent(features[0]?.id ?? '')}`,
      );
      expect(await page.locator('svg.map title').count()).toBeGreaterThan(0);
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
      expect(await findAccessibilityViolations(page)).toEqual([]);
    }
    // All pages have the same style sheet, so checking the last page in the other color scheme is enough.
    await page.setViewportSize(NARROW);
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await page.evaluate(OVERFLOW)).toBeLessThanOrEqual(0);
    expect(await findAccessibilityViolations(page, COLORS_ONLY)).toEqual([]);
  });

  test('the pages below /ogc fit a narrow screen and show counts with thousands separators', async () => {
    const headers = { 'X-API-Key': host().key };
    const page = await pageAt('/', { viewport: NARROW, extraHTTPHeaders: headers });
    for (const path of ['', '/conformance', '/collections', '/collections/sites', '/collections/sites/queryables']) {
      await page.goto(`http://127.0.0.1:${host().port}/ogc${path}?f=html`);
      expect([path, await page.evaluate(OVERFLOW)]).toEqual([path, 0]);
    }
    await page.goto(`http://127.0.0.1:${host().port}/ogc/collections/site-amounts/items?f=html&limit=20`);
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    expect(await page.locator('main').innerText()).toMatch(/\b\d,\d{3} features match; 20 are on this page\./);
  });
}
