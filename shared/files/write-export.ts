// An export (D46): all records of a query in one file, written with bounded memory. The query has already been
// evaluated; the records are read, ordered and written here.

import type { ExportFormat } from '../query/format-parameters';
import type { Order } from '../query/order-parameter';
import type { DataSetKind } from '../records/data-sets';
import { openEntry } from '../search/index/open-release';
import { AllRecords, ListedRecords } from '../search/index/record-set';
import { createSearchCaches } from '../search/index/search-caches';
import { orderReleases } from '../search/order-releases';
import { withPatience } from '../store/deadline';
import type { Store } from '../store/port';
import { readOrderedRecords } from './read-ordered-records';
import { readRecordChunks, type RecordChunk } from './read-records';
import type { FileMetadata } from './records-file';
import { recordsFiles } from './records-files';
import type { Sink } from './sinks';

/** Plain data, so that it can be sent to a thread. */
export interface ExportJob {
  readonly format: ExportFormat;
  readonly dataSet: DataSetKind;
  /** Undefined means the default order (D17). */
  readonly order: Order | undefined;
  /** In the order of D17. */
  readonly releases: readonly ExportedRelease[];
  readonly metadata: FileMetadata;
}

export interface ExportedRelease {
  readonly releaseId: string;
  /** Ascending; undefined for all records. */
  readonly numbers: Uint32Array | undefined;
}

/** The sort columns are read once and stay in memory only while one release is sorted. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Resolves when the file is complete. Rethrows errors of reading the releases. */
export async function writeExport(job: ExportJob, store: Store, sink: Sink): Promise<void> {
  const { format, dataSet, metadata } = job;
  const file = recordsFiles[format](dataSet, metadata, sink);
  // Part of the file has already been sent, so waiting for a slow store is better than aborting.
  await withPatience(async () => {
    for await (const chunks of readExportedRecords(job, store)) await file.add(chunks);
  });
  await file.finish();
}

async function* readExportedRecords(
  { order, releases }: ExportJob,
  store: Store,
): AsyncIterable<readonly RecordChunk[]> {
  if (order !== undefined) {
    yield* readInOrder(releases, order, store);
    return;
  }
  for (const { releaseId, numbers } of releases) {
    const reader = await openEntry(store, { releaseId });
    for await (const chunk of readRecordChunks(reader, numbers)) yield [chunk];
  }
}

/** Reads the records of all releases, sorted together (D69). */
async function* readInOrder(
  releases: readonly ExportedRelease[],
  order: Order,
  store: Store,
): AsyncIterable<readonly RecordChunk[]> {
  const readers = await Promise.all(releases.map(({ releaseId }) => openEntry(store, { releaseId })));
  const matches = readers.map((reader, index) => {
    const numbers = releases[index]?.numbers;
    return numbers === undefined ? new AllRecords(reader.facts.records) : new ListedRecords(numbers);
  });
  const caches = createSearchCaches(CACHE_BYTES);
  const ranks = { from: 0, to: matches.reduce((sum, { size }) => sum + size, 0) };
  const searchable = readers.map((reader) => ({ reader, caches }));
  yield* readOrderedRecords(readers, await orderReleases(searchable, matches, order, ranks));
}
