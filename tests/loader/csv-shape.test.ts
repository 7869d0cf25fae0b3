// How CSV files are split into rows and columns, files that could exhaust or crash the loader, and files named .csv in
// another format, which are refused with a message that names the format.

import { isUtf8 } from 'node:buffer';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { CsvScan, getStartPosition } from '../../data-loaders/read/csv';
import { detectEncoding } from '../../data-loaders/read/read-csv-file';
import { getFileCounts, listFindings, loadRawFiles } from '../fixtures/raw-submission';
import {
  aggregatedSubmission,
  allocationsSubmission,
  type Row,
  siteAmountsSubmission,
  type Submission,
  writeCsv,
  writeSubmission,
} from '../fixtures/submission';
import {
  getRows,
  withCells,
  withoutColumn,
  withoutFile,
  withRenamedColumn,
  withRows,
} from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';
const METHODS = 'methods.csv';
const HEADER =
  'OrganizationUUID,SiteUUID,VariableSpecificUUID,MethodUUID,ReportYearCV,CommunityWaterSupplySystem,Amount';

/** One amount per year. `system` is written without quotes or escapes. */
function line(year: number, system = 'Town'): string {
  return `ORG_1,S1,V1,M1,${year},${system},${year}`;
}

const service = createTestService();

async function load(...lines: readonly string[]): Promise<Awaited<ReturnType<typeof service.load>>> {
  return loadRawFiles(service, siteAmountsSubmission, { [FILE]: lines.join('\n') });
}

test.each([
  ['too few cells', 'ORG_1,S1,V1,M1,2001,Town', 'cell-count'],
  ['a single cell', 'end of file', 'cell-count'],
  ['too many cells', `${line(2001)},more`, 'cell-count'],
] as const)('rejects only the row with %s', async (_, broken, rule) => {
  const report = await load(HEADER, line(2000), broken, line(2002), '');
  expect(listFindings(report, rule)).toEqual([{ file: FILE, line: 3, column: null, rule, value: broken }]);
  expect(getFileCounts(report, FILE)).toMatchObject({ read: 3, accepted: 2, rejected: 1 });
  const { json } = await service.get('/v1/SiteVariableAmounts');
  expect(json.Organizations[0].SiteVariableAmounts).toMatchObject([{ Amount: 2000 }, { Amount: 2002 }]);
});

test('accepts rows whose extra cells are blank', async () => {
  const report = await load(HEADER, `${line(2000)},, `, line(2001));
  expect(getFileCounts(report, FILE)).toMatchObject({ read: 2, accepted: 2, rejected: 0 });
});

test('does not count blank lines and keeps the line numbers after them', async () => {
  const report = await load(HEADER, line(2000), '', '   ', 'too,few', line(2002), '', '');
  expect(getFileCounts(report, FILE)).toMatchObject({ read: 3, accepted: 2, rejected: 1 });
  expect(listFindings(report, 'cell-count')).toMatchObject([{ line: 5, value: 'too,few' }]);
});

test.each([
  ['CRLF line ends', (text: string) => text.replaceAll('\n', '\r\n')],
  ['a byte order mark', (text: string) => `\ufeff${text}`],
  ['no line end in the last line', (text: string) => text.trimEnd()],
  ['blank lines at the start', (text: string) => `\n\n${text}`],
])('reads files with %s like any other', async (_, change) => {
  const expected = await service.load(siteAmountsSubmission);
  const files = Object.keys(siteAmountsSubmission).map((name): [string, string] => [
    name,
    change(writeCsv(getRows(siteAmountsSubmission, name))),
  ]);
  const report = await loadRawFiles(service, siteAmountsSubmission, Object.fromEntries(files));
  expect(report.verdict).toBe('unchanged');
  expect(report.files).toEqual(expected.files);
  expect(report.notes).toEqual([]);
});

