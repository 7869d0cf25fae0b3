// Submissions as archives and workbooks (D75, D76): they load like a folder with the same files, and hostile files are
// refused with an explanation.

import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, type Zippable, zipSync } from 'fflate';
import type { Report } from '../../data-loaders/format/report';
import { loadFolder } from '../../data-loaders/intake/load-folder';
import { SILENT } from '../../data-loaders/stage/progress';
import { siteAmountsSubmission, type Submission, writeCsv } from '../fixtures/submission';
import { createTestService, TEST_NOW } from '../fixtures/test-service';
import { makeWorkbook, type SheetCell, type TestSheet, toSheets } from '../fixtures/workbook';

const service = createTestService();
const staging = join(service.folder, 'staging');

type Contents = Readonly<Record<string, Uint8Array>>;

function writeFiles(contents: Contents): string {
  const folder = mkdtempSync(join(service.folder, 'sent-'));
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(folder, name), content);
  return folder;
}

/** Makes a dry run of a folder with these files. */
async function check(contents: Contents, maxUnpackedBytes = 2e6): Promise<Report> {
  const report = await service.loadFolder(writeFiles(contents), { isDryRun: true, maxUnpackedBytes });
  // Checks that no unpacked files are left.
  expect(readdirSync(staging)).toEqual([]);
  return report;
}

function toEntries(submission: Submission, prefix = ''): Zippable {
  const files = Object.entries(submission).map(([name, rows]) => [prefix + name, strToU8(writeCsv(rows))] as const);
  return Object.fromEntries(files);
}

function selectComparable({ verdict, dataSets, files, notes }: Report): object {
  return { verdict, dataSets, files, notes };
}

const asFolder = async (): Promise<Report> => check(toEntries(siteAmountsSubmission) as Contents);
const valid = toEntries(siteAmountsSubmission);

test.each<readonly [name: string, contents: Contents]>([
  ['an archive', { 'state.zip': zipSync(valid) }],
  ['an archive of a folder', { 'state.ZIP': zipSync(toEntries(siteAmountsSubmission, '2026/')) }],
  ['an archive of folders in folders', { 'state.zip': zipSync(toEntries(siteAmountsSubmission, 'a/b/c/')) }],
  [
    'an archive with companion files',
    { 'state.zip': zipSync({ ...valid, '__MACOSX/._a.zip': strToU8('x'), '.DS_Store': strToU8('x') }) },
  ],
  ['an archive next to the file READY', { 'state.zip': zipSync(valid), 'READY.txt': strToU8('') }],
  ['a workbook', { 'state.xlsx': makeWorkbook(toSheets(siteAmountsSubmission)) }],
  ['a workbook in an archive', { 'a.zip': zipSync({ 'b/state.xlsx': makeWorkbook(toSheets(siteAmountsSubmission)) }) }],
  [
    'sheets with the names of files',
    { 'state.xlsx': makeWorkbook(renameSheets((name) => `${name.toUpperCase()}.CSV`)) },
  ],
  [
    'a workbook for each file',
    Object.fromEntries(
      toSheets(siteAmountsSubmission).map(({ name, rows }) => [
        `${name}.xlsx`,
        makeWorkbook([{ name: 'Sheet1', rows }]),
      ]),
    ),
  ],
])('%s loads like its folder', async (_, contents) => {
  const report = await check(contents);
  expect(selectComparable(report)).toEqual(selectComparable(await asFolder()));
  expect(report.verdict).toBe('would-publish');
});

function renameSheets(rename: (name: string) => string): readonly TestSheet[] {
  return toSheets(siteAmountsSubmission).map((sheet) => ({ ...sheet, name: rename(sheet.name) }));
}

test('a single file is loaded without a folder, and its metadata are read', async () => {
  const contents = { 'state.zip': zipSync({ ...valid, 'submission.json': strToU8('{"mode":"neither"}') }) };
  const report = await loadFolder(join(writeFiles(contents), 'state.zip'), {
    store: service.store,
    stagingDirectory: staging,
    rejectedShareLimit: 0.9,
    isDryRun: true,
    isSample: false,
    progress: SILENT,
    now: () => TEST_NOW,
  });
  expect(report.sentence).toContain('its mode must be');
});

