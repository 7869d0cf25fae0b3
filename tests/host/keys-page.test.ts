// Self-service keys in Chromium (D56): from the landing page by mail to the explorer, at the width of a phone, by
// keyboard alone, and accessible. Two processes answer. The browser has no WebGL, so the explorer without WebGL is
// tested here.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { collectComplaints, describeInBrowser, findAccessibilityViolations, launchBrowser } from '../fixtures/browser';
import { ExplorerVisit, tabToElement } from '../fixtures/explorer-visit';
import { type RunningHost, startHost, startHostsForTests } from '../fixtures/host-process';
import { type MailServer, startMailServer } from '../fixtures/mail-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const data = join(createTemporaryFolder(), 'data');
const PHONE = { width: 360, height: 740 };
const DESK = { width: 1280, height: 800 };

describeInBrowser(() => {
  const startOther = startHostsForTests({});
  let host: RunningHost;
  let mails: MailServer;
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    mails = await startMailServer();
    const settings = { SELF_SERVICE_KEYS: 'mail', SMTP_URL: mails.url, MAIL_FROM: 'keys@example.org', WORKERS: '2' };
    const others = { WATER_DATA_DIR: data, CONTACT: 'https://example.org/help' };
    [host, browser] = await Promise.all([startHost({ ...settings, ...others }), launchBrowser('none')]);
  });

  afterAll(async () => {
    await browser.close();
    await host.stop();
    await mails.stop();
  });

  async function open(path: string, viewport = DESK): Promise<Page> {
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    collectComplaints(page, `http://127.0.0.1:${host.port}/`, complaints);
    await page.goto(`http://127.0.0.1:${host.port}${path}`);
    return page;
  }

  /** Expects no horizontal scrolling on desktop and phone, and no findings of axe. Leaves the page at phone size. */
  async function expectAccessible(page: Page): Promise<void> {
    const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    for (const viewport of [DESK, PHONE]) {
      await page.setViewportSize(viewport);
      expect(await page.evaluate(overflow)).toBe(0);
    }
    expect(await findAccessibilityViolations(page)).toEqual([]);
  }

  /** Goes from the landing page to the mail with a link. Returns the token in the link. */
  async function requestKey(page: Page, address: string): Promise<string> {
    await tabToElement(page, 'Get a key');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your access key' }).waitFor();
    await expectAccessible(page);
    await tabToElement(page, 'Your name');
    await page.keyboard.type('Zenobia Quill');
    await page.keyboard.press('Tab');
    await page.keyboard.type(address);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('an email with a link to your key is on its way').waitFor();
    await expectAccessible(page);
    return mails.waitForToken(address);
  }

  async function showKey(page: Page, token: string): Promise<void> {
    await page.goto(`http://127.0.0.1:${host.port}/keys#claim=${token}`);
    await page.getByRole('heading', { name: 'Get your key' }).waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await expectAccessible(page);
    await tabToElement(page, 'Show my key');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This is your key' }).waitFor();
    expect(await page.locator('#new .code code').textContent()).toMatch(/^wdk_/);
    await expectAccessible(page);
  }

  async function exploreWithKey(page: Page): Promise<void> {
    await tabToElement(page, 'Explore the data with it');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/explore/);
    await page.getByRole('status').filter({ hasText: '300 water rights' }).waitFor();
    expect(page.url()).not.toContain('wdk_');
  }

  async function downloadCsv(page: Page): Promise<void> {
    // The link to the page of downloads comes first.
    await tabToElement(page, 'Downloads');
    // The link to the page of downloads begins with the same word.
    await tabToElement(page, 'Recent updates');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Parquet/ }).waitFor();
    await page.getByRole('button', { name: /^CSV/ }).focus();
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeGreaterThan(300);
    await expectAccessible(page);
  }

  /** Shows the use of the tab's key, replaces the key and deletes it. */
  async function replaceAndDeleteKey(page: Page): Promise<void> {
    await page.goto(`http://127.0.0.1:${host.port}/keys`);
    await page.getByRole('button', { name: 'Show usage' }).click();
    await page.getByText('Zenobia Quill: made').waitFor();
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('Your previous key works until').waitFor();
    await page.getByRole('button', { name: 'Show usage' }).click();
    await expectAccessible(page);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('Its name and address are deleted').waitFor();
  }

  test('keyboard users on a phone get a key by mail and explore the data with it', async () => {
    const page = await open('/', PHONE);
    const token = await requestKey(page, 'phone@example.org');
    await showKey(page, token);
    await exploreWithKey(page);
    await downloadCsv(page);
    await replaceAndDeleteKey(page);
    await page.context().close();
    // The service may answer 503 while it still stores the Parquet file. The page then retries.
    expect(complaints.splice(0).filter((text) => !/\b503\b/.test(text))).toEqual([]);
  });

  test('without WebGL the explorer shows a message, and table, chart and filters work', async () => {
    const context = await browser.newContext({ viewport: DESK });
    const visit = new ExplorerVisit(await context.newPage(), `http://127.0.0.1:${host.port}/`, host.key);
    await visit.open('');
    await visit.page.getByText('it has no WebGL').waitFor();
    await visit.page.getByRole('checkbox', { name: /^Colorado/ }).check();
    await visit.waitForTotal(240);
    await visit.getButton('Table').click();
    await visit.getButton('CO-0001').waitFor();
    await visit.getButton('Chart').click();
    await visit.waitForChart();
    await context.close();
    expect(visit.complaints).toEqual([]);
  });

  test('the explorer and the downloads link to the keys page when the visitor has no key', async () => {
    for (const path of ['/explore?view=table', '/downloads']) {
      const page = await open(path);
      await page.getByRole('link', { name: /^(How to get one|Get a free key)$/ }).click();
      await page.getByRole('heading', { name: 'Request a key' }).waitFor();
      await page.context().close();
    }
    expect(complaints.splice(0)).toEqual([]);
  });

  test('where keys are issued instantly, a visitor without a key sees data at once, and learns when that access ends', async () => {
    const instant = await startOther({ WATER_DATA_DIR: data, SELF_SERVICE_KEYS: 'instant' });
    const address = `http://127.0.0.1:${instant.port}`;
    const context = await browser.newContext({ viewport: DESK });
    const page = await context.newPage();
    await page.goto(`${address}/explore?view=table`);
    await page.getByRole('status').filter({ hasText: '300 water rights' }).waitFor();
    const readKey = (): Promise<unknown> => page.evaluate("localStorage.getItem('water-data-browser-key')");
    const key = String(await readKey());
    // Another tab has the same key.
    const other = await context.newPage();
    await other.goto(`${address}/`);
    await other.getByRole('combobox', { name: /^Search/ }).fill('utah');
    await other.getByText(/^\d+ found/).waitFor();
    expect(await readKey()).toBe(key);
    await fetch(`${address}/v1/Keys/Own`, { method: 'DELETE', headers: { 'X-API-Key': key } });
    await page.getByRole('checkbox', { name: /^Colorado/ }).check();
    await page.getByRole('alert').getByText('temporary key that this page got for you no longer works').waitFor();
    await page.getByRole('button', { name: 'Get another' }).click();
    await page.getByRole('status').filter({ hasText: '240 water rights' }).waitFor();
    expect(await readKey()).not.toBe(key);
    expect([page.url(), other.url()].join(' ')).not.toContain('wdk_');
    await context.close();
  });

  test('without a key, the explorer explains in place of the view what it would show and where to get a key', async () => {
    const page = await open('/explore');
    await page.getByRole('heading', { name: /on a map$/ }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'water rights' }).first().waitFor();
    await page.getByRole('link', { name: 'https://example.org/help' }).waitFor();
    await expectAccessible(page);
    await page.context().close();
    expect(complaints.splice(0)).toEqual([]);
  });

  test('explains a used link, an invalid email address and a service that accepts no more requests', async () => {
    const page = await open(`/keys#claim=${'A'.repeat(48)}`);
    await page.getByRole('button', { name: 'Show my key' }).click();
    await page.getByRole('alert').getByText('This link is not valid').waitFor();
    await page.goto(`http://127.0.0.1:${host.port}/keys?again`);
    await page.getByLabel('Your name').fill('Zenobia');
    await page.getByLabel('Your email address').fill('zenobia@nowhere');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('alert').getByText('Email must be an email address').waitFor();
    await page.route('**/Requests', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, json: { detail: 'Too many.' } }),
    );
    await page.getByLabel('Your email address').fill('zenobia@example.org');
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await page.getByRole('alert').getByText('Too many. You can try again at').waitFor();
    await expectAccessible(page);
    await page.context().close();
    const statuses = complaints.splice(0).filter((text) => /^\d{3} /.test(text));
    expect(statuses.map((text) => text.slice(0, 3))).toEqual(['410', '400', '429']);
  });
});
