// Rows go to the record builder in batches that neither many nor long rows make too large.

import { RecordBatches } from '../../data-loaders/build/record-batches';
import { builderInput, lookupsAt, stagedAmount } from '../fixtures/builder-input';

const lookups = lookupsAt('S1');
const row = stagedAmount('S1', 1);

/** How many rows with source texts like this one fill a batch. */
function rowsInBatch(source: string): number {
  const batches = new RecordBatches<number>(builderInput, 1_000, {
    record: () => undefined,
    sourcePiece: () => undefined,
  });
  let rows = 0;
  while (!batches.isBatchFull) {
    batches.add(row, source, lookups, rows);
    rows++;
  }
  return rows;
}

test('a batch of usual rows has 250', () => {
  expect(rowsInBatch('S1,V1,1')).toBe(250);
});

test('a batch of long rows has few, since texts of some hundred megabytes cannot be joined', () => {
  expect(rowsInBatch('x'.repeat(300_000))).toBe(4);
  expect(rowsInBatch('x'.repeat(16_000_000))).toBe(1);
});

test('records of long rows come back in their order, one batch after the other', async () => {
  const seen: string[] = [];
  const batches = new RecordBatches<number>(builderInput, 1_000, {
    record: ({ json }, number) => seen.push(`${number} ${Buffer.from(json).toString().includes('"S1"')}`),
    sourcePiece: () => undefined,
  });
  for (let number = 0; number < 7; number++) {
    batches.add(row, 'x'.repeat(number % 2 === 0 ? 5_000_000 : 10), lookups, number);
    if (batches.isBatchFull) await batches.send();
  }
  await batches.finish(() => new Uint8Array());
  await batches.close();
  expect(seen).toEqual(Array.from({ length: 7 }, (_, number) => `${number} true`));
});
