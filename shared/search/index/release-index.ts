// The index of a release, with its columns, as searches read it: from the store once, then from memory while there is
// room.
//
// The values of filter fields by the codes of columns: which column tells them, and what its codes stand for.

import { type FilterField, isPlaceIdentifier, type Vocabulary } from '../../query/text-filters';
import { dataSetLayouts, type Item, type NumberColumn, type PlaceKind } from '../../records/data-sets';
import type { LookupKind } from '../../records/lookups';
import { type ArtifactName, CHUNK_RECORDS, chunkName, type OrdinalColumn } from '../../store/artifacts';
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
import { chunkOfHash, hashOfDigest, numbersOfHash } from './hashes';
import { type NameDirectory, readNameDirectory } from './name-index';
import { type OwnerIndex, readOwnerIndex } from './owner-index';
import { type PlaceChunk, type PlaceCodes, placeCodes, readPlaceChunk } from './place-index';
import { type PlaceSeries, readPlaceRecords, readPlaceSeries } from './place-series';
import { NO_RECORDS, readRecordSet, type RecordSet } from './record-set';
import { byteLengthOf, type Searched } from './search-caches';

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
  { reader, caches }: Searched,
  terms: readonly (readonly string[])[],
): Promise<readonly (readonly RecordSet[])[]> {
  const distinct = [...new Set(terms.flat())];
  const sets = await caches.partOf<RecordSet>('records').rememberAll(
    distinct.map((term) => `${reader.facts.releaseId}/${term}`),
    async (missing) => {
      const contents = await reader.postings(missing.map((at) => distinct[at] ?? ''));
      return contents.map((content) => (content === undefined ? NO_RECORDS : readRecordSet(content)));
    },
    byteLengthOf,
  );
  const setOf = new Map(distinct.map((term, at) => [term, sets[at]]));
  return terms.map((alternatives) => alternatives.map((term) => setOf.get(term) ?? NO_RECORDS));
}

export type TimeColumn = Extract<ArtifactName, 'periods' | 'publications'>;

export function periodColumnOf(searched: Searched, name: TimeColumn): Promise<PeriodColumn> {
  return cachedArtifact(searched, name, readPeriodColumn);
}

/** The boxes of the chunks of places, four numbers each; Infinity to -Infinity for places that lie nowhere. */
export function placesOf(searched: Searched): Promise<Float64Array> {
  return cachedArtifact(searched, 'places', readNumbers);
}

/** What the objects of a chunk take beside its bytes, about. */
const CHUNK_OBJECT_BYTES = 1_000;

