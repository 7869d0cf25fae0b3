// Files that are called CSV and are something else: each refused with one sentence that says what it is.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { loadRaw, countsOf } from '../fixtures/raw-submission';
import { csvText, siteAmountsSubmission } from '../fixtures/submission';
import { rowsOf, withCells } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';
const service = createTestService();

const text = csvText(rowsOf(siteAmountsSubmission, 'sites.csv'));
const bomb = zipSync({ 'xl/workbook.xml': new Uint8Array(64 * 1024 * 1024), 'sites.csv': strToU8(text) });

test.each<readonly [name: string, content: Uint8Array, what: string]>([
  ['an Excel workbook, which is a ZIP archive', bomb, 'a ZIP archive or an Excel workbook'],
  ['an old Excel workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an Excel workbook of an old kind'],
  ['compressed', gzipSync(text), 'a compressed archive'],
  ['a PDF document', Buffer.from('%PDF-1.7\n'), 'a PDF document'],
  ['UTF-16 with its mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'text in UTF-16'],
  ['UTF-16 without a mark', Buffer.from(text, 'utf16le'), 'text in UTF-16'],
  ['a program', Buffer.from('7f454c4602010100000000', 'hex'), 'not text'],
])('refuses a sites.csv that is %s', async (_, content, what) => {
  for (const mode of ['replace', 'merge']) {
    const files = { 'sites.csv': content, 'submission.json': JSON.stringify({ mode }) };
    const report = await loadRaw(service, siteAmountsSubmission, files);
    expect(report.sentence).toBe(`Refused: sites.csv: it is ${what}, not CSV; export its rows as CSV in UTF-8.`);
    expect(report.verdict).toBe('refused');
  }
});

test('a merge whose amounts file is something else is refused with its name', async () => {
  const files = { [FILE]: gzipSync(text), 'submission.json': '{"mode":"merge"}' };
  expect((await loadRaw(service, siteAmountsSubmission, files)).sentence).toMatch(
    /^Refused: sitespecificamounts\.csv: it is a compressed archive/,
  );
});

test('archives beside the files are listed and not read', async () => {
  const files = { 'all.zip': bomb, 'sites.csv.gz': gzipSync(text) };
  const report = await loadRaw(service, siteAmountsSubmission, files);
  expect(report.verdict).toBe('published');
  expect(report.notes).toEqual(
    ['all.zip', 'sites.csv.gz'].map((name) => `${name} is not a file of the format and was not read.`),
  );
});

test('a zero byte in a row spoils that row alone', async () => {
  const submission = withCells(siteAmountsSubmission, FILE, 2, { Amount: '1\u00002' });
  const report = await service.load(submission);
  expect(countsOf(report, FILE)).toMatchObject({ read: 6, accepted: 5, rejected: 1 });
});

test('writes the rejected rows of a file that cannot be read to its end', async () => {
  const rejectedDirectory = join(service.folder, 'rejected');
  const spoiled = csvText(rowsOf(withCells(siteAmountsSubmission, FILE, 0, { Amount: 'none' }), FILE));
  const files = { [FILE]: `${spoiled}${'x'.repeat(17 * 1024 * 1024)}` };
  const report = await loadRaw(service, siteAmountsSubmission, files, { rejectedDirectory });
  expect(report.sentence).toMatch(/^Refused: sitespecificamounts\.csv: line 8 is longer than/);
  const rejected = join(rejectedDirectory, 'sitespecificamounts.rejected.csv');
  expect(existsSync(rejected) ? readFileSync(rejected, 'utf8').split('\n') : []).toEqual([
    expect.stringContaining('RejectedRule'),
    expect.stringContaining('required-unreadable'),
    '',
  ]);
});
