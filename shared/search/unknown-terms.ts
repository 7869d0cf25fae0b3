// Finds values of a query that no data has, and the values of the data that they may be misspellings of.

import { nearestNames } from '../values/text';
import type { DataSetKind } from '../records/data-sets';
import type { CatalogEntry, CatalogState } from '../store/catalog-types';
import { DeadlinePassedError } from '../store/deadline';
import { StoreUnavailableError } from '../store/port';
import { isOneOf } from '../query/condition';
import { filterFields, filterTerm, type FilterField } from '../query/text-filters';
import { canMatch } from './evaluate';
import { openEntry, vocabularyOf } from './index/release-index';
import type { SearchContext, Searched } from './index/search-caches';

/** A field and the values that were asked for, any of which would do. */
export interface AskedField {
  readonly field: FilterField;
  readonly values: readonly string[];
}

export interface UnknownValue {
  readonly value: string;
  /** Values of the data, the nearest first; none for identifiers and codes. */
  readonly nearest: readonly string[];
}

const MOST_NEAREST = 3;

/** Bounds what a suggestion may cost; real data has some thousand values of its largest field. */
const MOST_CANDIDATES = 10_000;

/** The first value of the field when no release of the data sets has any of them, else undefined. */
export async function unknownValue(
  context: SearchContext,
  state: CatalogState,
  dataSets: readonly DataSetKind[],
  { field, values }: AskedField,
): Promise<UnknownValue | undefined> {
  const [value] = values;
  if (value === undefined) return undefined;
  const entries = state.entries.filter(({ dataSet }) => dataSets.includes(dataSet));
  const releases = await openAll(context, entries);
  if (releases === undefined) return undefined;
  for (const release of releases) if (await canMatch(release, isOneOf(field, values))) return undefined;
  const { values: kind } = filterFields[field];
  // Any two codes are near one another, and mean nothing to one another.
  if (kind === 'code' || kind === 'boolean') return { value, nearest: [] };
  /** Each value by the folded text that it is compared by. */
  const candidates = new Map<string, string>();
  for (const release of releases) {
    for (const [candidate] of (await vocabularyOf(release))[field] ?? []) {
      const folded = foldedOf(field, candidate);
      if (candidates.size < MOST_CANDIDATES && !candidates.has(folded)) candidates.set(folded, candidate);
    }
  }
  const nearest = nearestNames(foldedOf(field, value), candidates.keys(), MOST_NEAREST);
  return { value, nearest: nearest.map((folded) => candidates.get(folded) ?? folded) };
}

/** Undefined when one of them cannot be read: whether a value is in the data is not known then. */
async function openAll(
  { store, caches }: SearchContext,
  entries: readonly CatalogEntry[],
): Promise<readonly Searched[] | undefined> {
  try {
    return await Promise.all(entries.map(async (entry) => ({ reader: await openEntry(store, entry), caches })));
  } catch (error) {
    if (error instanceof StoreUnavailableError || error instanceof DeadlinePassedError) throw error;
    return undefined;
  }
}

/** The value as the field compares it. */
function foldedOf(field: FilterField, value: string): string {
  return filterTerm(field, value).slice(field.length + 1);
}
