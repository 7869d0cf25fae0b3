// The documents of the container: how they are named, how they are spread over partitions, how large they may be.
// docs/cosmos.md describes them for a person in the portal.

/** Every document has these; `partition` is the container's partition key (container.json). */
export interface CosmosDocument {
  readonly id: string;
  readonly partition: string;
}

/** What a release is made of, in documents that are numbered from zero. */
export const FAMILIES = ['records', 'lookups', 'geometries', 'terms', 'pieces'] as const;

export type Family = (typeof FAMILIES)[number];

/**
 * A part of a release stays near 1 GB (a logical partition may have 20 GB): documents of records are 3 KB, those of lookups,
 * geometries and terms 8 KB, pieces 128 KB. Were every document as large as it may be (INLINE_BYTES), a part would have 17 GB.
 */
const PART_DOCUMENTS: Readonly<Record<Family, number>> = {
  records: 250_000,
  lookups: 100_000,
  geometries: 100_000,
  terms: 100_000,
  pieces: 8_000,
};

/** What is larger than this stands in pieces; see BATCH_READS. */
export const INLINE_BYTES = 65_536;

/** Before base64, which makes 128 KB of them. Each is read by 12.5 request units. */
export const PIECE_BYTES = 98_304;

/** Documents read by one request: their answer stays under 4 MB even when all are as large as they may be. */
export const BATCH_READS: Readonly<Record<Family, number>> = {
  records: 40,
  lookups: 40,
  geometries: 40,
  terms: 40,
  pieces: 24,
};

/** The service's own bounds of a request are 100 operations and 2 MB; the names around the documents need some of it. */
export const BATCH_WRITES = 100;
export const BATCH_WRITE_BYTES = 1_500_000;

/** Where content lies that has documents of its own: the number of its first piece, its bytes there, whether they are zstd. */
export type ContentReference = readonly [piece: number, bytes: number, isCompressed: 0 | 1];

export function partitionOf(prefix: string, family: Family, number: number): string {
  return `${prefix}/${family}/${Math.floor(number / PART_DOCUMENTS[family])}`;
}

/** The parts of a family with so many documents: each partition with its first document's number and the number after its last. */
export function* partsOf(
  prefix: string,
  family: Family,
  documents: number,
): Iterable<{ readonly partition: string; readonly from: number; readonly to: number }> {
  const size = PART_DOCUMENTS[family];
  for (let from = 0; from < documents; from += size) {
    yield { partition: partitionOf(prefix, family, from), from, to: Math.min(documents, from + size) };
  }
}

/** As the service would count it: the JSON text in UTF-8. */
export function documentBytes(document: unknown): number {
  return document === undefined ? 0 : Buffer.byteLength(JSON.stringify(document));
}
