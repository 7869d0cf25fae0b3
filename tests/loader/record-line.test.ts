// Rows go to the maker in batches that neither many nor long rows make too large.

import { RecordLine } from '../../data-loaders/build/record-line';
import type { RepeatedLookups } from '../../data-loaders/build/records/repeated-lookups';
import { madeVariable, makerInput, stagedAmount } from '../fixtures/maker-input';

const lookups: RepeatedLookups = { places: [{ id: 'S1' }], variable: madeVariable, waterSource: undefined };
const row = stagedAmount('S1', 1);

/** How many rows, of so long sources, there are in a batch. */
function rowsInBatch(source: string): number {
  const line = RecordLine.start<number>(makerInput, 1_000, {
    record: () => undefined,
    sourcePiece: () => undefined,
  });
  let rows = 0;
  while (!line.isBatchFull) {
    line.add(row, source, lookups, rows);
    rows++;
  }
  return rows;
}

test('a batch of usual rows has 250', () => {
  expect(rowsInBatch('S1,V1,1')).toBe(250);
});

test('a batch of long rows has few: texts of some hundred megabytes cannot be joined', () => {
  expect(rowsInBatch('x'.repeat(300_000))).toBe(4);
  expect(rowsInBatch('x'.repeat(16_000_000))).toBe(1);
});

test('records of long rows come in their order, one batch after the other', async () => {
  const seen: string[] = [];
  const line = RecordLine.start<number>(makerInput, 1_000, {
    record: ({ json }, ahead) => seen.push(`${ahead} ${Buffer.from(json).toString().includes('"S1"')}`),
    sourcePiece: () => undefined,
  });
  for (let number = 0; number < 7; number++) {
    line.add(row, 'x'.repeat(number % 2 === 0 ? 5_000_000 : 10), lookups, number);
    if (line.isBatchFull) await line.pass();
  }
  await line.finish(() => new Uint8Array());
  await line.close();
  expect(seen).toEqual(Array.from({ length: 7 }, (_, number) => `${number} true`));
});
