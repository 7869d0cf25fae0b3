// Reads the index and the columns of a release: from the store the first time, then from memory as long as they are
// cached.

import type { Vocabulary } from '../../query/vocabulary';
import type { NumberColumn } from '../../records/data-sets';
import { type ArtifactName, buildChunkName, type OrdinalColumn } from '../../store/artifacts';
import type { NarrowNumbers } from '../../values/bytes/sections';
import { numberAt } from '../../values/number-arrays';
import { type ColumnDirectory, type PlaceColumns, readNumbers, readOrdinals, readPlaceColumns } from './column-format';
import { findNumbersWithHash } from './hash-entries';
import { findHashChunk, hashDigest } from './key-hashes';
import { type NameDirectory, readNameDirectory } from './name-directory';
import { type OwnerIndex, readOwnerIndex } from './owner-index';
import { type PeriodColumn, readPeriodColumn } from './period-column';
import { type PlaceChunk, readPlaceChunk } from './place-chunk';
import { buildPlaceCodes, type PlaceCodes } from './place-codes';
import { type PlaceSeries, readPlaceRecordCounts, readPlaceSeries } from './place-series';
import { NO_RECORDS, readRecordSet, type RecordSet } from './record-set';
import { getByteLength, type SearchableRelease } from './search-caches';

export type PeriodColumnName = Extract<ArtifactName, 'periods' | 'publications'>;

/** Memory of a parsed text, relative to its bytes. */
const MEMORY_PER_BYTE = 4;

/** Approximate memory of the objects of a chunk besides its bytes. */
const CHUNK_OBJECT_BYTES = 1_000;

/**
 * Loads the posting lists of groups of alternative terms. Lists that are not in memory are read together. A term that
 * is not in the release has no records.
 */
export async function loadPostings(
  { reader, caches }: SearchableRelease,
  termGroups: readonly (readonly string[])[],
): Promise<readonly (readonly RecordSet[])[]> {
  const terms = [...new Set(termGroups.flat())];
  const sets = await caches.getCache<RecordSet>('records').getOrComputeAll(
    terms.map((term) => `${reader.facts.releaseId}/${term}`),
    async (missing) => {
      const contents = await reader.postings(missing.map((index) => terms[index] ?? ''));
      return contents.map((content) => (content === undefined ? NO_RECORDS : readRecordSet(content)));
    },
    getByteLength,
  );
  const setByTerm = new Map(terms.map((term, index) => [term, sets[index]]));
  return termGroups.map((alternatives) => alternatives.map((term) => setByTerm.get(term) ?? NO_RECORDS));
}

/** Loads an artifact that every release has, decoded by `read`. */
export async function loadArtifact<Value>(
  { reader, caches }: SearchableRelease,
  name: ArtifactName,
  read: (content: Uint8Array) => Value,
  memoryPerByte = 1,
): Promise<Value> {
  const cache = caches.getCache<{ readonly value: Value; readonly bytes: number }>('artifacts');
  const { value } = await cache.getOrCompute(
    `${reader.facts.releaseId}/${name}`,
    async () => {
      const content = await reader.artifact(name);
      if (content === undefined) throw new Error(`a release without ${name}`);
      return { value: read(content), bytes: content.byteLength * memoryPerByte };
    },
    ({ bytes }) => bytes,
  );
  return value;
}

function loadJsonArtifact<Value>(release: SearchableRelease, name: ArtifactName): Promise<Value> {
  // `Value` is the type that the loader wrote.
  const read = (content: Uint8Array): Value => JSON.parse(Buffer.from(content).toString()) as Value;
  return loadArtifact(release, name, read, MEMORY_PER_BYTE);
}

export function loadVocabulary(release: SearchableRelease): Promise<Vocabulary> {
  return loadJsonArtifact(release, 'vocabulary'); // Written by PostingLists of the loader.
}

export function loadColumnDirectory(release: SearchableRelease): Promise<ColumnDirectory> {
  return loadJsonArtifact(release, 'columns'); // Written by RecordColumns of the loader.
}

export function loadNumberChunk(
  release: SearchableRelease,
  column: NumberColumn,
  chunk: number,
): Promise<Float64Array> {
  return loadArtifact(release, buildChunkName(column, chunk), readNumbers);
}

