// Adds rows to a release in batches, and waits for the store after each batch, so that a slow store does not fill the
// memory.

import { type ReleaseWriter } from '../../shared/store/port';

/** Waits for the store after this number of bytes. */
const BATCH_BYTES = 512 * 1024;

/** `add` writes a row and returns its number of bytes. */
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
