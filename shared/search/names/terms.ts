// Counties, watersheds, uses, variables and organizations by name, over all data sets of a state (D60): as many as the
// vocabularies have values, so a search goes through all of them.

import { organizationUuid, searchBoundary, termFilter } from '../../query/filters';
import { filterTerm, type FilterField } from '../../query/text-filters';
import { NO_COUNTS, type FoundItem, type FoundKind, type RecordsCounts } from '../../records/found';
import { foldName } from '../../values/text';
import { vocabularyOf } from '../index/release-index';
import type { SearchCaches } from '../index/search-caches';
import type { ReadRelease } from '../plan-page';
import { compareRanked, filterText, isIn, matchOf, type FoundNames, type NameQuery, type RankedItem } from './ranked';
import { OPERATIONS } from './release-names';

/** How the values of a field are found, and how they are asked for. */
interface TermKind {
  readonly kind: FoundKind;
  readonly field: FilterField;
  readonly filter: (value: string) => readonly [name: string, value: string];
  readonly name: (value: string) => Pick<FoundItem, 'Name' | 'State' | 'County'>;
}

const NOWHERE = { State: null, County: null };

/** All operations take a boundary, by which the records of reporting units are found as well. */
const TERM_KINDS: readonly TermKind[] = [
  {
    ...{ kind: 'County', field: 'placeCounty', filter: (value) => [searchBoundary.name, `county:${value}`] },
    name: (value) => {
      const [State = '', ...name] = value.split('/');
      return { Name: name.join('/'), State, County: name.join('/') };
    },
  },
  {
    ...{ kind: 'HUC8', field: 'huc8', filter: (value) => [searchBoundary.name, `huc8:${value}`] },
    name: () => ({ Name: null, ...NOWHERE }),
  },
  { kind: 'HUC12', field: 'huc12', filter: plainFilter('huc12'), name: () => ({ Name: null, ...NOWHERE }) },
  { kind: 'Use', field: 'use', filter: plainFilter('use'), name: (Name) => ({ Name, ...NOWHERE }) },
  { kind: 'Variable', field: 'variable', filter: plainFilter('variable'), name: (Name) => ({ Name, ...NOWHERE }) },
];

function plainFilter(field: 'huc12' | 'use' | 'variable'): TermKind['filter'] {
  const { name } = termFilter(field);
  return (value) => [name, value];
}

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
  return { total: found.length, ranked: found.sort(compareRanked) };
}

/** About what a term takes in memory. */
const TERM_BYTES = 600;

/** A value that folds alike in several data sets is one, as the first has it. */
async function termsOf(releases: readonly ReadRelease[], caches: SearchCaches): Promise<readonly NamedTerm[]> {
  const items = new Map<string, FoundItem & { readonly RecordsCounts: Record<keyof RecordsCounts, number> }>();
  const count = (key: string, release: ReadRelease, records: number, describe: () => Described): void => {
    const item = items.get(key) ?? { ...describe(), RecordsCounts: { ...NO_COUNTS } };
    item.RecordsCounts[OPERATIONS[release.reader.facts.dataSet]] += records;
    items.set(key, item);
  };
  for (const release of releases) {
    const { organization, records } = release.reader.facts;
    const { OrganizationUUID, OrganizationName: Name, OrganizationState: State } = organization;
    count(OrganizationUUID, release, records, () => ({
      ...{ Kind: 'Organization', OrganizationUUID, Identifier: OrganizationUUID, Name, State, County: null },
      Filter: filterText([organizationUuid.name, OrganizationUUID]),
    }));
    const vocabulary = await vocabularyOf(release.reader, caches);
    for (const { kind, field, filter, name } of TERM_KINDS) {
      for (const [value, withValue] of vocabulary[field] ?? []) {
        count(filterTerm(field, value), release, withValue, () => ({
          ...{
            Kind: kind,
            OrganizationUUID: null,
            Identifier: value,
            ...name(value),
            Filter: filterText(filter(value)),
          },
        }));
      }
    }
  }
  return [...items.values()].map(({ Filter, RecordsCounts, ...described }) => {
    // Members stand in the order of the answer.
    const item = { ...described, RecordsCounts, Filter };
    return { item, folded: foldName(item.Name ?? ''), identifier: foldName(item.Identifier ?? '') };
  });
}

type Described = Omit<FoundItem, 'RecordsCounts'>;

function recordsOf(counts: RecordsCounts): number {
  return counts.SiteVariableAmounts + counts.AggregatedAmounts + counts.SiteAllocationAmounts;
}