/** Sets the encryption bit in both headers of each entry of an archive. */
function encrypt(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive);
  for (const [signature, offset] of [
    ['504b0304', 6],
    ['504b0102', 8],
  ] as const) {
    for (let at = bytes.indexOf(signature, 0, 'hex'); at !== -1; at = bytes.indexOf(signature, at + 1, 'hex')) {
      bytes.writeUInt16LE(bytes.readUInt16LE(at + offset) | 1, at + offset);
    }
  }
  return bytes;
}

const manyEntries = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`${index}.csv`, new Uint8Array()]));
const UNIX = 3;
const LINK_MODE = 0o120777 << 16;
const PIPE_MODE = 0o010666 << 16;
const whole = zipSync(valid);
/** Declares a length of one byte for the first entry, although its content is longer. */
function declareLess(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive);
  bytes.writeUInt32LE(1, bytes.indexOf('504b0102', 0, 'hex') + 24);
  return bytes;
}

test.each<readonly [name: string, archive: Uint8Array, words: string]>([
  ['a zip bomb', zipSync({ 'sites.csv': new Uint8Array(5e6) }, { level: 1 }), 'too large when unpacked'],
  [
    'a zip bomb that declares a false size',
    declareLess(zipSync({ 'sites.csv': new Uint8Array(1e6) }, { level: 1 })),
    'cannot be read',
  ],
  ['too many entries', zipSync(manyEntries, { level: 0 }), '1,001 entries'],
  ['a path out of the folder', zipSync({ ...valid, '../sites.csv': strToU8('x') }), 'leads out of the archive with ..'],
  [
    'a path out of the folder after a subfolder',
    zipSync({ ...valid, 'a/../../sites.csv': strToU8('x') }),
    'leads out of the archive with ..',
  ],
  [
    'a Windows path out of the folder',
    zipSync({ ...valid, '..\\sites.csv': strToU8('x') }),
    'leads out of the archive with ..',
  ],
  ['an absolute path', zipSync({ ...valid, '/etc/passwd': strToU8('x') }), 'absolute path'],
  ['an absolute path of Windows', zipSync({ ...valid, 'C:/sites.csv': strToU8('x') }), 'absolute path'],
  [
    'a symbolic link',
    zipSync({ ...valid, link: [strToU8('/etc/passwd'), { os: UNIX, attrs: LINK_MODE }] }),
    'a link in it',
  ],
  [
    'a named pipe',
    zipSync({ ...valid, pipe: [strToU8(''), { os: UNIX, attrs: PIPE_MODE }] }),
    'neither a file nor a folder',
  ],
  ['an archive in an archive', zipSync({ ...valid, 'a/more.7z': strToU8('x') }), 'another archive in it, a/more.7z'],
  ['an encrypted archive', encrypt(whole), 'is encrypted'],
  ['half an archive', whole.subarray(0, whole.length / 2), 'damaged or incomplete'],
  [
    'random bytes with the signature of an archive',
    Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(1000, 7)]),
    'damaged or incomplete',
  ],
  ['an archive without files of the format', zipSync({ 'letter.txt': strToU8('x') }), 'none of'],
  ['nothing', zipSync({}), 'none of'],
])('refuses %s', async (_, archive, words) => {
  const report = await check({ 'state.zip': archive });
  expect(report.verdict).toBe('refused');
  expect(report.sentence).toContain(words);
});

test('a workbook with a password is reported as encrypted', async () => {
  const content = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  expect((await check({ 'state.xlsx': content })).sentence).toContain('is encrypted');
});

