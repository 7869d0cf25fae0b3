// The index of a release, with its columns, as searches read it: from the store once, then from memory while there is
// room.

import type { Vocabulary } from '../../query/text-filters';
import type { NumberColumn } from '../../records/data-sets';
import type { LookupKind } from '../../records/lookups';
import { type ArtifactName, chunkName, type OrdinalColumn } from '../../store/artifacts';
import type { CatalogEntry } from '../../store/catalog-types';
import { FORMAT_VERSION, ReleaseGoneError, type ReleaseReader, type Store, UnknownFormatError } from '../../store/port';
import type { NarrowNumbers } from '../../values/bytes/sections';
import { numberAt } from '../../values/numbers';
import {
  type ColumnDirectory,
  type Ordinals,
  type PeriodColumn,
  type PlaceColumns,
  readNumbers,
  readOrdinals,
  readPeriodColumn,
  readPlaceColumns,
} from './column-format';
import {
  chunkOfHash,
  hashOfDigest,
  type KeyHashes,
  type PlaceHashes,
  readKeyHashes,
  readPlaceHashes,
  recordsOfDigest,
} from './hashes';
import { type OwnerIndex, readOwnerIndex } from './owner-index';
import {
  type PlaceChunk,
  type PlaceCodes,
  placeCodes,
  readPlaceChunk,
  readPlaceIndex,
  type VisitPlaces,
  visitRuns,
} from './place-index';
import { type PlaceSeries, readPlaceRecords, readPlaceSeries } from './place-series';
import { NO_RECORDS, readRecordSet, type RecordSet } from './record-set';
import type { CachePart, SearchCaches } from './search-caches';

/** Throws ReleaseGoneError when the release is no longer held, UnknownFormatError when another program wrote it. */
export async function openEntry(store: Store, { releaseId }: Pick<CatalogEntry, 'releaseId'>): Promise<ReleaseReader> {
  const reader = await store.openRelease(releaseId);
  if (reader === undefined) throw new ReleaseGoneError();
  // Another version of the program can publish while this one runs.
  if (reader.facts.formatVersion !== FORMAT_VERSION) throw new UnknownFormatError(releaseId);
  return reader;
}

/** The posting lists of groups of alternative terms, read together; a term that the release lacks has no records. */
export async function postingsOf(
  reader: ReleaseReader,
  terms: readonly (readonly string[])[],
  caches: SearchCaches,
): Promise<readonly (readonly RecordSet[])[]> {
  const keyOf = (term: string): string => `${reader.facts.releaseId}/${term}`;
  const unknown = [...new Set(terms.flat())].filter((term) => caches.records.get(keyOf(term)) === undefined);
  const contents = unknown.length === 0 ? [] : await reader.postings(unknown);
  const read = new Map<string, RecordSet>();
  unknown.forEach((term, index) => {
    const content = contents[index];
    const set = content === undefined ? NO_RECORDS : readRecordSet(content);
    read.set(term, set);
    caches.records.set(keyOf(term), set, set.byteLength);
  });
  const setOf = (term: string): RecordSet => read.get(term) ?? caches.records.get(keyOf(term)) ?? NO_RECORDS;
  return terms.map((alternatives) => alternatives.map(setOf));
}

export type TimeColumn = Extract<ArtifactName, 'periods' | 'publications'>;

export function periodColumnOf(reader: ReleaseReader, name: TimeColumn, caches: SearchCaches): Promise<PeriodColumn> {
  return cachedArtifact(reader, name, caches.periods, (content) => ({
    value: readPeriodColumn(content),
    bytes: content.byteLength,
  }));
}

/** The boxes of the chunks of places. */
export function placesOf(reader: ReleaseReader, caches: SearchCaches): Promise<Float64Array> {
  return cachedArtifact(reader, 'places', caches.places, (content) => ({
    value: readPlaceIndex(content),
    bytes: content.byteLength,
  }));
}

/** What the objects of a chunk take beside its bytes, about. */
const CHUNK_OBJECT_BYTES = 1_000;

/** `numbers` are ascending. Chunks that are not in memory are read together. */
export async function placeChunksOf(
  reader: ReleaseReader,
  numbers: readonly number[],
  { placeChunks }: SearchCaches,
): Promise<readonly PlaceChunk[]> {
  const keyOf = (number: number): string => `${reader.facts.releaseId}/${number}`;
  const known = numbers.map((number) => placeChunks.get(keyOf(number)));
  const missing = numbers.filter((_, index) => known[index] === undefined);
  const contents = missing.length === 0 ? [] : await reader.blobs('places', Uint32Array.from(missing));
  let next = 0;
  return known.map((chunk, index) => {
    if (chunk !== undefined) return chunk;
    const content = contents[next++];
    if (content === undefined) throw new Error('a release without a chunk of its places');
    const read = readPlaceChunk(content);
    placeChunks.set(keyOf(numberAt(numbers, index)), read, read.byteLength + CHUNK_OBJECT_BYTES);
    return read;
  });
}

/** Only releases of rights have owners. */
export function ownersOf(reader: ReleaseReader, caches: SearchCaches): Promise<OwnerIndex> {
  return cachedArtifact(reader, 'owners', caches.owners, (content) => {
    const value = readOwnerIndex(content);
    return { value, bytes: content.byteLength + 2 * value.text.length + value.ends.byteLength };
  });
}

/** The numbers of the lookups of a kind; `end` is excluded. */
export function lookupRange({ facts }: ReleaseReader, wanted: LookupKind): readonly [first: number, end: number] {
  let first = 0;
  for (const { kind, count } of facts.lookups) {
    if (kind === wanted) return [first, first + count];
    first += count;
  }
  return [0, 0];
}

