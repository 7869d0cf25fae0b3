// Owners, counties, watersheds, uses, variables and organizations by name (D60): each catalog state has one list, in
// the order of answers, through which a search goes. It knows how many rights AllocationOwner finds for each owner:
// those of every owner that contains it.

import {
  allocationOwner,
  organizationUuid,
  OWNER_CHARACTERS,
  searchBoundary,
  createTermFilter,
} from '../../query/filters';
import { toFilterTerm } from '../../query/filter-terms';
import { type FindResult, type NamedKind, ZERO_COUNTS, type RecordsCounts } from '../../records/found';
import { giveWayIfSliceOver } from '../../store/deadline';
import { getOrAdd } from '../../values/maps';
import { compareUtf8, foldName } from '../../values/text';
import { type Lines, indexLines, findLinesWith, listOwnerRuns, getOwnerText } from '../index/owner-index';
import { loadOwnerIndex, loadVocabulary } from '../index/release-index';
import { getByteLength } from '../index/search-caches';
import type { CatalogRelease } from '../plan-page';
import {
  compareNames,
  compareRanks,
  buildFoundItem,
  type FoundNames,
  isInStates,
  type Named,
  type NameQuery,
  type Rank,
} from './ranked';
import { OPERATIONS, getText, readItems } from './release-names';

/** A term or an owner. Nothing is asked of the list itself, so that all in it match alike. */
interface ListedName extends Rank {
  /** The words of its name and of its identifier, with a space between. */
  readonly name: string;
  readonly identifier: string;
  /** Owners are read when they are shown, or where only what folding leaves out tells them apart. */
  item?: FindResult;
  readonly read: () => Promise<FindResult>;
}

/** A line for each, of the words of its name and its identifier. */
interface NameList extends Lines {
  readonly listed: readonly ListedName[];
  readonly byteLength: number;
}

interface Owner {
  /** The first release that has it, and its number there. */
  readonly release: CatalogRelease;
  readonly number: number;
  /** How many rights it has. */
  rights: number;
  /** How many rights have an owner that contains it. */
  records: number;
}

export async function findListedNames(releases: readonly CatalogRelease[], query: NameQuery): Promise<FoundNames> {
  const key = releases.map(({ reader }) => reader.facts.releaseId).join(' ');
  const make = (): Promise<NameList> => buildNameList(releases);
  const [first] = releases;
  const list = await (first?.caches.getCache<NameList>('listedNames').getOrCompute(key, make, getByteLength) ?? make());
  const found = findWithWords(list, query).sort((a, b) => a.match - b.match);
  return {
    total: found.length,
    rankAt: (index) => {
      const one = found[index];
      if (one === undefined) throw new RangeError(`no name at ${index}`);
      return one;
    },
    read: (from, to) => Promise.all(found.slice(from, to).map(({ read }) => read())),
  };
}

/** Goes through the lines by the longest word, which the fewest names have. */
function findWithWords(list: NameList, query: NameQuery): ListedName[] {
  const [anchor = ''] = query.words.toSorted((a, b) => b.length - a.length);
  return Array.from(findLinesWith(list, anchor)).flatMap((number) => {
    const one = list.listed[number];
    if (one === undefined || !query.kinds.has(one.kind) || !isInStates(query, one.item?.State ?? null)) return [];
    const match = getMatch(query.words, one);
    return match === undefined ? [] : [{ ...one, match }];
  });
}

/** As Rank says; undefined where a word of the query begins no word. */
function getMatch(words: readonly string[], { name, identifier }: ListedName): number | undefined {
  const all = ` ${name} ${identifier}`;
  if (!words.every((word) => all.includes(` ${word}`))) return undefined;
  const query = words.join(' ');
  let at = 0;
  const isInOrder = words.every((word) => (at = ` ${name}`.indexOf(` ${word}`, at) + 1) > 0);
  return [identifier === query, name === query, name.startsWith(query), isInOrder, true].indexOf(true);
}

async function buildNameList(releases: readonly CatalogRelease[]): Promise<NameList> {
  const terms = (await listTerms(releases)).map((item): ListedName => {
    const { Kind: kind, Name, Identifier, RecordsCounts } = item;
    const records = Object.values(RecordsCounts).reduce((sum, count) => sum + count, 0);
    const words = { name: foldName(Name ?? ''), identifier: foldName(Identifier ?? '') };
    return { match: 0, kind, records, ...words, item, read: () => Promise.resolve(item) };
  });
  const owners = [...(await listOwners(releases))].map(([text, owner]): ListedName => {
    const { records } = owner;
    return { match: 0, kind: 'Owner', records, name: foldName(text), identifier: '', read: () => readOwner(owner) };
  });
  const groups = [...Map.groupBy(owners, ({ records, name }) => `${records} ${name}`).values()];
  const alike = groups.filter(({ length }) => length > 1).flat();
  await Promise.all(alike.map(async (one) => (one.item = await one.read())));
  const listed = [...terms, ...owners].sort(
    (a, b) =>
      compareRanks(a, b) || compareUtf8(a.name, b.name) || (a.item && b.item ? compareNames(a.item, b.item) : 0),
  );
  const text = listed.map(({ name, identifier }) => `${name} ${identifier}\n`).join('');
  const byteLength = 2 * text.length + LISTED_BYTES * listed.length;
  return { listed, ...indexLines(text, listed.length), byteLength };
}

