// The places and rights of one release whose names or identifiers have the words of a query (D60), by its index of
// names. Only what is shown is read of a release, and of the index only the blocks of the words.

import { organizationUuid, termFilter } from '../../query/filters';
import { filterTerm, PLACE_FIELDS } from '../../query/text-filters';
import { isOneOf, type Condition } from '../../query/condition';
import { dataSetLayouts, type DataSetKind } from '../../records/data-sets';
import { NO_COUNTS, type FoundItem, type RecordsCounts } from '../../records/found';
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
  filterText,
  isIn,
  isInOrder,
  MATCH,
  type FoundNames,
  type Match,
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
  const ranked = itemsInOrder(search, recordsOf, await matchesOf(search, things, { inNames, whole }));
  return { total: things.length, ranked };
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
interface MatchedThings {
  readonly byMatch: Readonly<Record<Match, number[]>>;
  readonly isOrderKnown: boolean;
}

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
  const byMatch: MatchedThings['byMatch'] = { 0: [], 1: [], 2: [], 3: [], 4: [] };
  let next = 0;
  for (const thing of things) {
    while (next < named.length && numberAt(named, next) < thing) next++;
    if (isWhole.has(thing)) byMatch[MATCH.identifier].push(thing);
    else if (thing >= beginning && thing < equalEnd) byMatch[MATCH.name].push(thing);
    else if (thing >= equalEnd && thing < end) byMatch[MATCH.beginning].push(thing);
    else byMatch[named[next] === thing ? MATCH.inOrder : MATCH.anyOrder].push(thing);
  }
  return { byMatch, isOrderKnown: query.words.length === 1 };
}

async function blockOf({ reader, caches }: Searched, number: number) {
  const [block] = await nameBlocksOf(reader, [number], caches);
  if (block === undefined) throw new Error(`names have no block ${number}`);
  return block;
}

/** So many things are read at once to be shown; the first page of an answer has that many. */
const ITEMS_AT_ONCE = 20;

type RecordsOf = (thing: number) => number;

async function* itemsInOrder(
  search: NameSearch,
  recordsOf: RecordsOf,
  matched: MatchedThings,
): AsyncIterable<RankedItem> {
  let batch: { readonly thing: number; readonly match: Match }[] = [];
  const read = async (): Promise<readonly RankedItem[]> => {
    const items = await readItems(
      search,
      batch.map(({ thing }) => thing),
    );
    const ranked = batch.flatMap(({ thing, match }, at) => {
      const item = items[at];
      return item === undefined ? [] : [{ match, records: recordsOf(thing), item }];
    });
    batch = [];
    return ranked;
  };
  for await (const one of thingsInOrder(search, recordsOf, matched)) {
    if (batch.push(one) === ITEMS_AT_ONCE) yield* await read();
  }
  yield* await read();
}

async function* thingsInOrder(
  search: NameSearch,
  recordsOf: RecordsOf,
  { byMatch, isOrderKnown }: MatchedThings,
): AsyncIterable<{ readonly thing: number; readonly match: Match }> {
  const { rights, query } = search;
  const inOrder = (things: readonly number[]): Iterable<number> => byRecords(things, recordsOf, rights);
  for (const match of [MATCH.identifier, MATCH.name, MATCH.beginning]) {
    for (const thing of inOrder(byMatch[match])) yield { thing, match };
  }
  const unordered: number[] = [];
  for (const thing of inOrder(byMatch[MATCH.inOrder])) {
    const position = thing - rights;
    const block = isOrderKnown ? undefined : await blockOf(search, Math.floor(position / NAMES_OF_BLOCK));
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

async function readItems(search: NameSearch, things: readonly number[]): Promise<readonly FoundItem[]> {
  const { rights } = search;
  const items = new Map<number, FoundItem>();
  const [ofRights, ofPlaces] = [things.filter((thing) => thing < rights), things.filter((thing) => thing >= rights)];
  for (const [thing, item] of await readRights(search, ofRights)) items.set(thing, item);
  for (const [thing, item] of await readPlaces(search, ofPlaces)) items.set(thing, item);
  return things.flatMap((thing) => items.get(thing) ?? []);
}

type ReadItems = Promise<Iterable<readonly [thing: number, item: FoundItem]>>;

async function readRights({ reader, caches }: NameSearch, things: readonly number[]): ReadItems {
  const { OrganizationUUID, OrganizationState: State } = reader.facts.organization;
  const read = await textsOf(things, (numbers) => reader.records(numbers));
  const identified = read.map(({ item }) => {
    const [uuid, native] = [textOf(item, 'AllocationUUID'), textOf(item, 'AllocationNativeID')];
    return uuid === null ? identifierIn('allocationNativeId', native ?? '') : identifierIn('allocationUuid', uuid);
  });
  const counts = await countsOf(
    [reader],
    identified.map(({ term }) => term),
    caches,
  );
  return read.map(({ number, item }, at) => {
    const { name, value } = identified[at] ?? { name: '', value: '' };
    const Identifier = textOf(item, 'AllocationUUID');
    return [
      number,
      {
        ...{ Kind: 'Right', OrganizationUUID, Identifier, Name: null, State, County: null },
        RecordsCounts: counts[at] ?? NO_COUNTS,
        Filter: filterText([organizationUuid.name, OrganizationUUID], [name, value]),
      },
    ];
  });
}

async function readPlaces(search: NameSearch, things: readonly number[]): ReadItems {
  const { reader, other, caches, directory, rights } = search;
  const { organization, dataSet } = reader.facts;
  const { OrganizationUUID } = organization;
  const { placeKind } = dataSetLayouts[dataSet];
  const [first] = lookupRange(reader, placeKind);
  const numberOf = (thing: number): number => first + rankAt(directory, thing - rights);
  const thingOf = new Map(things.map((thing) => [numberOf(thing), thing]));
  const read = await textsOf(things.map(numberOf), (numbers) => reader.lookups(numbers));
  const isUnit = placeKind === 'ReportingUnits';
  const ids = read.map(({ item }) => textOf(item, isUnit ? 'ReportingUnitUUID' : 'SiteUUID') ?? '');
  const identified = ids.map((id) => identifierIn(PLACE_FIELDS[placeKind], id));
  const counts = await countsOf(
    [reader, ...(other === undefined ? [] : [other.reader])],
    identified.map(({ term }) => term),
    caches,
  );
  return read.map(({ number, item }, at) => {
    const { name, value } = identified[at] ?? { name: '', value: '' };
    return [
      thingOf.get(number) ?? NaN,
      {
        ...{ Kind: isUnit ? 'ReportingUnit' : 'Site', OrganizationUUID, Identifier: value },
        Name: textOf(item, isUnit ? 'ReportingUnitName' : 'SiteName'),
        State: stateCodeOf(textOf(item, 'StateCV') ?? '') ?? organization.OrganizationState,
        County: isUnit ? null : textOf(item, 'County'),
        RecordsCounts: counts[at] ?? NO_COUNTS,
        Filter: filterText([organizationUuid.name, OrganizationUUID], [name, value]),
      },
    ];
  });
}

function identifierIn(field: 'site' | 'reportingUnit' | 'allocationUuid' | 'allocationNativeId', value: string) {
  return { name: termFilter(field).name, value, term: filterTerm(field, value) };
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
