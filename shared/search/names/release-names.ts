// The places and rights of one release whose names or identifiers have the words of a query (D60), by its index of
// names: things are numbered in the order of an answer, so a page is a slice of the set of what is found. Only what is
// shown is read of a release, and of the index only the blocks of the words.

import { buildTermCondition } from '../../query/condition';
import { organizationUuid, createTermFilter } from '../../query/filters';
import { toFilterTerm } from '../../query/filter-terms';
import { PLACE_FIELDS, type PlaceField } from '../../query/filter-fields';
import type { DataSetKind, Item, PlaceKind } from '../../records/data-sets';
import { type FindResult, type NamedKind, ZERO_COUNTS, type RecordsCounts } from '../../records/found';
import { lookupIdentifiers } from '../../records/lookups';
import { runInSteps } from '../../store/deadline';
import { parseItems, type ReleaseReader, type TextFamily } from '../../store/port';
import { BitSet } from '../../values/bytes/bit-set';
import { numberAt } from '../../values/numbers';
import { findStateCode } from '../../values/states';
import { type NameDirectory, sortByRecords, getRecordCount } from '../index/name-index';
import { findThingsByMatch } from '../index/name-words';
import {
  AllRecords,
  difference,
  intersection,
  toRecordSet,
  type RecordSet,
  recordSetFromRuns,
  union,
} from '../index/record-set';
import {
  getLookupRange,
  loadNameDirectory,
  getPlaceKind,
  loadPlaceRecordCounts,
  countPlaces,
  loadPostings,
} from '../index/release-index';
import { getByteLength } from '../index/search-caches';
import { evaluatePlaces } from '../places/evaluate-places';
import { isSharedSite, findRankInRights, loadSharedSites } from '../places/plan-places';
import type { CatalogRelease } from '../plan-page';
import { buildFoundItem, type FoundNames, isInStates, type Named, type NameQuery } from './ranked';

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

/** `other` is the release of the same organization whose sites are found together with those of this one (D42). */
export async function findReleaseNames(
  release: CatalogRelease,
  other: CatalogRelease | undefined,
  query: NameQuery,
): Promise<FoundNames> {
  const places = countPlaces(release);
  const kindOf = (number: number): NamedKind =>
    number >= places ? 'Right' : PLACE_KIND_NAMES[getPlaceKind(release.reader)];
  const { found, numbers, recordsAt, indicesOf } = await loadFindable(release, other, query);
  const matched = await findThingsByMatch(query.words, release);
  const sets = matched.map((things) => intersection([found, things]));
  // Each without what is in those before.
  const parts = sets.map((set, match) => indicesOf(difference(set, union(sets.slice(0, match)), numbers.length)));
  /** Those found from one place to before another, with how they match. */
  const between = (from: number, to: number): readonly { readonly index: number; readonly match: number }[] => {
    let before = 0;
    return parts.flatMap((indices, match) => {
      const [first = 0, end = 0] = [from, to].map((at) => Math.min(indices.size, Math.max(0, at - before)));
      before += indices.size;
      return first === end ? [] : Array.from(indices.slice(first, end), (index) => ({ index, match }));
    });
  };
  return {
    total: parts.reduce((sum, { size }) => sum + size, 0),
    rankAt: (at) => {
      const [one] = between(at, at + 1);
      if (one === undefined) throw new RangeError(`no name at ${at}`);
      const { index, match } = one;
      return { match, records: recordsAt(index), kind: kindOf(numberAt(numbers, index)) };
    },
    read: (from, to) => {
      const shown = between(from, to).map(({ index }) => numberAt(numbers, index));
      return readThings(release, other, shown);
    },
  };
}

async function loadFindable(
  release: CatalogRelease,
  other: CatalogRelease | undefined,
  query: NameQuery,
): Promise<Findable> {
  const { organization, dataSet, releaseId } = release.reader.facts;
  const areRights = query.kinds.has('Right') && isInStates(query, organization.OrganizationState);
  const arePlaces = query.kinds.has(PLACE_KIND_NAMES[getPlaceKind(release.reader)]);
  const isOfRights = dataSet === 'WaterAllocations';
  const make = async (): Promise<Findable> => {
    const directory = await loadNameDirectory(release);
    const { thingNumbers: numbers } = directory;
    const places = countPlaces(release);
    const inStates =
      query.states.length === 0
        ? undefined
        : new Set(await evaluatePlaces(buildTermCondition('placeState', query.states), release));
    const inAmounts = isOfRights ? other && (await loadSharedSites(other, release)) : undefined;
    const isShown = (rank: number): boolean => inAmounts === undefined || !isSharedSite(inAmounts, rank);
    const isFound = (number: number): boolean =>
      number < places ? arePlaces && inStates?.has(number) !== false && isShown(number) : areRights;
    const found = await findThings((thing) => isFound(numberAt(numbers, thing)), numbers.length);
    const recordsAt = (thing: number): number => getRecordCount(directory, thing);
    if (isOfRights || other === undefined) {
      return { found, numbers, recordsAt, indicesOf: (things) => things, byteLength: found.byteLength };
    }
    const shared = await loadSharedSites(release, other);
    const ofRights = await loadPlaceRecordCounts(other);
    const records = Uint32Array.from(numbers, (rank, thing) => {
      const inRights = findRankInRights(shared, rank);
      return recordsAt(thing) + (inRights === undefined ? 0 : numberAt(ofRights, inRights));
    });
    return { found, ...reorder(directory, records) };
  };
  const key = `${releaseId} ${other?.reader.facts.releaseId ?? ''} ${areRights} ${arePlaces} ${query.states.join(' ')}`;
  return release.caches.getCache<Findable>('findable').getOrCompute(key, make, getByteLength);
}