test('reads lines that are not valid UTF-8 as Windows-1252', async () => {
  const text = 'MethodUUID,MethodName\nM1,Señor’s\u00a0gauge – 5 €\n';
  const bytes = Buffer.from(text.replace('’', '\u0092').replace('–', '\u0096').replace('€', '\u0080'), 'latin1');
  await loadRawFiles(service, siteAmountsSubmission, { [METHODS]: bytes });
  const { json } = await service.get('/v1/SiteVariableAmounts?RecordCount=1');
  expect(json.Organizations[0].Methods[0].MethodName).toBe('Señor’s\u00a0gauge – 5 €');
});

test('detects UTF-8 like a strict decoder, wherever the read buffers end', async () => {
  const part = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', 'é', '☂', '😀'), maxLength: 4 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ min: 0x7f, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.integer({ min: 1, max: 5 }), async (parts, pieceBytes) => {
      const all = Buffer.concat([Buffer.from('ID\n'), ...parts]);
      const pieces = Array.from({ length: Math.ceil(all.length / pieceBytes) }, (_, index) =>
        all.subarray(index * pieceBytes, (index + 1) * pieceBytes),
      );
      const file = { name: FILE, size: all.length, bytes: () => Readable.from(pieces) };
      expect(await detectEncoding(file)).toBe(isUtf8(all) ? 'utf-8' : 'mixed');
    }),
    { numRuns: 300 },
  );
});

test('an empty file has no rows', async () => {
  const report = await loadRawFiles(service, siteAmountsSubmission, { 'podsitetopousiterelationships.csv': '' });
  expect(getFileCounts(report, 'podsitetopousiterelationships.csv')).toMatchObject({
    read: 0,
    accepted: 0,
    rejected: 0,
  });
  expect(report.verdict).toBe('published');
});

test.each([
  ['never closes', ''],
  ['closes much later', 'ORG_1,S1,V1",M1,2001,Town,1'],
])('a quote that %s before 12,000 rows affects only its own row', async (_, last) => {
  const broken = line(2000, '"Town');
  const rows = Array.from({ length: 12_000 }, () => line(2000));
  const report = await load(HEADER, line(1999), broken, ...rows, last);
  // All rows are of the same year, so later rows have the key of the first.
  expect(getFileCounts(report, FILE)).toMatchObject({ accepted: 2 });
  expect(listFindings(report, 'broken-csv')).toMatchObject([{ line: 3, value: broken }]);
});

test.each([
  ['never closes', 0, ''],
  ['closes much later', 0, '2001",1'],
  ['never closes and opens in the header', 1, ''],
])('a quote that %s refuses the file at the end, and names the line', async (_, headerLines, last) => {
  const lines = [HEADER, line(1999), line(2000, '"Town'), `${'x,y\n'.repeat(300_000)}${last}`];
  if (headerLines === 1) lines.splice(0, 3, HEADER.replace(',Amount', ',"Amount'));
  const report = await load(...lines);
  expect(report.sentence).toBe(
    `Refused: ${FILE}: the row on line ${headerLines === 1 ? 1 : 3} opens a quote that is not closed within 10000 lines and 1048576 bytes; ` +
      'close the quote or remove it, and double each quote inside a quoted cell.',
  );
});

test('a file with too many stray quotes is refused, and the message names the file', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => `ORG_1,"S1 ${index}" x,"V1`);
  const report = await load(HEADER, ...rows, '"');
  expect(report.verdict).toBe('refused');
});

test('a cell of 100,000 digits and a letter is not a number', async () => {
  const report = await load(HEADER, `${line(2000)}${'1'.repeat(100_000)}x`, line(2001));
  expect(listFindings(report, 'required-unreadable')).toMatchObject([{ line: 2, column: 'Amount' }]);
});

test('a row over the length limit refuses the submission, naming file and line', async () => {
  const report = await load(HEADER, 'x'.repeat(17 * 1024 * 1024));
  expect(report.sentence).toMatch(/^Refused: sitespecificamounts\.csv: line 2 is longer than /);
});