/** `numbers` are ascending. Chunks that are not in memory are read together. */
export async function placeChunksOf(
  { reader, caches }: Searched,
  numbers: readonly number[],
): Promise<readonly PlaceChunk[]> {
  return caches.partOf<PlaceChunk>('placeChunks').rememberAll(
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

export function nameDirectoryOf(searched: Searched): Promise<NameDirectory> {
  return cachedArtifact(searched, 'names', readNameDirectory, 2);
}

/** Only releases of rights have owners. */
export function ownersOf(searched: Searched): Promise<OwnerIndex> {
  return cachedArtifact(searched, 'owners', readOwnerIndex, MEMORY_PER_BYTE);
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

/** The lookups of a kind with these numbers within the kind, in the order of the numbers. */
export async function lookupsAt(
  reader: ReleaseReader,
  kind: LookupKind,
  numbers: Iterable<number>,
): Promise<readonly Item[]> {
  const [first] = lookupRange(reader, kind);
  return parseItems(await reader.texts('lookups', Uint32Array.from(numbers, (number) => first + number).sort()));
}

/** The lookups that are the places of a release: their numbers within the kind are the ranks of the places. */
export function placeKindOf({ facts }: ReleaseReader): PlaceKind {
  return dataSetLayouts[facts.dataSet].placeKind;
}

/** How many places a release has: numbers of things from there on are those of rights. */
export function placesOfRelease({ reader }: Pick<Searched, 'reader'>): number {
  const [first, end] = lookupRange(reader, placeKindOf(reader));
  return end - first;
}

/** A text takes about so many times its bytes in memory once it is parsed. */
const MEMORY_PER_BYTE = 4;

export function vocabularyOf(searched: Searched): Promise<Vocabulary> {
  return cachedJson(searched, 'vocabulary'); // Written by PostingLists of the loader.
}

/** An artifact that every release has, as `read` makes it of the bytes. */
export async function cachedArtifact<Value>(
  { reader, caches }: Searched,
  name: ArtifactName,
  read: (content: Uint8Array) => Value,
  memoryPerByte = 1,
): Promise<Value> {
  const { value } = await caches.partOf<{ readonly value: Value; readonly bytes: number }>('artifacts').remember(
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

function cachedJson<Value>(searched: Searched, name: ArtifactName): Promise<Value> {
  const read = (content: Uint8Array): Value => JSON.parse(Buffer.from(content).toString()) as Value; // Callers know.
  return cachedArtifact(searched, name, read, MEMORY_PER_BYTE);
}

export function columnDirectoryOf(searched: Searched): Promise<ColumnDirectory> {
  return cachedJson(searched, 'columns'); // Written by RecordColumns of the loader.
}

export function numberChunkOf(searched: Searched, column: NumberColumn, chunk: number): Promise<Float64Array> {
  return cachedArtifact(searched, chunkName(column, chunk), readNumbers);
}

export function ordinalChunkOf(searched: Searched, column: OrdinalColumn, chunk: number): Promise<NarrowNumbers> {
  return cachedArtifact(searched, chunkName(column, chunk), readOrdinals);
}

export async function placeColumnsOf(searched: Searched): Promise<PlaceColumns> {
  const { placeFields } = await columnDirectoryOf(searched);
  return cachedArtifact(searched, 'placeColumns', (content) => readPlaceColumns(content, placeFields));
}

/** The identifiers of places, by rank. */
export function placeNamesOf(searched: Searched): Promise<readonly string[]> {
  return cachedJson(searched, 'placeNames'); // Written by PlaceColumnsWriter of the loader.
}

/** How many records refer to each place, by rank. */
export function placeRecordsOf(searched: Searched): Promise<NarrowNumbers> {
  return cachedArtifact(searched, 'placeRecords', readPlaceRecords);
}

/** Only releases of amounts have series. */
export function placeSeriesOf(searched: Searched): Promise<PlaceSeries> {
  // Its ends are sums, which take more bytes than the counts that they are made of.
  return cachedArtifact(searched, 'placeSeries', readPlaceSeries, 2);
}

export function placeHashesOf(searched: Searched): Promise<Float64Array> {
  return cachedArtifact(searched, 'placeHashes', readNumbers);
}

export async function placeCodesOf(searched: Searched): Promise<PlaceCodes> {
  const { reader, caches } = searched;
  const make = async (): Promise<PlaceCodes> => {
    const numbers = Array.from({ length: (await placesOf(searched)).length / 4 }, (_, number) => number);
    return placeCodes(await placeChunksOf(searched, numbers), reader.facts.records);
  };
  return caches.partOf<PlaceCodes>('placeCodes').remember(reader.facts.releaseId, make, byteLengthOf);
}

/** The records of a release of amounts that may have a key with the digest (D48), ascending: one chunk is read. */
export async function recordsWithDigest(searched: Searched, digest: string): Promise<Uint32Array> {
  const { records } = searched.reader.facts;
  if (records === 0) return new Uint32Array();
  const hash = hashOfDigest(digest);
  const chunk = chunkName('keyHashes', chunkOfHash(hash, records));
  return Uint32Array.from(numbersOfHash(await cachedArtifact(searched, chunk, readNumbers), hash));
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
  readonly ordinalsOfItems: ArrayLike<number>;
}

/** The values of a field in the order of their ordinals, which begin at 1; each in the spelling that came first. */
export async function valuesOfField(field: FilterField, searched: Searched): Promise<readonly string[]> {
  if (isPlaceIdentifier(field)) return placeNamesOf(searched);
  return ((await vocabularyOf(searched))[field] ?? []).map(([value]) => value);
}

/** The column whose codes give the values of a field. */
export async function codesOfField(field: FilterField, searched: Searched): Promise<FieldCodes> {
  const directory = await columnDirectoryOf(searched);
  const { variable, use, source, rowTerms } = directory.values;
  const ofUse = use[field];
  if (ofUse !== undefined) {
    return { column: 'useSet', ordinals: [], lists: directory.useSets, ordinalsOfItems: ofUse };
  }
  if (isPlaceIdentifier(field) || directory.placeFields.includes(field)) {
    const { places, sets } = await placeCodesOf(searched);
    const ofRanks = isPlaceIdentifier(field)
      ? Uint32Array.from({ length: places }, (_, rank) => rank + 1)
      : ((await placeColumnsOf(searched)).values[field] ?? new Uint8Array());
    const ordinals = new Uint32Array(1 + ofRanks.length);
    ordinals.set(ofRanks, 1);
    return { column: 'place', ordinals, lists: sets, ordinalsOfItems: ofRanks };
  }
  const ofVariable = variable[field];
  if (ofVariable !== undefined) return { column: 'variable', ordinals: ofVariable, ...NO_LISTS };
  const ofSource = source[field];
  if (ofSource !== undefined) return { column: 'source', ordinals: [0, ...ofSource], ...NO_LISTS };
  return { column: 'rowTerms', ordinals: rowTerms[field] ?? [], ...NO_LISTS };
}

/** Calls `visit` with each code and the ordinal of each item that it stands for; 0 for none. */
export function visitOrdinals(
  { ordinals, lists, ordinalsOfItems }: FieldCodes,
  visit: (code: number, ordinal: number) => void,
): void {
  for (let code = 0; code < ordinals.length; code++) visit(code, ordinals[code] ?? 0);
  lists.forEach((list, index) => {
    for (const item of list) visit(ordinals.length + index, ordinalsOfItems[item] ?? 0);
  });
}

const NO_LISTS = { lists: [], ordinalsOfItems: [] } as const;

/** The codes of the records of a chunk. */
export async function chunkOfCodes(searched: Searched, column: CodeColumn, chunk: number): Promise<NarrowNumbers> {
  const first = chunk * CHUNK_RECORDS;
  switch (column) {
    case 'place':
      return (await placeCodesOf(searched)).codes.subarray(first, first + CHUNK_RECORDS);
    case 'period':
      return (await periodColumnOf(searched, 'periods')).codes.subarray(first, first + CHUNK_RECORDS);
    case 'variable':
    case 'method':
    case 'source':
    case 'useSet':
    case 'reportYear':
    case 'rowTerms':
      return ordinalChunkOf(searched, column, chunk);
  }
}
