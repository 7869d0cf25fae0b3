// Adds rows to a release in batches and waits for the store between them, so that a slow store does not fill the
// memory.

import { type ReleaseWriter } from '../../shared/store/port';

/** The number of bytes after which the store is awaited. */
const BATCH_BYTES = 512 * 1024;

/** `add` writes a row and returns the number of its bytes. */
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