test('a folder with the name of a file is not read as a file', async () => {
  const folder = writeSubmission(join(service.folder, 'with-folder'), siteAmountsSubmission);
  mkdirSync(join(folder, 'beneficialuses.csv'));
  expect((await service.loadFolder(folder)).verdict).toBe('published');
});

const other = createTestService();

const text = writeCsv(getRows(siteAmountsSubmission, 'sites.csv'));
const bomb = zipSync({ 'xl/workbook.xml': new Uint8Array(64 * 1024 * 1024), 'sites.csv': strToU8(text) }, { level: 1 });

test.each<readonly [name: string, content: Uint8Array, what: string]>([
  ['an Excel workbook, which is a ZIP archive', bomb, 'a ZIP archive or an Excel workbook'],
  ['an old Excel workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an Excel workbook in an old format'],
  ['compressed', gzipSync(text), 'a compressed archive'],
  ['a PDF document', Buffer.from('%PDF-1.7\n'), 'a PDF document'],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le'), 'text in UTF-16'],
  ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le'), 'text in UTF-16'],
  ['HTML', Buffer.from('<html><body>Sign in</body></html>'), 'HTML or XML'],
  ['JSON', Buffer.from('{"error": "not found"}'), 'JSON'],
  ['an executable program', Buffer.from('7f454c4602010100000000', 'hex'), 'not text'],
])('refuses a sites.csv that is %s', async (_, content, what) => {
  for (const mode of ['replace', 'merge']) {
    const files = { 'sites.csv': content, 'submission.json': JSON.stringify({ mode }) };
    const report = await loadRawFiles(other, siteAmountsSubmission, files);
    expect(report.sentence).toBe(`Refused: sites.csv: it is ${what}, not CSV; export its rows as CSV in UTF-8.`);
    expect(report.verdict).toBe('refused');
  }
});

test('a merge whose amounts file is not CSV is refused, and the message names the file', async () => {
  const files = { [FILE]: gzipSync(text), 'submission.json': '{"mode":"merge"}' };
  expect((await loadRawFiles(other, siteAmountsSubmission, files)).sentence).toMatch(
    /^Refused: sitespecificamounts\.csv: it is a compressed archive/,
  );
});

test('archives next to the files are reported but not read', async () => {
  const files = { 'all.zip': bomb, 'sites.csv.gz': gzipSync(text) };
  const report = await loadRawFiles(other, siteAmountsSubmission, files);
  expect(report.verdict).toBe('published');
  expect(report.notes).toEqual(
    ['all.zip', 'sites.csv.gz'].map(
      (name) =>
        `${name} was ignored: only the files listed in the guide are read. Unpack it, and send the files that are in it.`,
    ),
  );
});

test('a zero byte rejects only its row', async () => {
  const submission = withCells(siteAmountsSubmission, FILE, 2, { Amount: '1\u00002' });
  const report = await other.load(submission);
  expect(getFileCounts(report, FILE)).toMatchObject({ read: 6, accepted: 5, rejected: 1 });
});

test('writes the rejected rows of a file that ends early', async () => {
  const rejectedDirectory = join(other.folder, 'rejected');
  const spoiled = writeCsv(getRows(withCells(siteAmountsSubmission, FILE, 0, { Amount: 'none' }), FILE));
  const files = { [FILE]: `${spoiled}${'x'.repeat(17 * 1024 * 1024)}` };
  const report = await loadRawFiles(other, siteAmountsSubmission, files, { rejectedDirectory });
  expect(report.sentence).toMatch(/^Refused: sitespecificamounts\.csv: line 8 is longer than/);
  const rejected = join(rejectedDirectory, 'sitespecificamounts.rejected.csv');
  expect(existsSync(rejected) ? readFileSync(rejected, 'utf8').split('\n') : []).toEqual([
    expect.stringContaining('RejectedRule'),
    expect.stringContaining('required-unreadable'),
    '',
  ]);
});

