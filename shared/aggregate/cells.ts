// Cells are what the records of a release are divided into before they are grouped: a record is in one cell, and all
// records of a cell are in the same groups. A cell has a key, made of the class of the record on each axis.

import type { NarrowNumbers } from '../values/bytes/sections';
import { numberAt } from '../values/numbers';

/** Keys up to this are numbered by a table that has a place for each. */
const MAX_TABLE_KEYS = 1 << 20;

/** Numbers the keys of cells in the order in which they come first. */
export class CellNumbers {
  /** By number. */
  private readonly keys: number[] = [];
  /** By key the number of its cell plus one. */
  private readonly table: Uint32Array | Map<number, number>;

  /** For keys below `space`. */
  constructor(space: number) {
    this.table = space <= MAX_TABLE_KEYS ? new Uint32Array(space) : new Map();
  }

  get count(): number {
    return this.keys.length;
  }

  getKey(cell: number): number {
    return numberAt(this.keys, cell);
  }

  /** Writes the number of the cell of each of the first `count` keys. */
  writeNumbers(keys: Float64Array, count: number, cells: Uint32Array): void {
    for (let index = 0; index < count; index++) cells[index] = this.getNumber(keys[index] ?? 0);
  }

  getNumber(key: number): number {
    const { table, keys } = this;
    const known = table instanceof Map ? table.get(key) : table[key];
    if (known !== undefined && known !== 0) return known - 1;
    const number = keys.push(key);
    if (table instanceof Map) table.set(key, number);
    else table[key] = number;
    return number - 1;
  }
}

/** Writes the class on each axis of a key, which was made with the strides. */
export function readClasses(key: number, strides: readonly number[], classes: number[]): void {
  let rest = key;
  for (let axis = strides.length - 1; axis >= 0; axis--) {
    const stride = strides[axis] ?? 1;
    const of = Math.floor(rest / stride);
    rest -= of * stride;
    classes[axis] = of;
  }
}

/** What a step on each axis adds to a key, and how many keys there are. */
export function computeStrides(classes: readonly number[]): {
  readonly strides: readonly number[];
  readonly space: number;
} {
  let space = 1;
  const strides = classes.map((count) => {
    const stride = space;
    space *= count;
    return stride;
  });
  return { strides, space };
}

/** The codes of records in a column, and what each code adds to the key of a record's cell. */
export interface CodesWithAddends {
  readonly codes: NarrowNumbers;
  readonly addends: Float64Array;
}

/** Adds to each of the keys what the code at its position stands for. */
export function addCodes(keys: Float64Array, positions: Uint32Array, { codes, addends }: CodesWithAddends): void {
  for (let index = 0; index < positions.length; index++) {
    keys[index] = (keys[index] ?? 0) + (addends[codes[positions[index] ?? 0] ?? 0] ?? 0);
  }
}
