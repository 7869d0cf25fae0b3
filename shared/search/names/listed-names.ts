// Owners, counties, watersheds, uses, variables and organizations by name (D60): each catalog state has one list, in
// the order of answers, through which a search goes. It knows how many rights AllocationOwner finds for each owner:
// those of every owner that contains it.

import { allocationOwner, organizationUuid, OWNER_CHARACTERS, searchBoundary, termFilter } from '../../query/filters';
import { filterTerm } from '../../query/text-filters';
import { NO_COUNTS, type FoundItem, type FoundKind, type RecordsCounts } from '../../records/found';
import { currentDeadline } from '../../store/deadline';
import { compareUtf8, foldName } from '../../values/text';
import { runsOfOwner, textOfOwner } from '../index/owner-index';
import { ownersOf, vocabularyOf } from '../index/release-index';
import { byteLengthOf, type SearchCaches } from '../index/search-caches';
import type { ReadRelease } from '../plan-page';
import { compareNames, compareRanks, foundItem, isIn, type FoundNames, type Named, type NameQuery } from './ranked';
import { OPERATIONS, textOf, textsOf } from './release-names';

/** A term as it is found, or an owner, whose name is read when it is shown. */
interface Listed {
  readonly kind: FoundKind;
  readonly records: number;
  readonly folded: string;
  readonly item: FoundItem | undefined;
  readonly owner: Owner | undefined;
}

interface Owner {
  /** The first release that has it, and its number there. */
  readonly release: ReadRelease;
  readonly number: number;
  /** How many rights it has. */
  rights: number;
  /** How many rights have an owner that contains it. */
  records: number;
}

interface NameList {
  readonly listed: readonly Listed[];
  /** Behind a line feed a line for each: the folded name, the identifier's words, # and its index, tabs between. */
  readonly lines: string;
  readonly byteLength: number;
}

export async function findListed(
  releases: readonly ReadRelease[],
  query: NameQuery,
  caches: SearchCaches,
): Promise<FoundNames> {
  const key = releases.map(({ reader }) => reader.facts.releaseId).join(' ');
  const make = (): Promise<NameList> => listNames(releases, caches);
  const list = await caches.partOf<NameList>('listedNames').remember(key, make, byteLengthOf);
  const byMatch = Map.groupBy(listedWithWords(list, query), ([match]) => match);
  const found = [...byMatch].sort(([a], [b]) => a - b).flatMap(([, some]) => some);
  return {
    total: found.length,
    rankAt: (index) => {
      const one = found[index];
      if (one === undefined) throw new RangeError(`no name at ${index}`);
      const [match, { records, kind }] = one;
      return { match, records, kind };
    },
    read: (from, to) => Promise.all(found.slice(from, to).map(([, listed]) => itemOf(listed, caches))),
  };
}

/** Goes through the lines by the longest word, which the fewest names have. */
function* listedWithWords({ lines, listed }: NameList, query: NameQuery): Iterable<readonly [number, Listed]> {
  const anchor = query.words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
  for (let at = lines.indexOf(anchor); at !== -1; at = lines.indexOf(anchor, at + 1)) {
    if (!' \n\t'.includes(lines.charAt(at - 1))) continue;
    const end = lines.indexOf('\n', at);
    const [folded = '', identifier = '', index] = lines.slice(lines.lastIndexOf('\n', at) + 1, end).split('\t');
    at = end - 1;
    const one = listed[Number(index?.slice(1))];
    const match = matchOf(query.words, folded, identifier);
    if (match === undefined || one === undefined) continue;
    if (query.kinds.has(one.kind) && isIn(query, one.item?.State ?? null)) yield [match, one];
  }
}

/** As Rank says; undefined where a word of the query begins no word. */
function matchOf(words: readonly string[], folded: string, identifier: string): number | undefined {
  const query = words.join(' ');
  const inName = folded.split(' ');
  const all = [...inName, ...identifier.split(' ')];
  if (!words.every((word) => all.some((one) => one.startsWith(word)))) return undefined;
  let inOrder = 0;
  for (const word of inName) if (inOrder < words.length && word.startsWith(words[inOrder] ?? '')) inOrder++;
  const claims = [identifier === query, folded === query, folded.startsWith(query), inOrder === words.length, true];
  return claims.indexOf(true);
}

async function listNames(releases: readonly ReadRelease[], caches: SearchCaches): Promise<NameList> {
  const terms = (await termsOf(releases, caches)).map((item): Listed => {
    const { SiteVariableAmounts, AggregatedAmounts, SiteAllocationAmounts } = item.RecordsCounts;
    const records = SiteVariableAmounts + AggregatedAmounts + SiteAllocationAmounts;
    return { kind: item.Kind, records, folded: foldName(item.Name ?? ''), item, owner: undefined };
  });
  const owners = [...(await listOwners(releases, caches))].map(([text, owner]): Listed => {
    return { kind: 'Owner', records: owner.records, folded: foldName(text), item: undefined, owner };
  });
  // Those that only differ in what folding leaves out are told apart by their names.
  const groups = [...Map.groupBy(owners, ({ records, folded }) => `${records} ${folded}`).values()];
  const alike = groups.filter(({ length }) => length > 1).flat();
  const known = new Map(await Promise.all(alike.map(async (one) => [one, await itemOf(one, caches)] as const)));
  const all = [...terms, ...owners.map((one) => ({ ...one, item: known.get(one) }))];
  const listed = all.sort(
    (a, b) =>
      compareRanks({ ...a, match: 0 }, { ...b, match: 0 }) ||
      compareUtf8(a.folded, b.folded) ||
      (a.item && b.item ? compareNames(a.item, b.item) : 0),
  );
  const lines = listed
    .map(({ folded, item }, at) => `${folded}\t${foldName(item?.Identifier ?? '')}\t#${at}\n`)
    .join('');
  const byteLength = 2 * lines.length + OWNER_BYTES * owners.length + TERM_BYTES * terms.length;
  return { listed, lines: `\n${lines}`, byteLength };
}

