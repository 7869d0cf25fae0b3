// Rows go to the record builder in batches that neither many nor long rows make too large.

import { startBuilder } from '../../data-loaders/build/pending-batches';
import { RecordBatches } from '../../data-loaders/build/record-batches';
import { builderInput, lookups, siteBatch, stagedAmount } from '../fixtures/builder-input';
import { temporaryFolder } from '../fixtures/temporary-folder';

const builder = startBuilder({ ...builderInput, folder: temporaryFolder() }, 1_000);
const ignored = { combinations: () => undefined };

afterAll(() => builder.close());

/** The row, made longer by white space. */
function rowOf(bytes: number): Buffer {
  return Buffer.concat([stagedAmount('S1', 1), Buffer.alloc(bytes, ' ')]);
}

/** How many rows with so much white space fill a batch. */
function rowsInBatch(bytes: number): number {
  const batches = new RecordBatches<number>(builder, { record: () => undefined, ...ignored });
  let rows = 0;
  while (!batches.isBatchFull) {
    batches.add({ row: rowOf(bytes), lookups, places: [0] }, rows);
    rows++;
  }
  return rows;
}

test('a batch of usual rows has 250', () => {
  expect(rowsInBatch(0)).toBe(250);
});

test('a batch of long rows has few, since texts of some hundred megabytes cannot be joined', () => {
  expect(rowsInBatch(300_000)).toBe(4);
  expect(rowsInBatch(16_000_000)).toBe(1);
});

test('records of long rows come back in their order, one batch after the other', async () => {
  const seen: string[] = [];
  const batches = new RecordBatches<number>(builder, {
    record: ({ json }, number) => seen.push(`${number} ${Buffer.from(json).toString().includes('Stream of S1')}`),
    ...ignored,
  });
  await builder.buildPlaces(siteBatch(['S1']));
  for (let number = 0; number < 7; number++) {
    batches.add({ row: rowOf(number % 2 === 0 ? 5_000_000 : 10), lookups, places: [0] }, number);
    if (batches.isBatchFull) await batches.send();
  }
  await batches.finish(() => new Uint8Array());
  expect(seen).toEqual(Array.from({ length: 7 }, (_, number) => `${number} true`));
});
