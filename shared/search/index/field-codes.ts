// The values of filter fields by the codes of columns: which column tells them, and what its codes stand for.

import type { FilterField } from '../../query/text-filters';
import { CHUNK_RECORDS, type OrdinalColumn } from '../../store/artifacts';
import type { NarrowNumbers } from '../../values/bytes/sections';
import { columnDirectoryOf, ordinalChunkOf, periodColumnOf, placeCodesOf, placeColumnsOf } from './release-index';
import type { Searched } from './search-caches';

/** The columns that have a code for each record. */
export type CodeColumn = OrdinalColumn | 'place' | 'period';

export interface FieldCodes {
  readonly column: CodeColumn;
  /** By code the ordinal of the one value that it stands for; 0 for none. */
  readonly ordinals: ArrayLike<number>;
  /** The codes after these stand for several items, such as places or uses. */
  readonly lists: readonly (readonly number[])[];
  /** By item its ordinal. A release of rights has a million items in its lists, so lists of ordinals are not made. */
  readonly ordinalsOfItems: ArrayLike<number>;
}

/** The column whose codes give the values of a field. */
export async function codesOfField(field: FilterField, searched: Searched): Promise<FieldCodes> {
  const directory = await columnDirectoryOf(searched);
  const { variable, use, source, rowTerms } = directory.values;
  const ofUse = use[field];
  if (ofUse !== undefined) {
    return { column: 'useSet', ordinals: [], lists: directory.useSets, ordinalsOfItems: ofUse };
  }
  if (directory.placeFields.includes(field)) {
    const { values } = await placeColumnsOf(searched);
    const { sets } = await placeCodesOf(searched);
    const ranks = values[field] ?? new Uint8Array();
    const ordinals = new Uint32Array(1 + ranks.length);
    ordinals.set(ranks, 1);
    return { column: 'place', ordinals, lists: sets, ordinalsOfItems: ranks };
  }
  const ofVariable = variable[field];
  if (ofVariable !== undefined) return { column: 'variable', ordinals: ofVariable, ...NO_LISTS };
  const ofSource = source[field];
  if (ofSource !== undefined) return { column: 'source', ordinals: [0, ...ofSource], ...NO_LISTS };
  return { column: 'rowTerms', ordinals: rowTerms[field] ?? [], ...NO_LISTS };
}

const NO_LISTS = { lists: [], ordinalsOfItems: [] } as const;

/** The codes of the records of a chunk. */
export async function chunkOfCodes(searched: Searched, column: CodeColumn, chunk: number): Promise<NarrowNumbers> {
  const first = chunk * CHUNK_RECORDS;
  switch (column) {
    case 'place':
      return (await placeCodesOf(searched)).codes.subarray(first, first + CHUNK_RECORDS);
    case 'period':
      return (await periodColumnOf(searched, 'periods')).codes.subarray(first, first + CHUNK_RECORDS);
    case 'variable':
    case 'method':
    case 'source':
    case 'useSet':
    case 'reportYear':
    case 'rowTerms':
      return ordinalChunkOf(searched, column, chunk);
  }
}
