// The places and rights of one release whose names or identifiers have the words of a query (D60), by its index of
// names: things are numbered in the order of an answer, so a page is a slice of the set of what is found. Only what is
// shown is read of a release, and of the index only the blocks of the words.

import { isOneOf } from '../../query/condition';
import { organizationUuid, termFilter } from '../../query/filters';
import { filterTerm } from '../../query/text-filters';
import { type DataSetKind, dataSetLayouts, type Item } from '../../records/data-sets';
import { type FoundItem, type FoundKind, NO_COUNTS, type RecordsCounts } from '../../records/found';
import { inSteps } from '../../store/deadline';
import { type JoinedFragments, listText, type ReleaseReader } from '../../store/port';
import { BitSet } from '../../values/bytes/bit-set';
import { numberAt } from '../../values/numbers';
import { stateCodeOf } from '../../values/states';
import { type NameDirectory, orderedByRecords, recordsOfThing } from '../index/name-index';
import { matchedThings, placesOfRelease } from '../index/name-words';
import {
  AllRecords,
  difference,
  intersection,
  markedRecords,
  type RecordSet,
  recordsOfRuns,
  union,
} from '../index/record-set';
import { lookupRange, nameDirectoryOf, placeRecordsOf, postingsOf } from '../index/release-index';
import { byteLengthOf, type SearchCaches, type Searched } from '../index/search-caches';
import { evaluatePlaces } from '../places/evaluate-places';
import { isSharedSite, sharedPlacesOf, sitesBefore } from '../places/plan-places';
import type { ReadRelease } from '../plan-page';
import { foundItem, type FoundNames, isIn, type Named, type NameQuery } from './ranked';

/** A release with the one of the same organization whose sites are found together with its own (D42). */
export interface NamedRelease {
  readonly release: ReadRelease;
  readonly other: ReadRelease | undefined;
}

/** What of a release can be found, and in which order. */
interface Findable {
  /** The things that can be found. */
  readonly found: RecordSet;
  /** In the order of an answer, the numbers of things as the directory has them. */
  readonly numbers: ArrayLike<number>;
  readonly recordsAt: (index: number) => number;
  /** The indices in this order of some things. */
  readonly indicesOf: (things: RecordSet) => RecordSet;
  readonly byteLength: number;
}

export async function findInRelease(named: NamedRelease, query: NameQuery, caches: SearchCaches): Promise<FoundNames> {
  const { reader } = named.release;
  const findable = await findableOf(named, query, caches);
  const places = placesOfRelease({ reader });
  const { Kind } = PLACES[dataSetLayouts[reader.facts.dataSet].placeKind];
  const kindOf = (number: number): FoundKind => (number >= places ? 'Right' : Kind);
  const parts = matchedParts(await matchedThings(query.words, { reader, caches }), findable);
  /** Those found from one place to before another, with how they match. */
  const between = (from: number, to: number): readonly { readonly index: number; readonly match: number }[] =>
    parts.flatMap(({ indices, before }, match) => {
      const placeOf = (at: number): number => Math.min(indices.size, Math.max(0, at - before));
      if (placeOf(from) === placeOf(to)) return [];
      return Array.from(indices.slice(placeOf(from), placeOf(to)), (index) => ({ index, match }));
    });
  return {
    total: parts.reduce((sum, { indices }) => sum + indices.size, 0),
    rankAt: (at) => {
      const [one] = between(at, at + 1);
      if (one === undefined) throw new RangeError(`no name at ${at}`);
      const { index, match } = one;
      return { match, records: findable.recordsAt(index), kind: kindOf(numberAt(findable.numbers, index)) };
    },
    read: (from, to) => {
      const numbers = between(from, to).map(({ index }) => numberAt(findable.numbers, index));
      return readThings(named, numbers, caches);
    },
  };
}

interface MatchedPart {
  readonly indices: RecordSet;
  /** How many stand in the parts before it. */
  readonly before: number;
}