describe('a workbook', () => {
  const file = 'sitespecificamounts.csv';

  /** The submission with other cells in a column of the amounts; `cells` may depend on the row. */
  function withColumn(column: string, cells: (index: number) => SheetCell): readonly TestSheet[] {
    return toSheets(siteAmountsSubmission).map((sheet) => {
      if (`${sheet.name}.csv` !== file) return sheet;
      const [header = [], ...rows] = sheet.rows;
      const position = header.indexOf(column);
      return {
        ...sheet,
        rows: [header, ...rows.map((row, index) => row.map((cell, at) => (at === position ? cells(index) : cell)))],
      };
    });
  }

  test.each<readonly [name: string, column: string, cells: (index: number) => SheetCell, words: RegExp | undefined]>([
    ['numbers', 'Amount', (index) => index + 0.1 + 0.2, undefined],
    ['stored results of formulas', 'Amount', (index) => ({ xml: `<f>1+1</f><v>${index}</v>` }), undefined],
    [
      'texts stored in the cell',
      'Amount',
      (index) => ({ xml: `<is><t>${index}</t></is>`, type: 'inlineStr' }),
      undefined,
    ],
    ['errors', 'Amount', () => ({ xml: '<f>1/0</f><v>#DIV/0!</v>', type: 'e' }), /"required-empty":6/],
    [
      'formulas without a stored value',
      'Amount',
      () => ({ xml: '<f>1+1</f>' }),
      /6 formulas of the sheet sitespecificamounts/,
    ],
  ])('with %s is accepted, or the report explains the problem', async (_, column, cells, words) => {
    const report = await check({ 'state.xlsx': makeWorkbook(withColumn(column, cells)) });
    const reportText = `${report.notes.join('\n')}\n${JSON.stringify(report.files)}`;
    if (words === undefined) expect(report.verdict).toBe('would-publish');
    else expect(reportText).toMatch(words);
  });

  test('with hidden and other sheets is read without them, and the report says so', async () => {
    const sheets: readonly TestSheet[] = [
      ...toSheets(siteAmountsSubmission),
      { name: 'methods.csv', rows: [['MethodUUID']], state: 'hidden' },
      { name: 'Read me', rows: [['Hello']] },
    ];
    const { verdict, notes } = await check({ 'state.xlsx': makeWorkbook(sheets) });
    expect(verdict).toBe('would-publish');
    expect(notes).toContain('The sheet methods.csv of state.xlsx is hidden and was not read.');
    expect(notes).toContain('Read me was ignored: only the files listed in the guide are read.');
  });

  test('with a sheet whose name is similar to that of a file gets a suggestion', async () => {
    const sheets = renameSheets((name) => (name === 'sites' ? 'Site' : name));
    const { sentence } = await check({ 'state.xlsx': makeWorkbook(sheets) });
    expect(sentence).toContain('Site seems to be meant as sites.csv');
  });

  test('with two sheets for one file is refused', async () => {
    const sheets = [...toSheets(siteAmountsSubmission), { name: 'Sites.csv', rows: [['SiteUUID']] }];
    expect((await check({ 'state.xlsx': makeWorkbook(sheets) })).sentence).toContain('two sheets for sites.csv');
  });

  test('with entities in a document type is read without expanding them', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]><sst><si><t>&a;</t></si></sst>`;
    const workbook = makeWorkbook(toSheets(siteAmountsSubmission), { 'xl/sharedStrings.xml': bomb });
    expect((await check({ 'state.xlsx': workbook })).sentence).toContain('cannot be read');
  });

  test.each([
    ['cells beyond the last column', '<row r="1"><c r="XFE1"><v>1</v></c></row>'],
    ['rows beyond the last', '<row r="1048577"><c r="A1048577"><v>1</v></c></row>'],
    ['rows in the wrong order', '<row r="2"/><row r="1"/>'],
    ['a reference to a missing text', '<row r="1"><c r="A1" t="s"><v>99999</v></c></row>'],
    ['a missing end tag', '<row r="1"><c r="A1">'],
  ])('with %s is refused', async (_, rows) => {
    const sheet = `<worksheet><sheetData>${rows}</sheetData></worksheet>`;
    const workbook = makeWorkbook(toSheets(siteAmountsSubmission), { 'xl/worksheets/sheet1.xml': sheet });
    expect((await check({ 'state.xlsx': workbook })).sentence).toContain('state.xlsx cannot be read');
  });

  test('that has few cells but very many bytes is refused', async () => {
    const rows = Array.from({ length: 200 }, (_, row) => `<row r="${row + 1}"><c r="XFD${row + 1}"><v>1</v></c></row>`);
    const sheet = `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`;
    const workbook = makeWorkbook(toSheets(siteAmountsSubmission), { 'xl/worksheets/sheet1.xml': sheet });
    expect((await check({ 'state.xlsx': workbook })).sentence).toContain('too large when unpacked');
  });
});