/** Things between two looks at the clock. */
const THINGS_AT_ONCE = 65_536;

async function findThings(isFound: (thing: number) => boolean, things: number): Promise<RecordSet> {
  const runs: number[] = [];
  await runInSteps(things, THINGS_AT_ONCE, (from, to) => {
    for (let thing = from; thing < to; thing++) {
      if (!isFound(thing)) continue;
      if (thing > 0 && runs.at(-1) === thing - 1) runs[runs.length - 1] = thing;
      else runs.push(thing, thing);
    }
  });
  return runs[0] === 0 && runs[1] === things - 1 ? new AllRecords(things) : recordSetFromRuns(runs);
}

/** The order of the things of amounts where sites have other records than the release knows. */
function reorder(
  { thingNumbers: numbers, placesByName }: NameDirectory,
  records: Uint32Array,
): Omit<Findable, 'found'> {
  const order = sortByRecords(placesByName, (thing) => numberAt(records, thing));
  const indexOf = new Uint32Array(order.length);
  order.forEach((thing, index) => (indexOf[thing] = index));
  return {
    numbers: order.map((thing) => numberAt(numbers, thing)),
    recordsAt: (index) => numberAt(records, numberAt(order, index)),
    indicesOf: (things) => {
      const indices = new BitSet(order.length);
      for (const thing of things.slice()) indices.add(numberAt(indexOf, thing));
      return toRecordSet(indices);
    },
    byteLength: 4 * order.byteLength,
  };
}

/** `numbers` as the directory has them. */
async function readThings(
  release: CatalogRelease,
  other: CatalogRelease | undefined,
  numbers: readonly number[],
): Promise<readonly FindResult[]> {
  const { reader } = release;
  const { OrganizationUUID, OrganizationState } = reader.facts.organization;
  const placeKind = getPlaceKind(release.reader);
  const [first, end] = getLookupRange(reader, placeKind);
  const lookups = numbers.map((number) => first + number).filter((lookup) => lookup < end);
  const places = await readItems(reader, 'lookups', lookups);
  const records = numbers.map((number) => number - (end - first)).filter((record) => record >= 0);
  const rights = await readItems(reader, 'records', records);
  const things = numbers.map((number): IdentifiedThing => {
    const place = places.get(first + number);
    if (place === undefined) return identifyRight(rights.get(number - (end - first)), OrganizationState);
    const Kind = PLACE_KIND_NAMES[placeKind];
    const Identifier = getText(place, lookupIdentifiers[placeKind]) ?? '';
    const State = findStateCode(getText(place, 'StateCV') ?? '') ?? OrganizationState;
    const Name = getText(place, `${Kind}Name`);
    const County = getText(place, 'County');
    return [{ Kind, Identifier, Name, State, County }, PLACE_FIELDS[placeKind], Identifier];
  });
  const terms = things.map(([, field, value]) => toFilterTerm(field, value));
  const counts = await countRecords([release, ...(other === undefined ? [] : [other])], terms);
  return things.map(([named, field, value], at) => {
    const filters = [
      [organizationUuid.name, OrganizationUUID] as const,
      [createTermFilter(field).name, value] as const,
    ];
    return buildFoundItem({ OrganizationUUID, ...named }, counts[at] ?? ZERO_COUNTS, filters);
  });
}

/** A thing with the filter of its identifier. */
type IdentifiedThing = readonly [
  named: Named,
  field: PlaceField | 'allocationUuid' | 'allocationNativeId',
  value: string,
];

function identifyRight(right: Item | undefined, State: string): IdentifiedThing {
  const Identifier = getText(right, 'AllocationUUID');
  const native = getText(right, 'AllocationNativeID');
  const named = { Kind: 'Right', Identifier, State } as const;
  return Identifier === null ? [named, 'allocationNativeId', native ?? ''] : [named, 'allocationUuid', Identifier];
}

const PLACE_KIND_NAMES = { Sites: 'Site', ReportingUnits: 'ReportingUnit' } as const satisfies Record<
  PlaceKind,
  NamedKind
>;

/** The records of each term in the releases of an organization. */
async function countRecords(
  releases: readonly CatalogRelease[],
  terms: readonly string[],
): Promise<readonly RecordsCounts[]> {
  const counts = terms.map(() => ({ ...ZERO_COUNTS }));
  for (const release of releases) {
    const sets = await loadPostings(
      release,
      terms.map((term) => [term]),
    );
    counts.forEach((count, at) => (count[OPERATIONS[release.entry.dataSet]] = sets[at]?.[0]?.size ?? 0));
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
export async function readItems(
  reader: ReleaseReader,
  family: TextFamily,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Item>> {
  if (numbers.length === 0) return new Map();
  const ascending = Uint32Array.from(new Set(numbers)).sort();
  const items = parseItems(await reader.texts(family, ascending));
  return new Map(items.map((item, at) => [numberAt(ascending, at), item]));
}

/** Members that name things are texts, or missing. */
export function getText(item: Item | undefined, member: string): string | null {
  const value = item?.[member];
  return typeof value === 'string' ? value : null;
}