/** Gives columns a value in every row, so that a renamed column changes the answer. */
function filled(submission: Submission, file: string, cells: Row): Submission {
  const rows = getRows(submission, file).map((row) => ({ ...row, ...cells }));
  return withRows(submission, file, rows);
}

const allocations = 'waterallocations.csv';
const mappedMethods = filled(siteAmountsSubmission, METHODS, { WaDEDataMappingUrl: 'x' });
const fullAllocations = filled(allocationsSubmission, allocations, {
  AllocationSDWISIdentifierCV: 'UT1',
  CommunityWaterSupplySystem: 'UT1',
  WaterAllocationNativeURL: 'UT1',
});

test.each([
  [siteAmountsSubmission, 'sites.csv', 'SiteUUID', 'WaDESiteUUID'],
  [siteAmountsSubmission, 'sites.csv', 'WaterSourceUUIDs', 'WaterSourceUUID'],
  [siteAmountsSubmission, FILE, 'SiteUUID', 'WaDESiteUUID'],
  [siteAmountsSubmission, FILE, 'PrimaryUseCategory', 'PrimaryBeneficialUseCategory'],
  [siteAmountsSubmission, FILE, 'PrimaryUseCategory', 'PrimaryUseCategoryCV'],
  [siteAmountsSubmission, FILE, 'CommunityWaterSupplySystem', 'CommunityWaterSupplySyste'],
  [mappedMethods, METHODS, 'WaDEDataMappingUrl', 'WaDEDataMappingURL'],
  [siteAmountsSubmission, 'organizations.csv', 'OrganizationUUID', 'OrganizationUID'],
  [aggregatedSubmission, 'organizations.csv', 'OrganizationDataMappingURL', 'DataMappingURL'],
  [aggregatedSubmission, 'reportingunits.csv', 'ReportingUnitUUID', 'ReportingUnitUID'],
  [aggregatedSubmission, 'aggregatedamounts.csv', 'ReportingUnitUUID', 'ReportingUnitUID'],
  [aggregatedSubmission, 'aggregatedamounts.csv', 'OrganizationUUID', 'OrganizationUID'],
  [allocationsSubmission, allocations, 'SiteUUID', 'WaDESiteUUID'],
  [allocationsSubmission, allocations, 'AllocationFlow_CFS', 'AllocationAmount'],
  [allocationsSubmission, allocations, 'AllocationVolume_AF', 'AllocationMaximum'],
  [allocationsSubmission, allocations, 'AllocationLegalStatusCV', 'AllocationLegalStatusCodeCV'],
  [allocationsSubmission, allocations, 'PrimaryUseCategory', 'PrimaryBeneficialUseCategory'],
  [fullAllocations, allocations, 'AllocationSDWISIdentifierCV', 'AllocationSDWISIdentifier'],
  [fullAllocations, allocations, 'CommunityWaterSupplySystem', 'CommunityWaterSupplySyste'],
  [fullAllocations, allocations, 'WaterAllocationNativeURL', 'WaterAllocationNativeUrl'],
])('$#: accepts an older name of a column', async (submission, file, name, olderName) => {
  await service.load(submission);
  const report = await service.load(withRenamedColumn(submission, file, name, olderName));
  expect(report).toMatchObject({ verdict: 'unchanged', notes: [] });
});

test.each([
  ['lower case', (name: string) => name.toLowerCase()],
  ['capitals', (name: string) => name.toUpperCase()],
  ['spaces around', (name: string) => `  ${name}\u00a0`],
  ['a byte order mark at the start', (name: string) => `\ufeff${name}`],
])('matches header names with %s', async (_, change) => {
  await service.load(siteAmountsSubmission);
  const changed = Object.entries(siteAmountsSubmission).map(([file, rows]) => [
    file,
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [change(name), value]))),
  ]);
  const report = await service.load(Object.fromEntries(changed) as Submission);
  expect(report).toMatchObject({ verdict: 'unchanged', notes: [] });
});

