// The keys of cells: what the codes of a record in the columns of all axes add up to.

import type { ClassColumn } from '../../search/columns/column-classes';
import type { Axis } from '../dimensions/axes';
import type { RunCursor } from './record-runs';
import { stridesOf, type CellNumbers, type Codes, type Keys } from './cells';

/** What each code of a column adds to a key. */
export type Addends = ReadonlyMap<ClassColumn, Keys>;

export interface CodesWithAddends {
  readonly codes: Codes;
  readonly addends: Keys;
}

/** For each column that an axis goes by. */
export function addendsOf(axes: readonly Axis[], cells: CellNumbers): Addends {
  const { strides } = stridesOf(axes.map(({ classes }) => classes));
  const addends = new Map<ClassColumn, Keys>();
  axes.forEach(({ column, classOf, classes }, index) => {
    if (classes < 2) return;
    const stride = strides[index] ?? 0;
    const table = addends.get(column) ?? cells.newKeys(classOf.length);
    addends.set(column, table);
    for (let code = 0; code < classOf.length; code++) {
      table[code] = (table[code] ?? 0) + (classOf[code] ?? 0) * stride;
    }
  });
  return addends;
}

/** What the codes of one record add up to. */
export function keyAt(position: number, columns: readonly CodesWithAddends[]): number {
  let key = 0;
  for (const { codes, addends } of columns) key += addends[codes[position] ?? 0] ?? 0;
  return key;
}

/** Adds to each of the keys what the code at its position stands for. */
export function addCodes(keys: Keys, positions: Uint32Array, { codes, addends }: CodesWithAddends): void {
  for (let index = 0; index < positions.length; index++) {
    keys[index] = (keys[index] ?? 0) + (addends[codes[positions[index] ?? 0] ?? 0] ?? 0);
  }
}

/** Writes what the columns that runs share add up to: once for each run. */
export function writeRunKeys(
  keys: Keys,
  positions: Uint32Array,
  columns: readonly CodesWithAddends[],
  cursor: RunCursor,
): void {
  let key = 0;
  for (let index = 0, end = 0; index < positions.length; index++) {
    const position = positions[index] ?? 0;
    if (position >= end) {
      if (position >= cursor.end) cursor.moveTo(position);
      key = keyAt(position, columns);
      end = cursor.end;
    }
    keys[index] = key;
  }
}
