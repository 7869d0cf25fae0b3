// Files that would cost too much, or crash the loader, if they were read carelessly.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { SourceTextWriter } from '../../data-loaders/stage/source-text';
import { siteAmount } from '../fixtures/handmade';
import { loadRaw } from '../fixtures/raw-submission';
import { countsOf, findingsOf } from '../fixtures/report-reading';
import { csvText, siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';
const HEADER = 'OrganizationUUID,SiteUUID,VariableSpecificUUID,MethodUUID,ReportYearCV,Amount';

const service = createTestService();

afterEach(() => jest.restoreAllMocks());
function load(text: string): ReturnType<typeof service.load> {
  return loadRaw(service, siteAmountsSubmission, { [FILE]: text });
}

test.each([
  ['never closes', ''],
  ['closes far behind', 'ORG_1,S1,V1",M1,2001,1'],
])('a quote that %s before 20,000 rows spoils only its own row', async (_, last) => {
  const broken = 'ORG_1,S1,V1,M1,"2000,1';
  const rows = Array.from({ length: 20_000 }, () => 'ORG_1,S1,V1,M1,2000,1');
  const report = await load([HEADER, 'ORG_1,S1,V1,M1,1999,1', broken, ...rows, last].join('\n'));
  // All of one year: the rows behind the first have its key.
  expect(countsOf(report, FILE)).toMatchObject({ accepted: 2 });
  expect(findingsOf(report, 'broken-csv')).toMatchObject([{ line: 3, value: broken }]);
});

test.each([
  ['never closes', 0, ''],
  ['closes far behind', 0, '2001",1'],
  ['never closes and that the header opens', 1, ''],
])('a quote that %s refuses the file when no rows stand behind it, naming the line', async (_, headerLines, last) => {
  const lines = [HEADER, 'ORG_1,S1,V1,M1,1999,1', 'ORG_1,S1,V1,M1,"2000,1', `${'x,y\n'.repeat(750_000)}${last}`];
  if (headerLines === 1) lines.splice(0, 3, HEADER.replace(',Amount', ',"Amount'));
  const report = await load(lines.join('\n'));
  const line = headerLines === 1 ? 1 : 3;
  expect(report.sentence).toBe(
    `Refused: ${FILE}: the row on line ${line} opens a quote that is not closed within 10000 lines and 1048576 bytes; ` +
      'close the quote or remove it, and double each quote inside a quoted cell.',
  );
});

test('a file of stray quotes is refused with its name', async () => {
  const rows = Array.from({ length: 2_000 }, (_, index) => `ORG_1,"S1 ${index}" x,"V1`);
  const report = await load([HEADER, ...rows, '"'].join('\n'));
  expect(report.verdict).toBe('refused');
});

test('a cell of 100,000 digits and a letter is no number', async () => {
  const report = await load(`${HEADER}\nORG_1,S1,V1,M1,2000,${'1'.repeat(100_000)}x\nORG_1,S1,V1,M1,2001,2\n`);
  expect(findingsOf(report, 'required-unreadable')).toMatchObject([{ line: 2, column: 'Amount' }]);
});

test('a row longer than a row may be refuses the submission, naming the file and the line', async () => {
  const report = await load(`${HEADER}\n${'x'.repeat(17 * 1024 * 1024)}`);
  expect(report.sentence).toMatch(/^Refused: sitespecificamounts\.csv: line 2 is longer than /);
});

/** From now on: what was added of source text and not yet written, at most, and all that was written. */
function watchSourceText() {
  const add = jest.spyOn(SourceTextWriter.prototype, 'add');
  const bytes = { mostWaiting: 0, written: 0 };
  const startRelease = service.store.startRelease.bind(service.store);
  jest.spyOn(service.store, 'startRelease').mockImplementation(async () => {
    const writer = await startRelease();
    const addSourcePiece = writer.addSourcePiece.bind(writer);
    jest.spyOn(writer, 'addSourcePiece').mockImplementation((file, piece) => {
      const added = add.mock.calls.reduce((sum, [, source]) => sum + source.length, 0);
      bytes.mostWaiting = Math.max(bytes.mostWaiting, added - bytes.written);
      bytes.written += zstdDecompressSync(piece).length;
      addSourcePiece(file, piece);
    });
    return writer;
  });
  return bytes;
}

test('rows that are far longer than their records do not wait in memory until a batch of records is full', async () => {
  const cell = 'x'.repeat(40_000);
  const rows = Array.from({ length: 250 }, (_, index) =>
    siteAmount({ ReportYearCV: 1700 + index, PopulationServed: cell }),
  );
  const bytes = watchSourceText();
  const report = await load(csvText(rows));
  expect(countsOf(report, FILE)).toMatchObject({ accepted: 250 });
  expect(bytes.written).toBeGreaterThan(250 * cell.length);
  // A piece of a megabyte that is filled, and three that are compressed meanwhile.
  expect(bytes.mostWaiting).toBeLessThan(5 * 1024 * 1024);
});

test('a folder in the place of a file is no file', async () => {
  const folder = writeSubmission(join(service.folder, 'with-folder'), siteAmountsSubmission);
  mkdirSync(join(folder, 'beneficialuses.csv'));
  expect((await service.loadFolder(folder)).verdict).toBe('published');
});
