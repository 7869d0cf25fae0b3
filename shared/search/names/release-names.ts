// The places and rights of one release whose names or identifiers have the words of a query (D60), by its index of
// names. Only what is shown is read of a release, and of the index only the blocks of the words.

import { organizationUuid, termFilter } from '../../query/filters';
import { filterTerm } from '../../query/text-filters';
import { isOneOf, type Condition } from '../../query/condition';
import { dataSetLayouts, type DataSetKind } from '../../records/data-sets';
import { NO_COUNTS, type RecordsCounts } from '../../records/found';
import type { Item } from '../../records/record-references';
import { listText } from '../../store/fragments';
import type { JoinedFragments, ReleaseReader } from '../../store/port';
import { numberAt } from '../../values/numbers';
import { stateCodeOf } from '../../values/states';
import { compareUtf8 } from '../../values/text';
import { firstPosition, NAMES_OF_BLOCK, rankAt } from '../index/name-index';
import { namedThingsOf, thingsWithWords, type NamedThings, type WordSets } from '../index/name-words';
import { lookupRange, nameBlocksOf, placeRecordsOf, postingsOf } from '../index/release-index';
import { byteLengthOf, type SearchCaches, type Searched } from '../index/search-caches';
import { evaluatePlaces } from '../places/evaluate-places';
import { isSharedSite, sharedPlacesOf, sitesBefore } from '../places/plan-places';
import type { ReadRelease } from '../plan-page';
import {
  foundItem,
  isIn,
  isInOrder,
  itemsInOrder,
  MATCH,
  type FoundNames,
  type Match,
  type Named,
  type NameQuery,
  type RankedItem,
} from './ranked';

/** A release with the one of the same organization whose sites are found together with its own (D42). */
export interface NamedRelease {
  readonly release: ReadRelease;
  readonly other: ReadRelease | undefined;
}

interface NameSearch extends NamedThings, NamedRelease {
  readonly query: NameQuery;
}

export async function findInRelease(named: NamedRelease, query: NameQuery, caches: SearchCaches): Promise<FoundNames> {
  const { reader } = named.release;
  const search = { ...named, ...(await namedThingsOf({ reader, caches })), query };
  const { all, inNames, whole } = await thingsWithWords(search, query.words);
  const recordsOf = await recordsOfThings(search);
  const things = all.numbers().filter((thing) => recordsOf(thing) > 0);
  const ordered = thingsInOrder(search, recordsOf, await matchesOf(search, things, { inNames, whole }));
  return { total: things.length, ranked: itemsInOrder(ordered, (batch) => readThings(search, recordsOf, batch)) };
}

/** How many records a thing has that is found in this release; 0 for others. */
async function recordsOfThings(search: NameSearch): Promise<(thing: number) => number> {
  const { reader, rights, directory, query } = search;
  const { dataSet, organization } = reader.facts;
  const { kinds } = query;
  const areRightsFound = kinds.has('Right') && isIn(query, organization.OrganizationState);
  const arePlacesFound = kinds.has(dataSet === 'AggregatedAmounts' ? 'ReportingUnit' : 'Site');
  const records = arePlacesFound ? await recordsOfPlaces(search) : new Uint32Array(directory.ranks.length);
  return (thing) =>
    thing < rights
      ? Number(areRightsFound) * (directory.sharedByRights.get(thing) ?? 1)
      : numberAt(records, rankAt(directory, thing - rights));
}

/** By rank; 0 for a site that is found in the amounts, to which no record refers, or that lies in another state. */
async function recordsOfPlaces({ reader, release, other, caches, query, directory }: NameSearch): Promise<Uint32Array> {
  const { states } = query;
  const make = async (): Promise<Uint32Array> => {
    const condition: Condition = states.length === 0 ? { kind: 'all', of: [] } : isOneOf('placeState', states);
    const counts = await placeRecordsOf(reader, caches);
    const records = new Uint32Array(counts.length);
    for (const rank of await evaluatePlaces(condition, release, caches)) {
      records[rank] = directory.sharedByPlaces.get(rank) ?? numberAt(counts, rank);
    }
    if (other === undefined) return records;
    const isOfRights = reader.facts.dataSet === 'WaterAllocations';
    const [amounts, rights] = isOfRights ? [other.reader, reader] : [reader, other.reader];
    const shared = await sharedPlacesOf(amounts, rights, caches);
    const inRights = await placeRecordsOf(rights, caches);
    for (let rank = 0; rank < shared.length; rank++) {
      if (!isSharedSite(shared, rank)) continue;
      const inAmounts = sitesBefore(shared, rank);
      if (isOfRights) records[rank] = 0;
      else if (records[inAmounts] !== 0) records[inAmounts] = numberAt(records, inAmounts) + numberAt(inRights, rank);
    }
    return records;
  };
  const key = `${reader.facts.releaseId} ${other?.reader.facts.releaseId ?? ''} ${states.join(' ')}`;
  return caches.partOf<Uint32Array>('namedPlaces').remember(key, make, byteLengthOf);
}