test('the current name of a column wins over its older name', async () => {
  await service.load(allocationsSubmission);
  const report = await service.load(filled(allocationsSubmission, allocations, { AllocationAmount: '77' }));
  expect(report.verdict).toBe('unchanged');
});

test('ignores unnamed columns without values at the end', async () => {
  await service.load(siteAmountsSubmission);
  const [header = '', ...lines] = writeCsv(getRows(siteAmountsSubmission, FILE)).trimEnd().split('\n');
  const texts = [`${header},,`, ...lines.map((text, index) => (index === 0 ? `${text},` : text))];
  const report = await loadRawFiles(service, siteAmountsSubmission, { [FILE]: `${texts.join('\n')}\n` });
  expect(report).toMatchObject({ verdict: 'unchanged', notes: [] });
  expect(listFindings(report, 'short-row')).toEqual([]);
});

describe('rows that lack cells at their end', () => {
  const SITE_HEADER = 'SiteUUID,SiteName,County,StateCV,PODorPOUSite';

  async function loadSites(text: string) {
    const report = await loadRawFiles(service, siteAmountsSubmission, { 'sites.csv': text });
    const rejected = listFindings(report, 'cell-count').map((finding) => finding.line);
    return { rejected, remarks: listFindings(report, 'short-row').map(({ value }) => value), report };
  }

  test.each([
    ['one row of the file', 'S1,Upper\nS2,Lower,Cache,UT,POD\n', ['first on line 2 (1 row)']],
    ['all rows of the file', 'S1\nS2,Lower\nS3,Outlet,Cache\n', ['first on line 2 (3 rows)']],
    [
      'rows that together have as many cells as the header',
      'S1,Upper,Cache\nS2,Lower,Cache\n',
      ['first on line 2 (2 rows)'],
    ],
    ['rows with carriage returns', 'S1,Upper\r\nS2,Lower,Cache,UT,POD\r\n', ['first on line 2 (1 row)']],
  ])('are accepted if the missing cells may be empty: %s', async (_, rows, remarks) => {
    expect(await loadSites(`${SITE_HEADER}\n${rows}`)).toMatchObject({ rejected: [], remarks });
  });

  test.each([
    ['a last row without a line end', 'S1,Upper,Cache,UT,POD\nS2,Low', [3]],
    ['a row that is split by a line break', 'S1,Upper\nDitch 9,Cache,UT,POD\nS2,Lower,Cache,UT,POD\n', [2, 3]],
    ['a row with more cells than the header', 'S1,Upper,Cache,UT,POD,more\nS2,Lower,Cache,UT,POD\n', [2]],
  ])('are rejected: %s', async (_, rows, rejected) => {
    expect(await loadSites(`${SITE_HEADER}\n${rows}`)).toMatchObject({ rejected });
  });

  test('are rejected if a required cell is missing', async () => {
    const short = line(2000).split(',').slice(0, 2).join(',');
    const report = await load(HEADER, short, line(2001));
    expect(listFindings(report, 'cell-count')).toMatchObject([{ line: 2, value: short }]);
  });
});