/** About what each takes in memory beside its line. */
const LISTED_BYTES = 400;

async function readOwner({ release, number, records }: Owner): Promise<FindResult> {
  const [[first] = [0]] = listOwnerRuns(number, await loadOwnerIndex(release));
  const texts = await readItems(release.reader, 'records', [first]);
  const Name = getText(texts.get(first), 'AllocationOwner') ?? '';
  const counts = { ...ZERO_COUNTS, SiteAllocationAmounts: records };
  return buildFoundItem({ Kind: 'Owner', Name }, counts, [[allocationOwner.name, Name]]);
}

/** The fields whose values are found. All operations take a boundary, which also finds records of reporting units. */
const TERM_KINDS = [
  { Kind: 'County', field: 'placeCounty', boundary: 'county:' },
  { Kind: 'HUC8', field: 'huc8', boundary: 'huc8:' },
  { Kind: 'HUC12', field: 'huc12', boundary: undefined },
  { Kind: 'Use', field: 'use', boundary: undefined },
  { Kind: 'Variable', field: 'variable', boundary: undefined },
] as const;

/** A value that folds alike in several data sets is one, as the first has it. */
async function listTerms(releases: readonly CatalogRelease[]): Promise<readonly FindResult[]> {
  const items = new Map<string, FindResult & { readonly RecordsCounts: Record<keyof RecordsCounts, number> }>();
  for (const release of releases) {
    const { organization, records, dataSet } = release.reader.facts;
    const { OrganizationUUID, OrganizationName: Name, OrganizationState: State } = organization;
    const add = (key: string, named: Named, filter: readonly [name: string, value: string], found: number): void => {
      const item = items.get(key) ?? { ...buildFoundItem(named, ZERO_COUNTS, [filter]), RecordsCounts: { ...ZERO_COUNTS } };
      item.RecordsCounts[OPERATIONS[dataSet]] += found;
      items.set(key, item);
    };
    const named: Named = { Kind: 'Organization', OrganizationUUID, Identifier: OrganizationUUID, Name, State };
    add(OrganizationUUID, named, [organizationUuid.name, OrganizationUUID], records);
    const vocabulary = await loadVocabulary(release);
    for (const { Kind, field, boundary } of TERM_KINDS) {
      for (const [value, found] of vocabulary[field] ?? []) {
        const filter = boundary === undefined ? createTermFilter(field).name : searchBoundary.name;
        add(toFilterTerm(field, value), toNamedTerm(Kind, value), [filter, `${boundary ?? ''}${value}`], found);
      }
    }
  }
  return [...items.values()];
}

function toNamedTerm(Kind: NamedKind, Identifier: string): Named {
  if (Kind === 'HUC8' || Kind === 'HUC12') return { Kind, Identifier };
  if (Kind !== 'County') return { Kind, Identifier, Name: Identifier };
  const [State = '', ...name] = Identifier.split('/');
  return { Kind, Identifier, Name: name.join('/'), State, County: name.join('/') };
}

/** By folded text, without those that are too short to be asked for. */
async function listOwners(releases: readonly CatalogRelease[]): Promise<ReadonlyMap<string, Owner>> {
  const owners = new Map<string, Owner>();
  for (const release of releases) {
    if (release.reader.facts.dataSet !== 'WaterAllocations') continue;
    const index = await loadOwnerIndex(release);
    for (let number = 0; number < index.ends.length; number++) {
      if (number % OWNERS_AT_ONCE === 0) await giveWayIfSliceOver();
      const text = getOwnerText(number, index);
      const owner = getOrAdd(owners, text, () => ({ release, number, rights: 0, records: 0 }));
      for (const [first, last] of listOwnerRuns(number, index)) owner.rights += last - first + 1;
    }
  }
  await countContainingOwners(owners);
  return new Map([...owners].filter(([text]) => allocationOwner.read(text).ok));
}

/** Owners between two looks at the clock. */
const OWNERS_AT_ONCE = 512;

/** Counts for each owner the rights of those that contain it, itself among them. */
async function countContainingOwners(owners: ReadonlyMap<string, Owner>): Promise<void> {
  const lengths = new Map<string, Set<number>>();
  const beginning = (text: string, start: number): string => text.slice(start, start + OWNER_CHARACTERS);
  for (const text of owners.keys()) getOrAdd(lengths, beginning(text, 0), () => new Set<number>()).add(text.length);
  let count = 0;
  for (const [text, { rights }] of owners) {
    if (count++ % OWNERS_AT_ONCE === 0) await giveWayIfSliceOver();
    const parts = new Set<Owner>();
    for (let start = 0; start < text.length; start++) {
      for (const length of lengths.get(beginning(text, start)) ?? []) {
        const part = start + length <= text.length ? owners.get(text.slice(start, start + length)) : undefined;
        if (part !== undefined) parts.add(part);
      }
    }
    for (const part of parts) part.records += rights;
  }
}
