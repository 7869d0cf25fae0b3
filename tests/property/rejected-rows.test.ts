// Rejected rows that a person corrects in a spreadsheet and submits as a merge give the same data as the whole
// submission would have given without the error, whatever the other cells contain (D77).

import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { loadRawFiles, MERGE } from '../fixtures/raw-submission';
import { chooseSeed, countCases } from '../fixtures/soak';
import { allocationsSubmission, type Row } from '../fixtures/submission';
import { getRows, withRows } from '../fixtures/submission-changes';
import { createServiceMaker } from '../fixtures/test-service';

const RIGHTS = 'waterallocations.csv';
const BAD_METHOD = 'no such method';

const nextService = createServiceMaker();
const [right] = getRows(allocationsSubmission, RIGHTS);
const method = String(right?.['MethodUUID']);

const anyText = fc.string({
  unit: fc.constantFrom(
    'a',
    'ñ',
    '’',
    ' ',
    ',',
    '"',
    '\n',
    '\r\n',
    '\t',
    '=',
    '-',
    '+',
    '@',
    "'",
    '0',
    '7',
    ';',
    '\uFEFF',
  ),
  maxLength: 10,
});
const owner = fc.oneof(anyText, fc.constantFrom('=1+1', '-5-3', '@SUM(A1)', '"', '-5', '="00123"', "'00123", '00123'));

/** Each spreadsheet writes rows in its own way. */
const writers: readonly ((rows: readonly (readonly string[])[]) => string)[] = [
  (rows) => rows.map((cells) => cells.map(quoteWhereNeeded).join(',')).join('\r\n'),
  (rows) => `\uFEFF${rows.map((cells) => `${cells.map(quote).join(',')}\n`).join('')}`,
];

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

function quoteWhereNeeded(cell: string): string {
  return /[",\r\n]/.test(cell) ? quote(cell) : cell;
}

/** The steps of a person: opens the file, corrects one column, and saves it. */
function mend(text: string, writer: (typeof writers)[number]): string {
  const [header = [], ...rows] = parse(text, { bom: true, record_delimiter: '\n' });
  const column = header.indexOf('MethodUUID');
  return writer([header, ...rows.map((cells) => cells.map((cell, index) => (index === column ? method : cell)))]);
}

test('corrected rejected rows come back intact', async () => {
  const rights = fc.array(fc.tuple(owner, owner), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(rights, fc.constantFrom(...writers), async (texts, writer) => {
      const rows = texts.map(([AllocationOwner, AllocationBasisCV], index): Row => ({
        ...right,
        AllocationNativeID: `00${index}`,
        AllocationOwner,
        AllocationBasisCV,
      }));
      const spoiled = rows.map((row) => ({ ...row, MethodUUID: BAD_METHOD }));
      const correct = getRows(allocationsSubmission, RIGHTS);
      const service = nextService();
      const rejectedDirectory = join(service.folder, 'rejected');
      mkdirSync(rejectedDirectory, { recursive: true });
      const first = await service.load(withRows(allocationsSubmission, RIGHTS, [...correct, ...spoiled]), {
        rejectedDirectory,
        rejectedShareLimit: 1,
      });
      expect(first.files.find(({ file }) => file === RIGHTS)?.rejected).toBe(rows.length);
      const rejected = readFileSync(join(rejectedDirectory, 'waterallocations.rejected.csv'), 'utf8');
      const mended = await loadRawFiles(service, {}, { ...MERGE, [RIGHTS]: mend(rejected, writer) });
      const whole = await nextService().load(withRows(allocationsSubmission, RIGHTS, [...correct, ...rows]));
      expect(mended.files.find(({ file }) => file === RIGHTS)).toMatchObject({ accepted: rows.length, rejected: 0 });
      expect(mended.notes).toEqual([]);
      expect(mended.dataSets[0]?.releaseId).toBe(whole.dataSets[0]?.releaseId);
      rmSync(rejectedDirectory, { recursive: true });
    }),
    { seed: chooseSeed(20_261_129), numRuns: countCases(200, 0.1) },
  );
});

test('rows that are rejected a second time have only their new reasons', async () => {
  const service = nextService();
  const rejectedDirectory = join(service.folder, 'rejected');
  const spoiled = withRows(allocationsSubmission, RIGHTS, [
    ...getRows(allocationsSubmission, RIGHTS),
    { ...right, AllocationNativeID: '7', MethodUUID: BAD_METHOD },
  ]);
  const path = join(rejectedDirectory, 'waterallocations.rejected.csv');
  await service.load(spoiled, { rejectedDirectory, rejectedShareLimit: 1 });
  const first = readFileSync(path, 'utf8');
  await loadRawFiles(service, {}, { ...MERGE, [RIGHTS]: first }, { rejectedDirectory, rejectedShareLimit: 1 });
  expect(readFileSync(path, 'utf8')).toBe(first);
});
