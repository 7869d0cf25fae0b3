// Cells divide the records of a release before they are grouped: each record is in exactly one cell, and all records of
// a cell are in the same groups. The key of a cell combines the class of its records on each axis.

import type { NarrowNumbers } from '../values/bytes/sections';
import { numberAt } from '../values/number-arrays';

/** If there are at most this many keys, an array with one element per key assigns the numbers. */
const MAX_TABLE_KEYS = 1 << 20;

/** Numbers the keys of cells in order of first occurrence. */
export class CellNumbers {
  /** Keyed by number. */
  private readonly keys: number[] = [];
  /** Keyed by cell key: the number of the cell, plus one. */
  private readonly table: Uint32Array | Map<number, number>;

  /** All keys must be less than `space`. */
  constructor(space: number) {
    this.table = space <= MAX_TABLE_KEYS ? new Uint32Array(space) : new Map();
  }

  get count(): number {
    return this.keys.length;
  }

  getKey(cell: number): number {
    return numberAt(this.keys, cell);
  }

  /** Writes the cell of each of the first `count` keys to `cells`. */
  writeNumbers(keys: Float64Array, count: number, cells: Uint32Array): void {
    for (let index = 0; index < count; index++) cells[index] = this.getNumber(keys[index] ?? 0);
  }

  /** Returns the number of a key's cell. Adds a cell if the key is new. */
  getNumber(key: number): number {
    const { table, keys } = this;
    const entry = table instanceof Map ? table.get(key) : table[key];
    if (entry !== undefined && entry !== 0) return entry - 1;
    const newEntry = keys.push(key);
    if (table instanceof Map) table.set(key, newEntry);
    else table[key] = newEntry;
    return newEntry - 1;
  }
}

/** Writes the class on each axis to `classes`. The key must have been built with the same strides. */
export function readClasses(key: number, strides: readonly number[], classes: number[]): void {
  let rest = key;
  for (let axis = strides.length - 1; axis >= 0; axis--) {
    const stride = strides[axis] ?? 1;
    const classNumber = Math.floor(rest / stride);
    rest -= classNumber * stride;
    classes[axis] = classNumber;
  }
}

/** Computes the stride of each axis (how much a key grows from one class to the next) and the number of keys. */
export function computeStrides(classCounts: readonly number[]): {
  readonly strides: readonly number[];
  readonly space: number;
} {
  let space = 1;
  const strides = classCounts.map((count) => {
    const stride = space;
    space *= count;
    return stride;
  });
  return { strides, space };
}

/** The codes of records in a column, and the amount that each code adds to the key of a record's cell. */
export interface CodesWithAddends {
  readonly codes: NarrowNumbers;
  readonly addends: Float64Array;
}

/** Adds to `keys[i]` the addend of the code at `positions[i]`. */
export function addCodes(keys: Float64Array, positions: Uint32Array, { codes, addends }: CodesWithAddends): void {
  for (let index = 0; index < positions.length; index++) {
    keys[index] = (keys[index] ?? 0) + (addends[codes[positions[index] ?? 0] ?? 0] ?? 0);
  }
}
