// Folders of submissions as people and programs really leave them (D75): a folder loads, or the report says what to do.

import { mkdirSync, mkdtempSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Report } from '../../data-loaders/format/report';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { createServiceForEachTest } from '../fixtures/test-service';

const service = createServiceForEachTest();

type Contents = Readonly<Record<string, string | Buffer>>;

/** Creates a folder with the whole submission and other files next to it. `without` is left out. */
function makeFolder(others: Contents = {}, inner = '', without: readonly string[] = []): string {
  const root = mkdtempSync(join(service().folder, 'folder-'));
  const kept = Object.entries(siteAmountsSubmission).filter(([name]) => !without.includes(name));
  mkdirSync(join(root, inner), { recursive: true });
  writeSubmission(join(root, inner), Object.fromEntries(kept));
  for (const [path, content] of Object.entries(others)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

const load = (folder: string): Promise<Report> => service().loadFolder(folder, { isDryRun: true });

test.each([
  ['._sites.csv'],
  ['.DS_Store'],
  ['__MACOSX/._sites.csv'],
  ['Thumbs.db'],
  ['desktop.ini'],
  ['~$sites.xlsx'],
  ['.~lock.sites.csv#'],
  ['READY'],
  ['ready.txt'],
  ['Ready.TXT'],
])('%s is skipped without a remark', async (name) => {
  const { verdict, notes } = await load(makeFolder({ [name]: 'x' }));
  const plain = await load(makeFolder());
  expect({ verdict, notes }).toEqual({ verdict: 'would-publish', notes: plain.notes });
});

test.each([
  ['submission', {}],
  ['2026/', {}],
  ['submission', { '.DS_Store': 'x', '__MACOSX/submission/._sites.csv': 'x' }],
  ['submission', { 'READY.txt': '', 'submission.json': '{"note": "above"}' }],
  ['submission', { 'documents/letter.pdf': 'x' }],
])('the only folder with files, %s, is entered (next to %j)', async (inner, others) => {
  expect((await load(makeFolder(others, inner))).verdict).toBe('would-publish');
});

test('if several folders have files, the report names them', async () => {
  const folder = makeFolder({}, '2025');
  mkdirSync(join(folder, '2026'));
  writeSubmission(join(folder, '2026'), siteAmountsSubmission);
  const { verdict, sentence } = await load(folder);
  expect(verdict).toBe('refused');
  expect(sentence).toMatch(/in subfolders, 2025\/ and 2026\/: send each/);
});

test.each([
  ['Submission.json', '{"mode": "merge"}'],
  ['SUBMISSION.JSON', '{"mode": "merge"}'],
  ['submission.json', Buffer.from('\ufeff{"mode": "merge"}', 'utf16le')],
  ['submission.json', Buffer.from('\ufeff{"mode": "merge"}', 'utf16le').swap16()],
  ['submission.json', '\ufeff{"mode": "merge"}'],
])('%s is read in other spellings and encodings', async (name, content) => {
  await service().load(siteAmountsSubmission);
  const folder = makeFolder({ [name]: content });
  // A replacement would refuse a file that has only a column Delete; a merge reports that nothing changes.
  expect(await load(folder)).toMatchObject({ verdict: 'unchanged' });
  expect((await load(makeFolder({ [name]: '{"mode": "neither"}' }))).sentence).toContain('its mode must be');
});

test.each([
  ['', 'would-publish', ''],
  ['  \n', 'would-publish', ''],
  ['{“mode”: “merge”}', 'refused', 'curly quotes'],
  ['{\\rtf1\\ansi', 'refused', 'plain text'],
  ['{mode: merge}', 'refused', 'write an object'],
])('submission.json with the content %j gives the verdict %s', async (content, verdict, words) => {
  const report = await load(makeFolder({ 'submission.json': content }));
  expect(report.verdict).toBe(verdict);
  expect(report.sentence).toContain(words);
});

describe('a file under another name', () => {
  test.each([
    ['sites - Copy.csv', 'sites - Copy.csv may be meant as sites.csv'],
    ['Copy of sites.csv', 'Copy of sites.csv may be meant as sites.csv'],
    ['sites_final.csv', 'sites_final.csv may be meant as sites.csv'],
    ['sites (1).csv', 'sites (1).csv seems to be meant as sites.csv'],
    ['sites.csv.txt', 'sites.csv.txt seems to be meant as sites.csv'],
    ['sites.xlsx', 'sites.xlsx is a workbook: save its sheet as sites.csv'],
    ['Sites.XLS', 'Sites.XLS is a workbook: save its sheet as sites.csv'],
    ['sites.ods', 'sites.ods is a workbook: save its sheet as sites.csv'],
    ['sites.zip', 'sites.zip is an archive: unpack it and send sites.csv'],
    ['sites.csv.gz', 'sites.csv.gz is an archive: unpack it and send sites.csv'],
  ])('%s is reported', async (name, advice) => {
    const folder = makeFolder();
    renameSync(join(folder, 'sites.csv'), join(folder, name));
    const { verdict, sentence } = await load(folder);
    expect(verdict).toBe('refused');
    expect(sentence).toContain(advice);
  });

  test.each(['submission.zip', 'submission.xlsx'])('%s does not count as submission.json', async (name) => {
    expect((await load(makeFolder({ [name]: 'PK' }))).verdict).toBe('would-publish');
  });

  test('a folder named submission does not count as submission.json', async () => {
    expect((await load(makeFolder({ 'submission/letter.txt': 'x' }))).verdict).toBe('would-publish');
  });
});

test.each([
  ['state.zip', 'state.zip is an archive: unpack it'],
  ['submission.7z', 'submission.7z is an archive: unpack it'],
  ['Water rights.xlsx', 'Water rights.xlsx is a workbook: save each sheet'],
])('%s alone is reported', async (name, advice) => {
  const folder = makeFolder({ [name]: 'PK' }, '', Object.keys(siteAmountsSubmission));
  expect(readdirSync(folder)).toEqual([name]);
  expect((await load(folder)).sentence).toContain(advice);
});
