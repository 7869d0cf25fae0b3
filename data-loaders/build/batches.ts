// Adds rows to a release in batches, so that a slower store does not fill the memory.

import { type ReleaseWriter } from '../../shared/store/port';

/** The number of bytes added before the store is waited for. */
const BATCH_BYTES = 512 * 1024;

/** `add` returns the number of bytes that it wrote for a row. */
export async function addInBatches<Row>(
  rows: Iterable<Row>,
  writer: Pick<ReleaseWriter, 'drain'>,
  add: (row: Row) => number,
): Promise<void> {
  let bytes = 0;
  for (const row of rows) {
    bytes += add(row);
    if (bytes < BATCH_BYTES) continue;
    await writer.drain();
    bytes = 0;
  }
}
