// The documents of a release: their families, their distribution over containers and partitions, and their maximum
// sizes. docs/cosmos.md describes them for people who use the portal.

import { type BlobFamily, FRAGMENT_FAMILIES, type TextFamily } from '../port';
import type { ContainerName } from './connect';

/** A partition of a container. */
export interface Partition {
  readonly container: ContainerName;
  readonly partition: string;
}

/** Every document has these; `partition` is the partition key of each container (containers.json). */
export interface CosmosDocument {
  readonly id: string;
  readonly partition: string;
}

/** The kinds of documents that a release consists of. Documents of each kind are numbered from zero. */
export const FAMILIES = [...FRAGMENT_FAMILIES, 'terms', 'pieces'] as const;

export type Family = (typeof FAMILIES)[number];

/** People read records and lookups, too. All other families are derived from them, or are the source rows. */
export type IndexFamily = Exclude<Family, TextFamily>;

export function isDataFamily(family: Family): family is TextFamily {
  return family === 'records' || family === 'lookups';
}

export type DocumentCounts = Readonly<Record<Family, number>>;

/**
 * The number of documents in one partition. A partition then has about 1 GB (a logical partition may have 20 GB):
 * documents of records and lookups have 16 KB, of geometries and terms 8 KB, of places and names about 40 KB, and of
 * pieces 128 KB. With documents of maximum size, a partition would have 13 GB.
 */
const PARTITION_DOCUMENTS: Readonly<Record<Family, number>> = {
  records: 50_000,
  lookups: 50_000,
  geometries: 100_000,
  places: 20_000,
  names: 20_000,
  terms: 100_000,
  pieces: 8_000,
};

/**
 * The bytes of a document of records or lookups, including what the service adds. Larger documents make neighboring
 * records cheaper to read and scattered ones more expensive (docs/cosmos-cost.md).
 */
export const DATA_DOCUMENT_BYTES = 16_384;

/** `_rid`, `_self`, `_etag`, `_attachments` and `_ts`, which the service adds to each document. */
export const SERVICE_BYTES = 180;

/** A larger record or lookup is stored in pieces, which only this program reads. */
export const MAX_OBJECT_BYTES = 262_144;

/** A fragment of the index that is larger than this in base64 is stored in pieces. */
export const MAX_FRAGMENT_BYTES = 65_536;

/** The bytes of a piece before base64, which turns them into 128 KB. Reading a piece costs 12.5 request units. */
export const PIECE_BYTES = 98_304;

/** The service limits a request to 100 operations and 2 MB. The names around the documents take some of the 2 MB. */
export const BATCH_WRITES = 100;
export const BATCH_WRITE_BYTES = 1_500_000;

/**
 * The location of content in pieces: the number of its first piece, its stored length in bytes, and whether it is
 * compressed with zstd.
 */
export type ContentReference = readonly [piece: number, bytes: number, isCompressed: 0 | 1];

/** Stores content in pieces. */
export type AddContent = (content: Uint8Array) => ContentReference;

/** The names of a release's partitions begin with `prefix`. */
export function getPartition(prefix: string, family: Family, number: number): Partition {
  const container: ContainerName = isDataFamily(family) ? 'data' : 'index';
  return { container, partition: `${prefix}/${family}/${Math.floor(number / PARTITION_DOCUMENTS[family])}` };
}

/** Lists the partitions of a release, each with the numbers of its documents: `from` up to before `to`. */
export function* listPartitions(
  prefix: string,
  documents: DocumentCounts,
): Iterable<{ readonly place: Partition; readonly from: number; readonly to: number }> {
  for (const family of FAMILIES) {
    const count = documents[family];
    const size = PARTITION_DOCUMENTS[family];
    for (let from = 0; from < count; from += size) {
      yield { place: getPartition(prefix, family, from), from, to: Math.min(count, from + size) };
    }
  }
}

/**
 * Returns the size that the service counts for a document, or for a value inside it: the bytes of the JSON text in
 * UTF-8.
 */
export function countJsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Names of contents of a release: the list of its source files, and the directories of its families. */
export const SOURCE_LIST = 'sources';

/** The directory contains, for each document of the family, the number of its texts and their total bytes. */
export function getTextDirectoryName(family: TextFamily): string {
  return `${family}.documents`;
}

/** The directory contains, for each document of the family, the number of its fragments. */
export function getBlobDirectoryName(family: BlobFamily): string {
  return `${family}.documents`;
}
