// The values of filter fields by the codes of columns: which column tells them, and what its codes stand for.

import type { FilterField } from '../query/filter-terms';
import { CHUNK_RECORDS } from '../store/artifacts';
import type { ReleaseReader } from '../store/port';
import type { CodeColumn } from './columns/column-classes';
import type { FieldValues, Ordinals } from './columns/column-format';
import { columnDirectoryOf, ordinalChunkOf, placeCodesOf, placeColumnsOf } from './release-columns';
import { periodColumnOf } from './release-index';
import type { SearchCaches } from './search-caches';

export interface FieldCodes {
  readonly column: CodeColumn;
  /** By code the ordinal of the one value that it stands for; 0 for none. */
  readonly ordinals: ArrayLike<number>;
  /** The ordinals of the codes after these, which stand for several values. */
  readonly lists: readonly (readonly number[])[];
}

/** The column whose codes give the values of a field. */
export async function codesOfField(
  field: FilterField,
  { reader, caches }: { readonly reader: ReleaseReader; readonly caches: SearchCaches },
): Promise<FieldCodes> {
  const directory = await columnDirectoryOf(reader, caches);
  const { variable, use, source, rowTerms } = directory.values;
  const ordinalsIn = (values: FieldValues): readonly number[] | undefined => values[field];
  const ofUse = ordinalsIn(use);
  if (ofUse !== undefined) {
    const lists = directory.useSets.map((uses) => uses.map((number) => ofUse[number] ?? 0));
    return { column: 'useSet', ordinals: [], lists };
  }
  if (directory.placeFields.includes(field)) {
    const { values } = await placeColumnsOf(reader, caches);
    const { sets } = await placeCodesOf(reader, caches);
    const ranks = values[field] ?? new Uint8Array();
    const ordinals = new Uint32Array(1 + ranks.length);
    ordinals.set(ranks, 1);
    return { column: 'place', ordinals, lists: sets.map((set) => set.map((rank) => ranks[rank] ?? 0)) };
  }
  const ofVariable = ordinalsIn(variable);
  if (ofVariable !== undefined) return { column: 'variable', ordinals: ofVariable, lists: [] };
  const ofSource = ordinalsIn(source);
  if (ofSource !== undefined) return { column: 'source', ordinals: [0, ...ofSource], lists: [] };
  return { column: 'rowTerms', ordinals: ordinalsIn(rowTerms) ?? [], lists: [] };
}

/** The codes of the records of a chunk. */
export async function chunkOfCodes(
  reader: ReleaseReader,
  column: CodeColumn,
  chunk: number,
  caches: SearchCaches,
): Promise<Ordinals> {
  const first = chunk * CHUNK_RECORDS;
  switch (column) {
    case 'place':
      return (await placeCodesOf(reader, caches)).codes.subarray(first, first + CHUNK_RECORDS);
    case 'period':
      return (await periodColumnOf(reader, 'periods', caches)).codes.subarray(first, first + CHUNK_RECORDS);
    case 'variable':
    case 'method':
    case 'source':
    case 'useSet':
    case 'reportYear':
    case 'rowTerms':
      return ordinalChunkOf(reader, column, chunk, caches);
  }
}
