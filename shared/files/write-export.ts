// An export (D46): all records that a query finds, in one file, made with bounded memory. The query was searched for
// before; what was found is read, ordered and written here, mostly in a thread of its own.

import type { ExportFormat, Order } from '../query/paging-and-format';
import type { DataSetKind } from '../records/data-sets';
import { AllRecords, ListedRecords } from '../search/index/record-set';
import { orderedRecords } from '../search/order-records';
import { openEntry } from '../search/index/release-index';
import { createSearchCaches } from '../search/index/search-caches';
import { patiently } from '../store/deadline';
import type { ReleaseReader, Store } from '../store/port';
import { recordStretches, type ExportedRecords } from './read-records';
import { recordsFiles, type FileMetadata, type Sink } from './records-files';

/** Plain data, which can go to a thread. */
export interface ExportJob {
  readonly format: ExportFormat;
  readonly dataSet: DataSetKind;
  /** Undefined for the order of D17. */
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

/** A column that records are ordered by is read once, and is in memory only while one release is ordered. */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Resolves when the file is whole. Throws as reading the releases does. */
export async function writeExport(job: ExportJob, store: Store, sink: Sink): Promise<void> {
  const { format, dataSet, order, releases, metadata } = job;
  const file = recordsFiles[format](dataSet, metadata, sink);
  // Most of it is sent already, so rather waits for a store in trouble than breaks off.
  await patiently(async () => {
    for await (const stretch of recordStretches(exportedRecords(releases, order, store))) await file.add(stretch);
  });
  await file.finish();
}

async function* exportedRecords(
  releases: ExportJob['releases'],
  order: Order | undefined,
  store: Store,
): AsyncIterable<ExportedRecords> {
  for (const { releaseId, numbers } of releases) {
    const reader = await openEntry(store, { releaseId });
    yield { reader, numbers: order === undefined ? numbers : await inOrder(reader, numbers, order) };
  }
}

function inOrder(reader: ReleaseReader, numbers: Uint32Array | undefined, order: Order): Promise<Uint32Array> {
  const found = numbers === undefined ? new AllRecords(reader.facts.records) : new ListedRecords(numbers);
  const searched = { reader, caches: createSearchCaches(CACHE_BYTES) };
  return orderedRecords(searched, found, order, { from: 0, to: found.size });
}