export function loadOrdinalChunk(
  release: SearchableRelease,
  column: OrdinalColumn,
  chunk: number,
): Promise<NarrowNumbers> {
  return loadArtifact(release, buildChunkName(column, chunk), readOrdinals);
}

export function loadPeriodColumn(release: SearchableRelease, name: PeriodColumnName): Promise<PeriodColumn> {
  return loadArtifact(release, name, readPeriodColumn);
}

export function loadNameDirectory(release: SearchableRelease): Promise<NameDirectory> {
  return loadArtifact(release, 'names', readNameDirectory, 2);
}

/** Only releases of rights have owners. */
export function loadOwnerIndex(release: SearchableRelease): Promise<OwnerIndex> {
  return loadArtifact(release, 'owners', readOwnerIndex, MEMORY_PER_BYTE);
}

/** Loads the boxes of the chunks of places, four numbers each; Infinity to -Infinity for places without a location. */
export function loadPlaceChunkBoxes(release: SearchableRelease): Promise<Float64Array> {
  return loadArtifact(release, 'places', readNumbers);
}

/** `numbers` are ascending. Chunks that are not in memory are read together. */
export async function loadPlaceChunks(
  { reader, caches }: SearchableRelease,
  numbers: readonly number[],
): Promise<readonly PlaceChunk[]> {
  return caches.getCache<PlaceChunk>('placeChunks').getOrComputeAll(
    numbers.map((number) => `${reader.facts.releaseId}/${number}`),
    async (missing) => {
      const missingNumbers = Uint32Array.from(missing, (index) => numberAt(numbers, index));
      const contents = await reader.blobs('places', missingNumbers);
      return contents.map(readPlaceChunk);
    },
    ({ byteLength }) => byteLength + CHUNK_OBJECT_BYTES,
  );
}

export async function loadPlaceColumns(release: SearchableRelease): Promise<PlaceColumns> {
  const { placeFields } = await loadColumnDirectory(release);
  return loadArtifact(release, 'placeColumns', (content) => readPlaceColumns(content, placeFields));
}

/** Loads the identifiers of the places, keyed by rank. */
export function loadPlaceIdentifiers(release: SearchableRelease): Promise<readonly string[]> {
  return loadJsonArtifact(release, 'placeNames'); // Written by PlaceColumnsWriter of the loader.
}

/** Loads the number of records that refer to each place, keyed by rank. */
export function loadPlaceRecordCounts(release: SearchableRelease): Promise<NarrowNumbers> {
  return loadArtifact(release, 'placeRecords', readPlaceRecordCounts);
}

/** Only releases of amounts have series. */
export function loadPlaceSeries(release: SearchableRelease): Promise<PlaceSeries> {
  // The running sums take more bytes than the counts from which they are computed.
  return loadArtifact(release, 'placeSeries', readPlaceSeries, 2);
}

export function loadPlaceHashes(release: SearchableRelease): Promise<Float64Array> {
  return loadArtifact(release, 'placeHashes', readNumbers);
}

export async function loadPlaceCodes(release: SearchableRelease): Promise<PlaceCodes> {
  const { reader, caches } = release;
  const build = async (): Promise<PlaceCodes> => {
    const chunkCount = (await loadPlaceChunkBoxes(release)).length / 4;
    const numbers = Array.from({ length: chunkCount }, (_, number) => number);
    return buildPlaceCodes(await loadPlaceChunks(release, numbers), reader.facts.records);
  };
  return caches.getCache<PlaceCodes>('placeCodes').getOrCompute(reader.facts.releaseId, build, getByteLength);
}

/**
 * Finds the records of a release of amounts whose keys may have the digest (D48), ascending. Only one chunk of hashes
 * is read.
 */
export async function findRecordsWithDigest(release: SearchableRelease, digest: string): Promise<Uint32Array> {
  const { records } = release.reader.facts;
  if (records === 0) return new Uint32Array();
  const hash = hashDigest(digest);
  const chunk = buildChunkName('keyHashes', findHashChunk(hash, records));
  return Uint32Array.from(findNumbersWithHash(await loadArtifact(release, chunk, readNumbers), hash));
}