/** Each set without what is in those before. */
function matchedParts(matched: readonly RecordSet[], { found, numbers, indicesOf }: Findable): readonly MatchedPart[] {
  const parts: MatchedPart[] = [];
  const earlier: RecordSet[] = [];
  let before = 0;
  for (const things of matched) {
    const part = difference(intersection([found, things]), union(earlier), numbers.length);
    parts.push({ indices: indicesOf(part), before });
    before += part.size;
    if (part.size > 0) earlier.push(part);
  }
  return parts;
}

async function findableOf(named: NamedRelease, query: NameQuery, caches: SearchCaches): Promise<Findable> {
  const { reader } = named.release;
  const { organization, dataSet, releaseId } = reader.facts;
  const areRights = query.kinds.has('Right') && isIn(query, organization.OrganizationState);
  const arePlaces = query.kinds.has(PLACES[dataSetLayouts[dataSet].placeKind].Kind);
  const make = async (): Promise<Findable> => {
    const directory = await nameDirectoryOf({ reader, caches });
    const { numbers } = directory;
    const places = placesOfRelease({ reader });
    const shared = named.other && (await sharedSites({ reader, caches }, named.other.reader));
    const inStates =
      query.states.length === 0
        ? undefined
        : new Set(await evaluatePlaces(isOneOf('placeState', query.states), named.release));
    const isShown = (number: number): boolean => dataSet !== 'WaterAllocations' || shared?.has(number) !== true;
    const isFound = (number: number): boolean =>
      number < places ? arePlaces && inStates?.has(number) !== false && isShown(number) : areRights;
    const found = await thingsThat((thing) => isFound(numberAt(numbers, thing)), numbers.length);
    const recordsAt = (thing: number): number => recordsOfThing(directory, thing);
    if (shared === undefined || shared.size === 0 || dataSet === 'WaterAllocations') {
      return { found, numbers, recordsAt, indicesOf: (things) => things, byteLength: found.byteLength };
    }
    return {
      found,
      ...reordered(directory, (thing) => recordsAt(thing) + (shared.get(numberAt(numbers, thing)) ?? 0)),
    };
  };
  const other = named.other?.reader.facts.releaseId ?? '';
  const key = `${releaseId} ${other} ${areRights} ${arePlaces} ${query.states.join(' ')}`;
  return caches.partOf<Findable>('findable').remember(key, make, byteLengthOf);
}

/** Things between two looks at the clock. */
const THINGS_AT_ONCE = 65_536;

async function thingsThat(isFound: (thing: number) => boolean, things: number): Promise<RecordSet> {
  const runs: number[] = [];
  await inSteps(things, THINGS_AT_ONCE, (from, to) => {
    for (let thing = from; thing < to; thing++) {
      if (!isFound(thing)) continue;
      if (thing > 0 && runs.at(-1) === thing - 1) runs[runs.length - 1] = thing;
      else runs.push(thing, thing);
    }
  });
  return runs[0] === 0 && runs[1] === things - 1 ? new AllRecords(things) : recordsOfRuns(runs);
}

/** The order of the things of amounts where sites have other records than the release knows. */
function reordered(
  { numbers, placesByName }: NameDirectory,
  recordsOf: (thing: number) => number,
): Omit<Findable, 'found'> {
  const order = orderedByRecords(placesByName, recordsOf);
  const indexOf = new Uint32Array(order.length);
  order.forEach((thing, index) => (indexOf[thing] = index));
  return {
    numbers: order.map((thing) => numberAt(numbers, thing)),
    recordsAt: (index) => recordsOf(numberAt(order, index)),
    indicesOf: (things) => {
      const indices = new BitSet(order.length);
      for (const thing of things.numbers()) indices.add(numberAt(indexOf, thing));
      return markedRecords(indices);
    },
    byteLength: 4 * order.byteLength,
  };
}