/** The things of each match, ascending. Several words may stand in any order in those that are `inOrder`. */
type MatchedThings = Readonly<Record<Match, number[]>>;

async function matchesOf(
  search: NameSearch,
  things: Uint32Array,
  { inNames, whole }: Pick<WordSets, 'inNames' | 'whole'>,
): Promise<MatchedThings> {
  const { query, directory, rights } = search;
  const text = query.words.join(' ');
  const positionOf = (isMet: (folded: string) => boolean): Promise<number> =>
    firstPosition(directory, isMet, async (number) => blockOf(search, number));
  const isBehind = (folded: string): boolean => compareUtf8(folded, text) > 0;
  const beginning = rights + (await positionOf((folded) => compareUtf8(folded, text) >= 0));
  const equalEnd = rights + (await positionOf(isBehind));
  const end = rights + (await positionOf((folded) => isBehind(folded) && !folded.startsWith(text)));
  const isWhole = new Set(whole.numbers());
  const named = inNames.numbers();
  const byMatch: MatchedThings = { 0: [], 1: [], 2: [], 3: [], 4: [] };
  let next = 0;
  for (const thing of things) {
    while (next < named.length && numberAt(named, next) < thing) next++;
    if (isWhole.has(thing)) byMatch[MATCH.identifier].push(thing);
    else if (thing >= beginning && thing < equalEnd) byMatch[MATCH.name].push(thing);
    else if (thing >= equalEnd && thing < end) byMatch[MATCH.beginning].push(thing);
    else byMatch[named[next] === thing ? MATCH.inOrder : MATCH.anyOrder].push(thing);
  }
  return byMatch;
}

async function blockOf({ reader, caches }: Searched, number: number) {
  const [block] = await nameBlocksOf(reader, [number], caches);
  if (block === undefined) throw new Error(`names have no block ${number}`);
  return block;
}

type RecordsOf = (thing: number) => number;

interface MatchedThing {
  readonly thing: number;
  readonly match: Match;
}

async function* thingsInOrder(
  search: NameSearch,
  recordsOf: RecordsOf,
  byMatch: MatchedThings,
): AsyncIterable<MatchedThing> {
  const { rights, query } = search;
  const inOrder = (things: readonly number[]): Iterable<number> => byRecords(things, recordsOf, rights);
  for (const match of [MATCH.identifier, MATCH.name, MATCH.beginning]) {
    for (const thing of inOrder(byMatch[match])) yield { thing, match };
  }
  const unordered: number[] = [];
  for (const thing of inOrder(byMatch[MATCH.inOrder])) {
    const position = thing - rights;
    const block = query.words.length === 1 ? undefined : await blockOf(search, Math.floor(position / NAMES_OF_BLOCK));
    const words = block?.folded[position % NAMES_OF_BLOCK]?.split(' ');
    if (words === undefined || isInOrder(query.words, words)) yield { thing, match: MATCH.inOrder };
    else unordered.push(thing);
  }
  for (const thing of inOrder([...byMatch[MATCH.anyOrder], ...unordered].sort((a, b) => a - b)))
    yield { thing, match: MATCH.anyOrder };
}

/** Those with more records first, then places before rights, each in their order: few numbers of records are many. */
function* byRecords(things: readonly number[], recordsOf: RecordsOf, rights: number): Iterable<number> {
  const groups = new Map<number, { readonly places: number[]; readonly rights: number[] }>();
  for (const thing of things) {
    const records = recordsOf(thing);
    let group = groups.get(records);
    if (group === undefined) groups.set(records, (group = { places: [], rights: [] }));
    (thing < rights ? group.rights : group.places).push(thing);
  }
  for (const [, group] of [...groups].sort(([a], [b]) => b - a)) {
    yield* group.places;
    yield* group.rights;
  }
}

/** A thing with the filter of its identifier. */
interface IdentifiedThing {
  readonly thing: number;
  readonly named: Named;
  readonly field: 'site' | 'reportingUnit' | 'allocationUuid' | 'allocationNativeId';
  readonly value: string;
}

