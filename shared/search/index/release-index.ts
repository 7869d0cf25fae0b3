// The index of a release, with its columns, as searches read it: from the store once, then from memory while there is
// room.
//
// The values of filter fields by the codes of columns: which column tells them, and what its codes stand for.

import type { Vocabulary } from '../../query/vocabulary';
import { type FilterField, isPlaceIdentifier } from '../../query/filter-fields';
import { dataSetLayouts, type Item, type NumberColumn, type PlaceKind } from '../../records/data-sets';
import type { LookupKind } from '../../records/lookups';
import { type ArtifactName, CHUNK_RECORDS, buildChunkName, type OrdinalColumn } from '../../store/artifacts';
import type { CatalogEntry } from '../../store/catalog-types';
import {
  FORMAT_VERSION,
  parseItems,
  ReleaseGoneError,
  type ReleaseReader,
  type Store,
  UnknownFormatError,
} from '../../store/port';
import type { NarrowNumbers } from '../../values/bytes/sections';
import { numberAt } from '../../values/numbers';
import {
  type ColumnDirectory,
  type PeriodColumn,
  type PlaceColumns,
  readNumbers,
  readOrdinals,
  readPeriodColumn,
  readPlaceColumns,
} from './column-format';
import { findHashChunk, hashDigest, findNumbersWithHash } from './hashes';
import { type NameDirectory, readNameDirectory } from './name-index';
import { type OwnerIndex, readOwnerIndex } from './owner-index';
import { type PlaceChunk, type PlaceCodes, buildPlaceCodes, readPlaceChunk } from './place-index';
import { type PlaceSeries, readPlaceRecordCounts, readPlaceSeries } from './place-series';
import { NO_RECORDS, readRecordSet, type RecordSet } from './record-set';
import { getByteLength, type SearchableRelease } from './search-caches';

/** Throws ReleaseGoneError when the release is no longer held, UnknownFormatError when another program wrote it. */
export async function openEntry(store: Store, { releaseId }: Pick<CatalogEntry, 'releaseId'>): Promise<ReleaseReader> {
  const reader = await store.openRelease(releaseId);
  if (reader === undefined) throw new ReleaseGoneError();
  // Another version of the program can publish while this one runs.
  if (reader.facts.formatVersion !== FORMAT_VERSION) throw new UnknownFormatError(releaseId);
  return reader;
}

/** The posting lists of groups of alternative terms, read together; a term that the release lacks has no records. */
export async function loadPostings(
  { reader, caches }: SearchableRelease,
  terms: readonly (readonly string[])[],
): Promise<readonly (readonly RecordSet[])[]> {
  const distinct = [...new Set(terms.flat())];
  const sets = await caches.getCache<RecordSet>('records').getOrComputeAll(
    distinct.map((term) => `${reader.facts.releaseId}/${term}`),
    async (missing) => {
      const contents = await reader.postings(missing.map((at) => distinct[at] ?? ''));
      return contents.map((content) => (content === undefined ? NO_RECORDS : readRecordSet(content)));
    },
    getByteLength,
  );
  const setOf = new Map(distinct.map((term, at) => [term, sets[at]]));
  return terms.map((alternatives) => alternatives.map((term) => setOf.get(term) ?? NO_RECORDS));
}

export type PeriodColumnName = Extract<ArtifactName, 'periods' | 'publications'>;

export function loadPeriodColumn(searched: SearchableRelease, name: PeriodColumnName): Promise<PeriodColumn> {
  return loadArtifact(searched, name, readPeriodColumn);
}

/** The boxes of the chunks of places, four numbers each; Infinity to -Infinity for places that lie nowhere. */
export function loadPlaceChunkBoxes(searched: SearchableRelease): Promise<Float64Array> {
  return loadArtifact(searched, 'places', readNumbers);
}

/** What the objects of a chunk take beside its bytes, about. */
const CHUNK_OBJECT_BYTES = 1_000;

/** `numbers` are ascending. Chunks that are not in memory are read together. */
export async function loadPlaceChunks(
  { reader, caches }: SearchableRelease,
  numbers: readonly number[],
): Promise<readonly PlaceChunk[]> {
  return caches.getCache<PlaceChunk>('placeChunks').getOrComputeAll(
    numbers.map((number) => `${reader.facts.releaseId}/${number}`),
    async (missing) => {
      const contents = await reader.blobs(
        'places',
        Uint32Array.from(missing, (at) => numberAt(numbers, at)),
      );
      return contents.map(readPlaceChunk);
    },
    ({ byteLength }) => byteLength + CHUNK_OBJECT_BYTES,
  );
}