describe('lines in two encodings', () => {
  const row = (id: string, name: string): Buffer => Buffer.from(`${id},${name}\n`);
  const latin = (id: string, name: string): Buffer => Buffer.from(`${id},${name}\n`, 'latin1');
  const header = Buffer.from('MethodUUID,MethodName\n');

  test.each([
    [
      'one stray byte',
      [row('M1', 'Do\u00f1a Ana'), latin('M2', 'Ca\u00f1\u00f3n'), row('M3', 'Se\u00f1or')],
      '1 line is',
      'line 3',
    ],
    [
      'Windows-1252 throughout',
      [latin('M1', 'Do\u00f1a Ana'), latin('M2', 'Ca\u00f1\u00f3n'), latin('M3', 'Se\u00f1or')],
      '3 lines are',
      'lines 2, 3, 4',
    ],
    [
      'a byte order mark',
      [row('M1', 'Do\u00f1a Ana'), row('M2', 'Ca\u00f1\u00f3n'), latin('M3', 'Se\u00f1or')],
      '1 line is',
      'line 4',
    ],
  ])('are read line by line, and the report names them: %s', async (name, lines, count, numbers) => {
    const mark = name === 'a byte order mark' ? [Buffer.from('\ufeff')] : [];
    const report = await loadRawFiles(service, siteAmountsSubmission, {
      [METHODS]: Buffer.concat([...mark, header, ...lines]),
    });
    expect(report.notes).toEqual([expect.stringContaining(`${METHODS}: ${count} not valid UTF-8`)]);
    expect(report.notes[0]).toContain(`(${numbers})`);
    const { json } = await service.get('/v1/SiteVariableAmounts?RecordCount=1');
    expect(json.Organizations[0].Methods[0].MethodName).toBe('Do\u00f1a Ana');
  });

  test('give the same rows and positions wherever the text is cut', () => {
    const text = Buffer.concat([
      header,
      row('M1', 'Do\u00f1a'),
      latin('M2', 'Ca\u00f1\u00f3n'),
      row('M3', 'Se\u00f1or'),
    ]);
    const expected = readInPieces([text]);
    for (let size = 1; size < text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.subarray(index * size, (index + 1) * size),
      );
      expect(readInPieces(pieces)).toEqual(expected);
    }
    expect(expected).toMatchObject({ end: { offset: text.length, line: 5 }, windows1252Lines: [3] });
  });

  function readInPieces(pieces: readonly Buffer[]) {
    const scan = new CsvScan(getStartPosition('mixed'));
    const batches = [...pieces.map((piece) => scan.addBytes(piece)), scan.finish()];
    return {
      rows: batches.flatMap(({ rows }) => rows),
      windows1252Lines: batches.flatMap(({ windows1252Lines }) => windows1252Lines),
      end: batches.at(-1)?.end,
    };
  }
});

test.each(['index', '', 'Index'])('ignores a first column named "%s"', async (name) => {
  await service.load(siteAmountsSubmission);
  const rows = getRows(siteAmountsSubmission, FILE).map((row, index) => ({ [name]: index, ...row }));
  const report = await service.load(withRows(siteAmountsSubmission, FILE, rows));
  expect(report).toMatchObject({ verdict: 'unchanged', notes: [] });
});

test('reports unknown and unnamed columns once per file and does not read them', async () => {
  await service.load(siteAmountsSubmission);
  const rows = getRows(siteAmountsSubmission, FILE).map((row) => ({ ...row, PowerType: 'x', '  ': 'y' }));
  const report = await service.load(withRows(siteAmountsSubmission, FILE, rows));
  expect(report.verdict).toBe('unchanged');
  expect(report.notes).toEqual([
    'sitespecificamounts.csv: columns that are not read: PowerType.',
    'sitespecificamounts.csv: columns that are not read: (unnamed).',
  ]);
});

test('warns once per file about missing optional columns and accepts the rows', async () => {
  const withoutSource = withoutColumn(siteAmountsSubmission, FILE, 'WaterSourceUUID');
  const report = await service.load(withoutColumn(withoutSource, FILE, 'TimeframeEnd'));
  const found = listFindings(report, 'absent-column').filter(({ file }) => file === FILE);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    line: 1,
    column: null,
    value: expect.stringMatching(/WaterSourceUUID.*TimeframeEnd/),
  });
  expect(getFileCounts(report, FILE)).toMatchObject({ read: 6, accepted: 6, warned: 0, rejected: 0 });
});

test('a missing file counts as a file without rows', async () => {
  const report = await service.load(withoutFile(siteAmountsSubmission, 'watersources.csv'));
  expect(report.files.map(({ file }) => file)).not.toContain('watersources.csv');
  expect(getFileCounts(report, FILE)).toMatchObject({ accepted: 6, warned: 6, reasons: { 'unknown-water-source': 6 } });
});
