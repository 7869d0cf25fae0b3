// The owners of the rights of a catalog state, each with the number of rights that the parameter AllocationOwner finds
// (D60): the rights of every owner whose text contains this owner.

import { allocationOwner, MIN_OWNER_CHARACTERS } from '../../query/filters';
import { type FindResult, ZERO_COUNTS } from '../../records/find-results';
import { giveWayIfSliceOver } from '../../store/deadline';
import { getOrAdd } from '../../values/maps';
import { listOwnerRuns } from '../index/owner-index';
import { loadOwnerIndex } from '../index/release-index';
import { getLine } from '../index/text-lines';
import type { CatalogRelease } from '../open-releases';
import { buildFoundItem } from './found-item';
import { getText, readItems } from './read-items';

export interface Owner {
  /** The first release that has the owner, and the owner's number in that release. */
  readonly release: CatalogRelease;
  readonly number: number;
  /** The number of rights of this owner alone. */
  rights: number;
  /** The number of rights of all owners whose text contains this owner. */
  records: number;
}

/** Number of owners between two checks of the clock. */
const OWNERS_AT_ONCE = 512;

/** Returns the owners by folded text, except those that are too short to be a filter. */
export async function listOwners(releases: readonly CatalogRelease[]): Promise<ReadonlyMap<string, Owner>> {
  const owners = new Map<string, Owner>();
  for (const release of releases) {
    if (release.reader.facts.dataSet !== 'WaterAllocations') continue;
    const index = await loadOwnerIndex(release);
    for (let number = 0; number < index.ends.length; number++) {
      if (number % OWNERS_AT_ONCE === 0) await giveWayIfSliceOver();
      const text = getLine(index, number);
      const owner = getOrAdd(owners, text, () => ({ release, number, rights: 0, records: 0 }));
      for (const [first, last] of listOwnerRuns(number, index)) owner.rights += last - first + 1;
    }
  }
  await countContainingOwners(owners);
  return new Map([...owners].filter(([text]) => allocationOwner.read(text).ok));
}

/** Adds the rights of each owner to the records of all owners that it contains, itself included. */
async function countContainingOwners(owners: ReadonlyMap<string, Owner>): Promise<void> {
  // The lengths of the owners, keyed by their first characters.
  const lengths = new Map<string, Set<number>>();
  const getBeginning = (text: string, start: number): string => text.slice(start, start + MIN_OWNER_CHARACTERS);
  for (const text of owners.keys()) getOrAdd(lengths, getBeginning(text, 0), () => new Set<number>()).add(text.length);
  let count = 0;
  for (const [text, { rights }] of owners) {
    if (count % OWNERS_AT_ONCE === 0) await giveWayIfSliceOver();
    count++;
    const contained = new Set<Owner>();
    for (let start = 0; start < text.length; start++) {
      for (const length of lengths.get(getBeginning(text, start)) ?? []) {
        const owner = start + length <= text.length ? owners.get(text.slice(start, start + length)) : undefined;
        if (owner !== undefined) contained.add(owner);
      }
    }
    for (const owner of contained) owner.records += rights;
  }
}

export async function readOwner({ release, number, records }: Owner): Promise<FindResult> {
  const [[first] = [0]] = listOwnerRuns(number, await loadOwnerIndex(release));
  const items = await readItems(release.reader, 'records', [first]);
  const Name = getText(items.get(first), 'AllocationOwner') ?? '';
  const counts = { ...ZERO_COUNTS, SiteAllocationAmounts: records };
  return buildFoundItem({ Kind: 'Owner', Name }, counts, [[allocationOwner.name, Name]]);
}