/** About what an owner and a term take in memory beside their lines. */
const OWNER_BYTES = 160;
const TERM_BYTES = 600;

async function itemOf({ item, owner }: Listed, caches: SearchCaches): Promise<FoundItem> {
  if (item !== undefined) return item;
  if (owner === undefined) throw new Error('a name of nothing');
  const { release, number, records } = owner;
  const [[first] = [0]] = runsOfOwner(number, await ownersOf({ reader: release.reader, caches }));
  const [text] = await textsOf([first], (numbers) => release.reader.records(numbers));
  const Name = textOf(text?.item ?? {}, 'AllocationOwner') ?? '';
  const counts = { ...NO_COUNTS, SiteAllocationAmounts: records };
  return foundItem({ Kind: 'Owner', Name }, counts, [[allocationOwner.name, Name]]);
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
async function termsOf(releases: readonly ReadRelease[], caches: SearchCaches): Promise<readonly FoundItem[]> {
  const items = new Map<string, FoundItem & { readonly RecordsCounts: Record<keyof RecordsCounts, number> }>();
  for (const release of releases) {
    const { organization, records, dataSet } = release.reader.facts;
    const { OrganizationUUID, OrganizationName: Name, OrganizationState: State } = organization;
    const add = (key: string, named: Named, filter: readonly [name: string, value: string], found: number): void => {
      const item = items.get(key) ?? { ...foundItem(named, NO_COUNTS, [filter]), RecordsCounts: { ...NO_COUNTS } };
      item.RecordsCounts[OPERATIONS[dataSet]] += found;
      items.set(key, item);
    };
    const named: Named = { Kind: 'Organization', OrganizationUUID, Identifier: OrganizationUUID, Name, State };
    add(OrganizationUUID, named, [organizationUuid.name, OrganizationUUID], records);
    const vocabulary = await vocabularyOf({ reader: release.reader, caches });
    for (const { Kind, field, boundary } of TERM_KINDS) {
      for (const [value, found] of vocabulary[field] ?? []) {
        const filter = boundary === undefined ? termFilter(field).name : searchBoundary.name;
        add(filterTerm(field, value), namedTerm(Kind, value), [filter, `${boundary ?? ''}${value}`], found);
      }
    }
  }
  return [...items.values()];
}

function namedTerm(Kind: FoundKind, Identifier: string): Named {
  if (Kind === 'HUC8' || Kind === 'HUC12') return { Kind, Identifier };
  if (Kind !== 'County') return { Kind, Identifier, Name: Identifier };
  const [State = '', ...name] = Identifier.split('/');
  return { Kind, Identifier, Name: name.join('/'), State, County: name.join('/') };
}

/** By folded text, without those that are too short to be asked for. */
async function listOwners(releases: readonly ReadRelease[], caches: SearchCaches): Promise<ReadonlyMap<string, Owner>> {
  const owners = new Map<string, Owner>();
  for (const release of releases) {
    if (release.reader.facts.dataSet !== 'WaterAllocations') continue;
    const index = await ownersOf({ reader: release.reader, caches });
    for (let number = 0; number < index.ends.length; number++) {
      await giveWay(number);
      const text = textOfOwner(number, index);
      const owner = owners.get(text) ?? { release, number, rights: 0, records: 0 };
      for (const [first, last] of runsOfOwner(number, index)) owner.rights += last - first + 1;
      owners.set(text, owner);
    }
  }
  await countContaining(owners);
  return new Map([...owners].filter(([text]) => allocationOwner.read(text, READING).ok));
}

/** Owners are read alike whatever the settings are. */
const READING = { slashDateOrder: 'MDY' } as const;

/** Counts for each owner the rights of those that contain it, itself among them. */
async function countContaining(owners: ReadonlyMap<string, Owner>): Promise<void> {
  const lengths = new Map<string, Set<number>>();
  const beginning = (text: string, start: number): string => text.slice(start, start + OWNER_CHARACTERS);
  for (const text of owners.keys()) {
    const known = lengths.get(beginning(text, 0)) ?? new Set();
    lengths.set(beginning(text, 0), known.add(text.length));
  }
  let count = 0;
  for (const [text, { rights }] of owners) {
    await giveWay(count++);
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

/** Owners between two looks at the clock. */
const OWNERS_BETWEEN = 512;

async function giveWay(count: number): Promise<void> {
  const deadline = currentDeadline();
  if (count % OWNERS_BETWEEN === 0 && deadline.isSliceOver()) await deadline.giveWay();
}