/** A parsed text takes about so many times its bytes in memory. */
export const MEMORY_PER_BYTE = 4;

export function vocabularyOf(reader: ReleaseReader, caches: SearchCaches): Promise<Vocabulary> {
  return cachedArtifact(reader, 'vocabulary', caches.vocabularies, (content) => ({
    value: JSON.parse(Buffer.from(content).toString()) as Vocabulary, // Written by PostingLists of the loader.
    bytes: content.byteLength * MEMORY_PER_BYTE,
  }));
}

/** An artifact that every release has, as `read` makes it of the bytes, with the memory that it takes. */
export async function cachedArtifact<Value>(
  reader: ReleaseReader,
  name: ArtifactName,
  cache: CachePart<Value>,
  read: (content: Uint8Array) => { readonly value: Value; readonly bytes: number },
): Promise<Value> {
  const key = `${reader.facts.releaseId}/${name}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const content = await reader.artifact(name);
  if (content === undefined) throw new Error(`a release without ${name}`);
  const { value, bytes } = read(content);
  cache.set(key, value, bytes);
  return value;
}

export function columnDirectoryOf(reader: ReleaseReader, caches: SearchCaches): Promise<ColumnDirectory> {
  return cachedArtifact(reader, 'columns', caches.directories, (content) => ({
    value: JSON.parse(Buffer.from(content).toString()) as ColumnDirectory, // Written by RecordColumns of the loader.
    bytes: content.byteLength * MEMORY_PER_BYTE,
  }));
}

export function numberChunkOf(
  reader: ReleaseReader,
  column: NumberColumn,
  chunk: number,
  caches: SearchCaches,
): Promise<Float64Array> {
  return cachedArtifact(reader, chunkName(column, chunk), caches.numbers, (content) => ({
    value: readNumbers(content),
    bytes: content.byteLength,
  }));
}

export function ordinalChunkOf(
  reader: ReleaseReader,
  column: OrdinalColumn,
  chunk: number,
  caches: SearchCaches,
): Promise<Ordinals> {
  return cachedArtifact(reader, chunkName(column, chunk), caches.ordinals, (content) => ({
    value: readOrdinals(content),
    bytes: content.byteLength,
  }));
}

export async function placeColumnsOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceColumns> {
  const { placeFields } = await columnDirectoryOf(reader, caches);
  return cachedArtifact(reader, 'placeColumns', caches.placeColumns, (content) => {
    const value = readPlaceColumns(content, placeFields);
    return { value, bytes: value.byteLength };
  });
}

/** The identifiers of places, by rank. */
export function placeNamesOf(reader: ReleaseReader, caches: SearchCaches): Promise<readonly string[]> {
  return cachedArtifact(reader, 'placeNames', caches.placeNames, (content) => ({
    value: JSON.parse(Buffer.from(content).toString()) as readonly string[], // Written by PlaceColumnsWriter.
    bytes: content.byteLength * MEMORY_PER_BYTE,
  }));
}

/** How many records refer to each place, by rank. */
export function placeRecordsOf(reader: ReleaseReader, caches: SearchCaches): Promise<NarrowNumbers> {
  return cachedArtifact(reader, 'placeRecords', caches.placeRecords, (content) => ({
    value: readPlaceRecords(content),
    bytes: content.byteLength,
  }));
}

/** Only releases of amounts have series. */
export function placeSeriesOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceSeries> {
  return cachedArtifact(reader, 'placeSeries', caches.placeSeries, (content) => {
    const value = readPlaceSeries(content);
    return { value, bytes: value.byteLength };
  });
}

export function placeHashesOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceHashes> {
  return cachedArtifact(reader, 'placeHashes', caches.placeHashes, (content) => ({
    value: readPlaceHashes(content),
    bytes: content.byteLength,
  }));
}

export async function placeCodesOf(reader: ReleaseReader, caches: SearchCaches): Promise<PlaceCodes> {
  const key = reader.facts.releaseId;
  const known = caches.placeCodes.get(key);
  if (known !== undefined) return known;
  const numbers = Array.from({ length: (await placesOf(reader, caches)).length / 4 }, (_, number) => number);
  const chunks = await placeChunksOf(reader, numbers, caches);
  const visitPlaces: VisitPlaces = (visit) => {
    for (const chunk of chunks) {
      chunk.ranks.forEach((rank, place) => {
        visitRuns(chunk, place, (first, last) => {
          visit(rank, first, last);
        });
      });
    }
  };
  const places = chunks.reduce((sum, { ranks }) => sum + ranks.length, 0);
  const codes = placeCodes(visitPlaces, places, reader.facts.records);
  caches.placeCodes.set(key, codes, codes.byteLength);
  return codes;
}

/** The records of a release of amounts that may have a key with the digest (D48), ascending: one chunk is read. */
export async function recordsWithDigest(
  reader: ReleaseReader,
  digest: string,
  caches: SearchCaches,
): Promise<Uint32Array> {
  const { records } = reader.facts;
  if (records === 0) return new Uint32Array();
  const chunk = chunkName('keyHashes', chunkOfHash(hashOfDigest(digest), records));
  const hashes = await cachedArtifact(reader, chunk, caches.partOf<KeyHashes>('keyHashes'), (content) => ({
    value: readKeyHashes(content),
    bytes: content.byteLength,
  }));
  return Uint32Array.from(recordsOfDigest(hashes, digest));
}