/** The sites that both releases have, by rank in this one, with their records in the rights (D42). */
async function sharedSites({ reader, caches }: Searched, other: ReleaseReader): Promise<ReadonlyMap<number, number>> {
  const isOfRights = reader.facts.dataSet === 'WaterAllocations';
  const [amounts, rights] = isOfRights ? [other, reader] : [reader, other];
  const shared = await sharedPlacesOf({ reader: amounts, caches }, { reader: rights, caches });
  const records = await placeRecordsOf({ reader: rights, caches });
  const sites = new Map<number, number>();
  for (let rank = 0; rank < shared.length; rank++) {
    if (isSharedSite(shared, rank)) sites.set(isOfRights ? rank : sitesBefore(shared, rank), numberAt(records, rank));
  }
  return sites;
}

/** A thing with the filter of its identifier. */
interface IdentifiedThing {
  readonly number: number;
  readonly named: Named;
  readonly field: 'site' | 'reportingUnit' | 'allocationUuid' | 'allocationNativeId';
  readonly value: string;
}

/** `numbers` as the directory has them. */
async function readThings(
  { release: { reader }, other }: NamedRelease,
  numbers: readonly number[],
  caches: SearchCaches,
): Promise<readonly FoundItem[]> {
  const { OrganizationUUID } = reader.facts.organization;
  const read = [...(await readRights(reader, numbers)), ...(await readPlaces(reader, numbers))];
  const terms = read.map(({ field, value }) => filterTerm(field, value));
  const counts = await countsOf([reader, ...(other === undefined ? [] : [other.reader])], terms, caches);
  const items = read.map(({ number, named, field, value }, at) => {
    const filters = [[organizationUuid.name, OrganizationUUID] as const, [termFilter(field).name, value] as const];
    return [number, foundItem({ OrganizationUUID, ...named }, counts[at] ?? NO_COUNTS, filters)] as const;
  });
  const itemOf = new Map(items);
  return numbers.flatMap((number) => itemOf.get(number) ?? []);
}

async function readRights(reader: ReleaseReader, numbers: readonly number[]): Promise<readonly IdentifiedThing[]> {
  const places = placesOfRelease({ reader });
  const records = numbers.filter((number) => number >= places).map((number) => number - places);
  const read = await textsOf(records, (some) => reader.records(some));
  return read.map(({ number: record, item }) => {
    const number = places + record;
    const [Identifier, native] = [textOf(item, 'AllocationUUID'), textOf(item, 'AllocationNativeID')];
    const named = { Kind: 'Right', Identifier, State: reader.facts.organization.OrganizationState } as const;
    return Identifier === null
      ? { number, named, field: 'allocationNativeId', value: native ?? '' }
      : { number, named, field: 'allocationUuid', value: Identifier };
  });
}

async function readPlaces(reader: ReleaseReader, numbers: readonly number[]): Promise<readonly IdentifiedThing[]> {
  const { organization, dataSet } = reader.facts;
  const { placeKind } = dataSetLayouts[dataSet];
  const { Kind, identifier, name, field } = PLACES[placeKind];
  const [first, end] = lookupRange(reader, placeKind);
  const lookups = numbers.map((number) => first + number).filter((lookup) => lookup < end);
  const read = await textsOf(lookups, (some) => reader.lookups(some));
  return read.map(({ number: lookup, item }) => {
    const State = stateCodeOf(textOf(item, 'StateCV') ?? '') ?? organization.OrganizationState;
    const [value, Name, County] = [textOf(item, identifier) ?? '', textOf(item, name), textOf(item, 'County')];
    return { number: lookup - first, named: { Kind, Identifier: value, Name, State, County }, field, value };
  });
}

/** Members of places; only sites have a County. */
const PLACES = {
  Sites: { Kind: 'Site', identifier: 'SiteUUID', name: 'SiteName', field: 'site' },
  ReportingUnits: {
    Kind: 'ReportingUnit',
    identifier: 'ReportingUnitUUID',
    name: 'ReportingUnitName',
    field: 'reportingUnit',
  },
} as const;

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
      { reader, caches },
      terms.map((term) => [term]),
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
