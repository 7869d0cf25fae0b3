// Maps the codes of a column to the values of a filter field: which column has the field, and which values each code
// stands for.

import { type FilterField, isPlaceIdentifier } from '../../query/filter-fields';
import { CHUNK_RECORDS, type OrdinalColumn } from '../../store/artifacts';
import type { NarrowNumbers } from '../../values/bytes/sections';
import {
  loadColumnDirectory,
  loadOrdinalChunk,
  loadPeriodColumn,
  loadPlaceCodes,
  loadPlaceColumns,
  loadPlaceIdentifiers,
  loadVocabulary,
} from './release-index';
import type { SearchableRelease } from './search-caches';

/** The columns that have a code for each record. */
export type CodeColumn = OrdinalColumn | 'place' | 'period';

/**
 * The first codes stand for one value each. The codes after them stand for lists of items, such as places or uses, and
 * each item has a value.
 */
export interface FieldCodes {
  readonly column: CodeColumn;
  /** Keyed by code: the ordinal of its value; 0 for no value. */
  readonly ordinals: ArrayLike<number>;
  /** Keyed by code minus `ordinals.length`: the items of the list. */
  readonly lists: readonly (readonly number[])[];
  /**
   * Keyed by item: the ordinal of its value. The lists of a release of rights have a million items, so lists of
   * ordinals are not built.
   */
  readonly itemOrdinals: ArrayLike<number>;
  /** For uses, keyed by list: the primary item plus one; 0 for no primary item. */
  readonly primaryItems?: readonly number[];
}

const NO_LISTS = { lists: [], itemOrdinals: [] } as const;

/**
 * Returns the values in the order of their ordinals, which begin at 1. Each value is spelled as it first appears in the
 * release.
 */
export async function loadFieldValues(field: FilterField, release: SearchableRelease): Promise<readonly string[]> {
  if (isPlaceIdentifier(field)) return loadPlaceIdentifiers(release);
  return ((await loadVocabulary(release))[field] ?? []).map(([value]) => value);
}

export async function loadFieldCodes(field: FilterField, release: SearchableRelease): Promise<FieldCodes> {
  const directory = await loadColumnDirectory(release);
  const { variable, use, source, rowTerms } = directory.values;
  const useOrdinals = use[field];
  if (useOrdinals !== undefined) {
    const { useSets, primaryUses } = directory;
    return { column: 'useSet', ordinals: [], lists: useSets, itemOrdinals: useOrdinals, primaryItems: primaryUses };
  }
  if (isPlaceIdentifier(field) || directory.placeFields.includes(field)) return loadPlaceFieldCodes(field, release);
  const variableOrdinals = variable[field];
  if (variableOrdinals !== undefined) return { column: 'variable', ordinals: variableOrdinals, ...NO_LISTS };
  const sourceOrdinals = source[field];
  if (sourceOrdinals !== undefined) return { column: 'source', ordinals: [0, ...sourceOrdinals], ...NO_LISTS };
  return { column: 'rowTerms', ordinals: rowTerms[field] ?? [], ...NO_LISTS };
}

async function loadPlaceFieldCodes(field: FilterField, release: SearchableRelease): Promise<FieldCodes> {
  const { placeCount, sets } = await loadPlaceCodes(release);
  const ordinalsByRank = isPlaceIdentifier(field)
    ? Uint32Array.from({ length: placeCount }, (_, rank) => rank + 1)
    : ((await loadPlaceColumns(release)).values[field] ?? new Uint8Array());
  // Code 0 means no place; every other code is a rank plus one.
  const ordinals = new Uint32Array(1 + ordinalsByRank.length);
  ordinals.set(ordinalsByRank, 1);
  return { column: 'place', ordinals, lists: sets, itemOrdinals: ordinalsByRank };
}

/** Calls `visit` with each code and the ordinal of each of its items; 0 for an item without a value. */
export function visitOrdinals(
  { ordinals, lists, itemOrdinals }: FieldCodes,
  visit: (code: number, ordinal: number) => void,
): void {
  for (let code = 0; code < ordinals.length; code++) visit(code, ordinals[code] ?? 0);
  lists.forEach((list, index) => {
    for (const item of list) visit(ordinals.length + index, itemOrdinals[item] ?? 0);
  });
}

/** Loads the codes of the records of a chunk. */
export async function loadCodeChunk(
  release: SearchableRelease,
  column: CodeColumn,
  chunk: number,
): Promise<NarrowNumbers> {
  const first = chunk * CHUNK_RECORDS;
  switch (column) {
    case 'place':
      return (await loadPlaceCodes(release)).codes.subarray(first, first + CHUNK_RECORDS);
    case 'period':
      return (await loadPeriodColumn(release, 'periods')).codes.subarray(first, first + CHUNK_RECORDS);
    case 'variable':
    case 'method':
    case 'source':
    case 'useSet':
    case 'reportYear':
    case 'rowTerms':
      return loadOrdinalChunk(release, column, chunk);
  }
}
