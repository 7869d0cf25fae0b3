// Files that would cost too much, or crash the loader, if they were read carelessly.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { loadRaw, countsOf, findingsOf } from '../fixtures/raw-submission';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
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

test('a folder in the place of a file is no file', async () => {
  const folder = writeSubmission(join(service.folder, 'with-folder'), siteAmountsSubmission);
  mkdirSync(join(folder, 'beneficialuses.csv'));
  expect((await service.loadFolder(folder)).verdict).toBe('published');
});
