// The documents of the container: their names, how they are spread over partitions, and how large they may be.
// docs/cosmos.md describes them for a person in the portal.

import { hash } from 'node:crypto';
import type { ReleaseFacts } from '../port';

/** Every document has these; `partition` is the container's partition key (container.json). */
export interface CosmosDocument {
  readonly id: string;
  readonly partition: string;
}

/** The kinds of documents that a release consists of; those of each kind are numbered from zero. */
export const FAMILIES = ['records', 'lookups', 'geometries', 'places', 'terms', 'pieces'] as const;

export type Family = (typeof FAMILIES)[number];

/**
 * How many documents one partition gets. A partition then holds about 1 GB (a logical partition may have 20 GB):
 * documents of records have 3 KB, those of lookups, geometries and terms 8 KB, of places some 40 KB, pieces 128 KB.
 * Were every document as large as it may be (INLINE_BYTES), a partition would hold 17 GB.
 */
const PARTITION_DOCUMENTS: Readonly<Record<Family, number>> = {
  records: 250_000,
  lookups: 100_000,
  geometries: 100_000,
  places: 20_000,
  terms: 100_000,
  pieces: 8_000,
};

/** Larger content stands in pieces; see `batchReads`. */
export const INLINE_BYTES = 65_536;

/** Before base64, which makes 128 KB of them. Reading a piece costs 12.5 request units. */
export const PIECE_BYTES = 98_304;

/** Documents read by one request: the answer stays under 4 MB even when all are as large as they may be. */
export function batchReads(family: Family): number {
  return family === 'pieces' ? 24 : 40;
}

/** The service bounds a request to 100 operations and 2 MB; the names around the documents need some of it. */
export const BATCH_WRITES = 100;
export const BATCH_WRITE_BYTES = 1_500_000;

/** Where content in pieces lies: the number of its first piece, its bytes there, and whether these are zstd. */
export type ContentReference = readonly [piece: number, bytes: number, isCompressed: 0 | 1];

/** A document of the family `pieces`. */
export interface PieceContent {
  /** Base64. */
  readonly content: string;
}

/** The names of a release's partitions begin with `prefix`. */
export function partitionOf(prefix: string, family: Family, number: number): string {
  return `${prefix}/${family}/${Math.floor(number / PARTITION_DOCUMENTS[family])}`;
}

/** The partitions of so many documents, each with the numbers of its own: `from` up to before `to`. */
export function* partitionsOf(
  prefix: string,
  family: Family,
  documents: number,
): Iterable<{ readonly partition: string; readonly from: number; readonly to: number }> {
  const size = PARTITION_DOCUMENTS[family];
  for (let from = 0; from < documents; from += size) {
    yield { partition: partitionOf(prefix, family, from), from, to: Math.min(documents, from + size) };
  }
}

/** The bytes that the service counts: those of the JSON text in UTF-8. */
export function documentBytes(document: unknown): number {
  return document === undefined ? 0 : Buffer.byteLength(JSON.stringify(document));
}

/** All runs of records of a release are written against it. */
export interface RecordShape {
  /** The names of the members, in the order of the answer. */
  readonly members: readonly string[];
  /** The first record of the release without its nulls. */
  readonly base: Readonly<Record<string, unknown>>;
}

/** The partition of the registry: which releases exist and where their documents lie. */
export const REGISTRY = 'releases';

export type DocumentCounts = Readonly<Record<Family, number>>;

/** A process that needs a release for a state to come. */
export interface Lease {
  /** Identifies the process. */
  readonly holder: string;
  /** ISO 8601, UTC. A lease that is not renewed until then is over. */
  readonly until: string;
}

/** A readable release. Its id is the release's. */
export interface ReleaseDocument extends CosmosDocument {
  readonly kind: 'release';
  /** The names of the partitions of its documents begin with it. */
  readonly prefix: string;
  readonly facts: ReleaseFacts;
  readonly documents: DocumentCounts;
  readonly shape: RecordShape;
  /** Where its artifacts and directories lie. */
  readonly contents: Readonly<Record<string, ContentReference>>;
  readonly holders: readonly Lease[];
}

/** Documents under a prefix that no release names: they are being written or deleted, or were left behind. */
export interface UnfinishedDocument extends CosmosDocument, Lease {
  readonly kind: 'unfinished';
  readonly prefix: string;
  readonly documents: DocumentCounts;
}

/** The name, among the contents of a release, of the list of its source files. */
export const SOURCE_LIST = 'sources';

export interface ListedFile {
  readonly name: string;
  readonly pieces: readonly ContentReference[];
}

/** The names, among the contents of a release, of the first numbers of a family's runs, and of its texts' lengths. */
export function directoryOf(family: Family): string {
  return `${family}.firsts`;
}

export function lengthsOf(family: MeasuredFamily): string {
  return `${family}.lengths`;
}

/** The families whose texts go into answers, which are bounded by bytes (ADR 0054). */
export type MeasuredFamily = 'records' | 'lookups';

/**
 * Small posting lists share documents. A term's hash says which bucket it is in, so that a million terms are ten
 * thousand documents and a term is found by one read, without a directory.
 */
export interface TermBucket {
  readonly terms: readonly TermEntry[];
}

export interface TermEntry {
  readonly term: string;
  /** Base64 of a serialized record set, or where a large one lies. */
  readonly list: string | ContentReference;
  /** Where the text of a term lies that is stored by its digest. */
  readonly text?: ContentReference;
}

/** A longer term, such as a site whose identifier is a page of text, is stored by its digest. */
const LONGEST_TERM = 256;

/** A term as it stands in the documents. */
export function storedTerm(term: string): string {
  return term.length <= LONGEST_TERM ? term : `sha256 ${hash('sha256', term)}`;
}

/** An unsigned number of 32 bits that spreads stored terms evenly over buckets. */
export function termHash(stored: string): number {
  return hash('sha256', stored, 'buffer').readUInt32BE(0);
}

/** The number of the bucket of a term with this hash, of as many as the release has. */
export function bucketOf(termHashValue: number, buckets: number): number {
  return Math.floor((termHashValue * buckets) / 0x100000000);
}