export function loadNameDirectory(searched: SearchableRelease): Promise<NameDirectory> {
  return loadArtifact(searched, 'names', readNameDirectory, 2);
}

/** Only releases of rights have owners. */
export function loadOwnerIndex(searched: SearchableRelease): Promise<OwnerIndex> {
  return loadArtifact(searched, 'owners', readOwnerIndex, MEMORY_PER_BYTE);
}

/** The numbers of the lookups of a kind; `end` is excluded. */
export function getLookupRange({ facts }: ReleaseReader, wanted: LookupKind): readonly [first: number, end: number] {
  let first = 0;
  for (const { kind, count } of facts.lookups) {
    if (kind === wanted) return [first, first + count];
    first += count;
  }
  return [0, 0];
}

/** The lookups of a kind with these numbers within the kind, in the order of the numbers. */
export async function readLookups(
  reader: ReleaseReader,
  kind: LookupKind,
  numbers: Iterable<number>,
): Promise<readonly Item[]> {
  const [first] = getLookupRange(reader, kind);
  return parseItems(await reader.texts('lookups', Uint32Array.from(numbers, (number) => first + number).sort()));
}

/** The lookups that are the places of a release: their numbers within the kind are the ranks of the places. */
export function getPlaceKind({ facts }: ReleaseReader): PlaceKind {
  return dataSetLayouts[facts.dataSet].placeKind;
}

/** How many places a release has: numbers of things from there on are those of rights. */
export function countPlaces({ reader }: Pick<SearchableRelease, 'reader'>): number {
  const [first, end] = getLookupRange(reader, getPlaceKind(reader));
  return end - first;
}

/** A text takes about so many times its bytes in memory once it is parsed. */
const MEMORY_PER_BYTE = 4;

export function loadVocabulary(searched: SearchableRelease): Promise<Vocabulary> {
  return loadJsonArtifact(searched, 'vocabulary'); // Written by PostingLists of the loader.
}

