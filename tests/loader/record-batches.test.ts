// Rows go to the record builder in batches that neither many nor long rows make too large.

import { inBatches, PendingBatches } from '../../data-loaders/build/builder-thread';

function rowsInBatches(rows: number, bytes: number, sourceBytes = 0): readonly number[] {
  const staged = Array.from({ length: rows }, () => ({ row: Buffer.alloc(bytes), source: Buffer.alloc(sourceBytes) }));
  return Array.from(inBatches(staged), (batch) => batch.rows.length);
}

test('a batch of usual rows has 250, and the last one what is left', () => {
  expect(rowsInBatches(600, 400)).toEqual([250, 250, 100]);
  expect(rowsInBatches(0, 400)).toEqual([]);
});

test('a batch of long rows has few, since texts of some hundred megabytes cannot be joined', () => {
  expect(rowsInBatches(9, 300_000)).toEqual([4, 4, 1]);
  expect(rowsInBatches(2, 16_000_000)).toEqual([1, 1]);
  expect(rowsInBatches(9, 10, 300_000)).toEqual([4, 4, 1]);
});

test('batches are taken in their order, at most two behind, and none beside a long one', async () => {
  const pending = new PendingBatches();
  const taken: number[] = [];
  const send = async (batch: number, bytes: number): Promise<readonly number[]> => {
    pending.add(Promise.resolve(batch), (built) => taken.push(built));
    await pending.settle(bytes);
    return [...taken];
  };
  expect([await send(0, 10), await send(1, 10), await send(2, 10)]).toEqual([[], [], [0]]);
  expect(await send(3, 5_000_000)).toEqual([0, 1, 2, 3]);
  await send(4, 10);
  await pending.finish();
  expect(taken).toEqual([0, 1, 2, 3, 4]);
});

test('a batch that fails fails where it is taken, and those behind it are not taken', async () => {
  const pending = new PendingBatches();
  const taken: number[] = [];
  pending.add(Promise.reject<number>(new Error('the thread has ended')), (built) => taken.push(built));
  pending.add(Promise.reject<number>(new Error('later')), (built) => taken.push(built));
  await expect(pending.finish()).rejects.toThrow('the thread has ended');
  expect(taken).toEqual([]);
});
