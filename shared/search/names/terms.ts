// Counties, watersheds, uses, variables and organizations by name, over all data sets of a state (D60): as many as the
// vocabularies have values, so a search goes through all of them.

import { organizationUuid, searchBoundary, termFilter } from '../../query/filters';
import { filterTerm } from '../../query/text-filters';
import { NO_COUNTS, type FoundItem, type FoundKind, type RecordsCounts } from '../../records/found';
import { foldName } from '../../values/text';
import { vocabularyOf } from '../index/release-index';
import type { SearchCaches } from '../index/search-caches';
import type { ReadRelease } from '../plan-page';
import {
  compareRanked,
  foundItem,
  isIn,
  itemsInOrder,
  matchOf,
  type FoundNames,
  type Named,
  type NameQuery,
  type RankedItem,
} from './ranked';
import { OPERATIONS } from './release-names';

/** The fields whose values are found. All operations take a boundary, which also finds records of reporting units. */
const TERM_KINDS = [
  { Kind: 'County', field: 'placeCounty', boundary: 'county:' },
  { Kind: 'HUC8', field: 'huc8', boundary: 'huc8:' },
  { Kind: 'HUC12', field: 'huc12', boundary: undefined },
  { Kind: 'Use', field: 'use', boundary: undefined },
  { Kind: 'Variable', field: 'variable', boundary: undefined },
] as const;

/** A term with its words as matches are found by. */
interface NamedTerm {
  readonly item: FoundItem;
  readonly folded: string;
  readonly identifier: string;
}

export async function findTerms(
  releases: readonly ReadRelease[],
  query: NameQuery,
  caches: SearchCaches,
): Promise<FoundNames> {
  const key = releases.map(({ reader }) => reader.facts.releaseId).join(' ');
  const terms = await caches.partOf<readonly NamedTerm[]>('namedTerms').remember(
    key,
    () => termsOf(releases, caches),
    (all) => all.length * TERM_BYTES,
  );
  const found: RankedItem[] = [];
  for (const { item, folded, identifier } of terms) {
    if (!query.kinds.has(item.Kind) || !isIn(query, item.State)) continue;
    const match = matchOf(query, { folded, identifier });
    if (match !== undefined) found.push({ match, records: recordsOf(item.RecordsCounts), item });
  }
  return { total: found.length, ranked: itemsInOrder(found.sort(compareRanked), (batch) => Promise.resolve(batch)) };
}

/** About what a term takes in memory. */
const TERM_BYTES = 600;

/** A value that folds alike in several data sets is one, as the first has it. */
async function termsOf(releases: readonly ReadRelease[], caches: SearchCaches): Promise<readonly NamedTerm[]> {
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
    const vocabulary = await vocabularyOf(release.reader, caches);
    for (const { Kind, field, boundary } of TERM_KINDS) {
      for (const [value, found] of vocabulary[field] ?? []) {
        const filter = boundary === undefined ? termFilter(field).name : searchBoundary.name;
        add(filterTerm(field, value), namedTerm(Kind, value), [filter, `${boundary ?? ''}${value}`], found);
      }
    }
  }
  return [...items.values()].map((item) => {
    return { item, folded: foldName(item.Name ?? ''), identifier: foldName(item.Identifier ?? '') };
  });
}

function namedTerm(Kind: FoundKind, Identifier: string): Named {
  if (Kind === 'HUC8' || Kind === 'HUC12') return { Kind, Identifier };
  if (Kind !== 'County') return { Kind, Identifier, Name: Identifier };
  const [State = '', ...name] = Identifier.split('/');
  return { Kind, Identifier, Name: name.join('/'), State, County: name.join('/') };
}

function recordsOf(counts: RecordsCounts): number {
  return counts.SiteVariableAmounts + counts.AggregatedAmounts + counts.SiteAllocationAmounts;
}