/** An artifact that every release has, as `read` makes it of the bytes. */
export async function loadArtifact<Value>(
  { reader, caches }: SearchableRelease,
  name: ArtifactName,
  read: (content: Uint8Array) => Value,
  memoryPerByte = 1,
): Promise<Value> {
  const { value } = await caches.getCache<{ readonly value: Value; readonly bytes: number }>('artifacts').getOrCompute(
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

function loadJsonArtifact<Value>(searched: SearchableRelease, name: ArtifactName): Promise<Value> {
  const read = (content: Uint8Array): Value => JSON.parse(Buffer.from(content).toString()) as Value; // Callers know.
  return loadArtifact(searched, name, read, MEMORY_PER_BYTE);
}

export function loadColumnDirectory(searched: SearchableRelease): Promise<ColumnDirectory> {
  return loadJsonArtifact(searched, 'columns'); // Written by RecordColumns of the loader.
}

export function loadNumberChunk(
  searched: SearchableRelease,
  column: NumberColumn,
  chunk: number,
): Promise<Float64Array> {
  return loadArtifact(searched, buildChunkName(column, chunk), readNumbers);
}

export function loadOrdinalChunk(
  searched: SearchableRelease,
  column: OrdinalColumn,
  chunk: number,
): Promise<NarrowNumbers> {
  return loadArtifact(searched, buildChunkName(column, chunk), readOrdinals);
}

export async function loadPlaceColumns(searched: SearchableRelease): Promise<PlaceColumns> {
  const { placeFields } = await loadColumnDirectory(searched);
  return loadArtifact(searched, 'placeColumns', (content) => readPlaceColumns(content, placeFields));
}

/** The identifiers of places, by rank. */
export function loadPlaceIdentifiers(searched: SearchableRelease): Promise<readonly string[]> {
  return loadJsonArtifact(searched, 'placeNames'); // Written by PlaceColumnsWriter of the loader.
}

/** How many records refer to each place, by rank. */
export function loadPlaceRecordCounts(searched: SearchableRelease): Promise<NarrowNumbers> {
  return loadArtifact(searched, 'placeRecords', readPlaceRecordCounts);
}

/** Only releases of amounts have series. */
export function loadPlaceSeries(searched: SearchableRelease): Promise<PlaceSeries> {
  // Its ends are sums, which take more bytes than the counts that they are made of.
  return loadArtifact(searched, 'placeSeries', readPlaceSeries, 2);
}

export function loadPlaceHashes(searched: SearchableRelease): Promise<Float64Array> {
  return loadArtifact(searched, 'placeHashes', readNumbers);
}

export async function loadPlaceCodes(searched: SearchableRelease): Promise<PlaceCodes> {
  const { reader, caches } = searched;
  const make = async (): Promise<PlaceCodes> => {
    const numbers = Array.from({ length: (await loadPlaceChunkBoxes(searched)).length / 4 }, (_, number) => number);
    return buildPlaceCodes(await loadPlaceChunks(searched, numbers), reader.facts.records);
  };
  return caches.getCache<PlaceCodes>('placeCodes').getOrCompute(reader.facts.releaseId, make, getByteLength);
}

/** The records of a release of amounts that may have a key with the digest (D48), ascending: one chunk is read. */
export async function findRecordsWithDigest(searched: SearchableRelease, digest: string): Promise<Uint32Array> {
  const { records } = searched.reader.facts;
  if (records === 0) return new Uint32Array();
  const hash = hashDigest(digest);
  const chunk = buildChunkName('keyHashes', findHashChunk(hash, records));
  return Uint32Array.from(findNumbersWithHash(await loadArtifact(searched, chunk, readNumbers), hash));
}

/** The columns that have a code for each record. */
export type CodeColumn = OrdinalColumn | 'place' | 'period';

export interface FieldCodes {
  readonly column: CodeColumn;
  /** By code the ordinal of the one value that it stands for; 0 for none. */
  readonly ordinals: ArrayLike<number>;
  /** The codes after these stand for several items, such as places or uses. */
  readonly lists: readonly (readonly number[])[];
  /** By item its ordinal. A release of rights has a million items in its lists, so lists of ordinals are not made. */
  readonly itemOrdinals: ArrayLike<number>;
}

/** The values of a field in the order of their ordinals, which begin at 1; each in the spelling that came first. */
export async function loadFieldValues(field: FilterField, searched: SearchableRelease): Promise<readonly string[]> {
  if (isPlaceIdentifier(field)) return loadPlaceIdentifiers(searched);
  return ((await loadVocabulary(searched))[field] ?? []).map(([value]) => value);
}

/** The column whose codes give the values of a field. */
export async function loadFieldCodes(field: FilterField, searched: SearchableRelease): Promise<FieldCodes> {
  const directory = await loadColumnDirectory(searched);
  const { variable, use, source, rowTerms } = directory.values;
  const ofUse = use[field];
  if (ofUse !== undefined) {
    return { column: 'useSet', ordinals: [], lists: directory.useSets, itemOrdinals: ofUse };
  }
  if (isPlaceIdentifier(field) || directory.placeFields.includes(field)) {
    const { placeCount: places, sets } = await loadPlaceCodes(searched);
    const ofRanks = isPlaceIdentifier(field)
      ? Uint32Array.from({ length: places }, (_, rank) => rank + 1)
      : ((await loadPlaceColumns(searched)).values[field] ?? new Uint8Array());
    const ordinals = new Uint32Array(1 + ofRanks.length);
    ordinals.set(ofRanks, 1);
    return { column: 'place', ordinals, lists: sets, itemOrdinals: ofRanks };
  }
  const ofVariable = variable[field];
  if (ofVariable !== undefined) return { column: 'variable', ordinals: ofVariable, ...NO_LISTS };
  const ofSource = source[field];
  if (ofSource !== undefined) return { column: 'source', ordinals: [0, ...ofSource], ...NO_LISTS };
  return { column: 'rowTerms', ordinals: rowTerms[field] ?? [], ...NO_LISTS };
}

/** Calls `visit` with each code and the ordinal of each item that it stands for; 0 for none. */
export function visitOrdinals(
  { ordinals, lists, itemOrdinals: itemOrdinals }: FieldCodes,
  visit: (code: number, ordinal: number) => void,
): void {
  for (let code = 0; code < ordinals.length; code++) visit(code, ordinals[code] ?? 0);
  lists.forEach((list, index) => {
    for (const item of list) visit(ordinals.length + index, itemOrdinals[item] ?? 0);
  });
}

const NO_LISTS = { lists: [], itemOrdinals: [] } as const;

/** The codes of the records of a chunk. */
export async function loadCodeChunk(
  searched: SearchableRelease,
  column: CodeColumn,
  chunk: number,
): Promise<NarrowNumbers> {
  const first = chunk * CHUNK_RECORDS;
  switch (column) {
    case 'place':
      return (await loadPlaceCodes(searched)).codes.subarray(first, first + CHUNK_RECORDS);
    case 'period':
      return (await loadPeriodColumn(searched, 'periods')).codes.subarray(first, first + CHUNK_RECORDS);
    case 'variable':
    case 'method':
    case 'source':
    case 'useSet':
    case 'reportYear':
    case 'rowTerms':
      return loadOrdinalChunk(searched, column, chunk);
  }
}