async function readThings(
  search: NameSearch,
  recordsOf: RecordsOf,
  batch: readonly MatchedThing[],
): Promise<readonly RankedItem[]> {
  const { reader, other, caches, rights } = search;
  const { OrganizationUUID } = reader.facts.organization;
  const things = batch.map(({ thing }) => thing);
  const ofRights = things.filter((thing) => thing < rights);
  const ofPlaces = things.filter((thing) => thing >= rights);
  const read = [...(await readRights(search, ofRights)), ...(await readPlaces(search, ofPlaces))];
  const terms = read.map(({ field, value }) => filterTerm(field, value));
  const counts = await countsOf([reader, ...(other === undefined ? [] : [other.reader])], terms, caches);
  const items = read.map(({ thing, named, field, value }, at) => {
    const filters = [[organizationUuid.name, OrganizationUUID] as const, [termFilter(field).name, value] as const];
    return [thing, foundItem({ OrganizationUUID, ...named }, counts[at] ?? NO_COUNTS, filters)] as const;
  });
  const itemOf = new Map(items);
  return batch.flatMap(({ thing, match }) => {
    const item = itemOf.get(thing);
    return item === undefined ? [] : [{ match, records: recordsOf(thing), item }];
  });
}

async function readRights({ reader }: NameSearch, things: readonly number[]): Promise<readonly IdentifiedThing[]> {
  const read = await textsOf(things, (numbers) => reader.records(numbers));
  return read.map(({ number: thing, item }) => {
    const [Identifier, native] = [textOf(item, 'AllocationUUID'), textOf(item, 'AllocationNativeID')];
    const named = { Kind: 'Right', Identifier, State: reader.facts.organization.OrganizationState } as const;
    return Identifier === null
      ? { thing, named, field: 'allocationNativeId', value: native ?? '' }
      : { thing, named, field: 'allocationUuid', value: Identifier };
  });
}

async function readPlaces(
  { reader, directory, rights }: NameSearch,
  things: readonly number[],
): Promise<readonly IdentifiedThing[]> {
  const { organization, dataSet } = reader.facts;
  const { placeKind } = dataSetLayouts[dataSet];
  const [first] = lookupRange(reader, placeKind);
  const thingOf = new Map(things.map((thing) => [first + rankAt(directory, thing - rights), thing]));
  const read = await textsOf([...thingOf.keys()], (numbers) => reader.lookups(numbers));
  return read.map(({ number, item }) => {
    const thing = thingOf.get(number) ?? NaN;
    const State = stateCodeOf(textOf(item, 'StateCV') ?? '') ?? organization.OrganizationState;
    if (placeKind === 'ReportingUnits') {
      const value = textOf(item, 'ReportingUnitUUID') ?? '';
      const Name = textOf(item, 'ReportingUnitName');
      const named = { Kind: 'ReportingUnit', Identifier: value, Name, State } as const;
      return { thing, named, field: 'reportingUnit', value };
    }
    const value = textOf(item, 'SiteUUID') ?? '';
    const Name = textOf(item, 'SiteName');
    const named = { Kind: 'Site', Identifier: value, Name, State, County: textOf(item, 'County') } as const;
    return { thing, named, field: 'site', value };
  });
}

/** The records of each term in the releases of an organization. */
async function countsOf(
  readers: readonly ReleaseReader[],
  terms: readonly string[],
  caches: SearchCaches,
): Promise<readonly RecordsCounts[]> {
  const counts = terms.map(() => ({ ...NO_COUNTS }));
  for (const reader of readers) {
    const operation = OPERATIONS[reader.facts.dataSet];
    const sets = await postingsOf(
      reader,
      terms.map((term) => [term]),
      caches,
    );
    sets.forEach(([set], at) => {
      const count = counts[at];
      if (count !== undefined && set !== undefined) count[operation] = set.size;
    });
  }
  return counts;
}

/** The operation that answers with the records of a data set. */
export const OPERATIONS = {
  SiteVariableAmounts: 'SiteVariableAmounts',
  AggregatedAmounts: 'AggregatedAmounts',
  WaterAllocations: 'SiteAllocationAmounts',
} as const satisfies Readonly<Record<DataSetKind, keyof RecordsCounts>>;

/** The texts of some numbers, in any order. */
export async function textsOf(
  numbers: readonly number[],
  read: (numbers: Uint32Array) => Promise<JoinedFragments>,
): Promise<readonly { readonly number: number; readonly item: Item }[]> {
  if (numbers.length === 0) return [];
  const ascending = Uint32Array.from(new Set(numbers)).sort();
  const items = JSON.parse(listText(await read(ascending))) as readonly Item[]; // The loader wrote objects.
  return items.map((item, at) => ({ number: numberAt(ascending, at), item }));
}

/** Members that name things are texts, or missing. */
export function textOf(item: Item, member: string): string | null {
  const value = item[member];
  return typeof value === 'string' ? value : null;
}
