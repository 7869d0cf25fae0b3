// Checking, sending and confirming submissions on /submit (D76), on a separate service with an inbox: a part of
// tests/host/browser.test.ts.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { collectComplaints, findAccessibilityViolations } from '../../fixtures/browser';
import { readIssuedKey, type RunningHost, runProgram, startHostsForTests } from '../../fixtures/host-process';
import { createAmounts } from '../../fixtures/many-amounts';
import { type Submission, writeSubmission } from '../../fixtures/submission';
import { withRows } from '../../fixtures/submission-changes';
import { zipSubmission } from '../../fixtures/submission-requests';
import { createTemporaryFolder } from '../../fixtures/temporary-folder';
import type { BrowserSuite } from './suite';

const RECORDS = 20;
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 800 };

const folder = createTemporaryFolder();
const data = join(folder, 'data');
const inbox = join(folder, 'inbox');

export function testSubmissions({ browser }: BrowserSuite): void {
  const start = startHostsForTests({
    WATER_DATA_DIR: data,
    LOAD_SAMPLES: 'false',
    SUBMISSIONS_INBOX: inbox,
    SUBMISSIONS_HTTP: 'submit',
    LOADER_SCHEDULE: '* * * * * *',
    LOADER_QUIET_SECONDS: '0',
  });

  test('files are dropped, checked and sent, and a held submission is confirmed by keyboard', async () => {
    mkdirSync(inbox);
    const settings = { WATER_DATA_DIR: data };
    const published = writeSubmission(join(folder, 'published'), createAmounts(RECORDS));
    expect((await runProgram('load', [published], settings)).code).toBe(0);
    const issued = await runProgram('keys', ['issue', '--owner', 'Agency', '--submits', 'ORG_1'], settings);
    const host = await start();
    const context = await browser().newContext({ viewport: DESK, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const complaints: string[] = [];
    collectComplaints(page, getHostAddress(host), complaints);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${getHostAddress(host)}submit#key=${readIssuedKey(issued)}`);

    await check(page, withRows(createAmounts(), 'sites.csv', []), 'Refused');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await check(page, createAmounts(RECORDS, RECORDS), 'would be held');
    await press(page, 'Send');
    await refreshUntil(page, 'Held');
    expect(await readFirstAmount(host)).toBe(5);
    await page.setViewportSize(PHONE);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(await findAccessibilityViolations(page)).toEqual([]);
    await press(page, /^Confirm for /);
    await page.locator('#sent-title:focus').waitFor();
    // The page refreshes the status automatically.
    await page.locator('#sent tbody tr').first().getByText('Published', { exact: true }).waitFor();
    expect(await readFirstAmount(host)).toBe(7);
    expect(complaints).toEqual([]);
    await context.close();
    await host.stop();
  });
}

function getHostAddress({ port }: RunningHost): string {
  return `http://127.0.0.1:${port}/`;
}

/** `createAmounts` writes 5, or 7 for a changed amount. */
async function readFirstAmount(host: RunningHost): Promise<unknown> {
  const { text } = await host.get('/v1/SiteVariableAmounts?RecordCount=1');
  return JSON.parse(text).Organizations[0].SiteVariableAmounts[0].Amount;
}

/** Drops an archive, like a person from another window, and checks it. */
async function check(page: Page, submission: Submission, outcome: string): Promise<void> {
  const archive = join(folder, 'state.zip');
  writeFileSync(archive, zipSubmission(submission));
  const drop = page.locator('.drop');
  await drop.scrollIntoViewIfNeeded();
  const box = await drop.boundingBox();
  const session = await page.context().newCDPSession(page);
  const at = { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    const dragged = { items: [], files: [archive], dragOperationsMask: 1 };
    await session.send('Input.dispatchDragEvent', { type, ...at, data: dragged });
  }
  await session.detach();
  await page.getByText(/^Chosen \(.*\): state\.zip$/).waitFor();
  await press(page, 'Check');
  await page.locator('#report').getByText(outcome).first().waitFor();
}

async function press(page: Page, button: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().press('Enter');
}

/** Refreshes the list until its newest submission has this status. */
async function refreshUntil(page: Page, status: string): Promise<void> {
  const shown = page.getByRole('status').filter({ hasText: `Status of your newest submission: ${status}.` });
  while ((await shown.count()) === 0) {
    await press(page, 'Show my submissions');
    await page.waitForTimeout(300);
  }
}
