// Cells are what the records of a release are divided into before they are grouped: a record is in one cell, and all
// records of a cell are in the same groups. A cell has a key, made of the class of the record on each axis.

import { NumberTable } from '../values/bytes/number-table';

/** Keys up to this are numbered by a table that has a place for each. */
const MOST_TABLE_KEYS = 1 << 20;

/** Keys are exact numbers up to this. */
const MOST_KEYS = Number.MAX_SAFE_INTEGER;

export type Codes = Uint8Array | Uint16Array | Uint32Array;

export type Keys = Uint32Array | Float64Array;

/** Numbers the keys of cells in the order in which they come first. */
export class CellNumbers {
  private readonly found = new NumberTable();
  /** By key the number of its cell plus one. */
  private readonly table: Uint32Array | undefined;

  /** For keys below `space`. */
  constructor(private readonly space: number) {
    if (space <= MOST_TABLE_KEYS) this.table = new Uint32Array(space);
  }

  /** Whether keys can tell so many combinations apart. */
  static canNumber(space: number): boolean {
    return space <= MOST_KEYS;
  }

  get count(): number {
    return this.found.count;
  }

  keyOf(cell: number): number {
    return this.found.keyOf(cell);
  }

  newKeys(count: number): Keys {
    return this.space <= 0x100000000 ? new Uint32Array(count) : new Float64Array(count);
  }

  numberOf(key: number): number {
    const { table, found } = this;
    if (table === undefined) return found.numberOf(key);
    const number = table[key] ?? 0;
    return number === 0 ? (table[key] = found.numberOf(key) + 1) - 1 : number - 1;
  }

  /** Writes the number of the cell of each of the first `count` keys. */
  numberAll(keys: Keys, count: number, cells: Uint32Array): void {
    const { table, found } = this;
    if (table === undefined) {
      for (let index = 0; index < count; index++) cells[index] = found.numberOf(keys[index] ?? 0);
      return;
    }
    for (let index = 0; index < count; index++) {
      const key = keys[index] ?? 0;
      let number = table[key] ?? 0;
      if (number === 0) number = table[key] = found.numberOf(key) + 1;
      cells[index] = number - 1;
    }
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
export function stridesOf(classes: readonly number[]): { readonly strides: readonly number[]; readonly space: number } {
  let space = 1;
  const strides = classes.map((count) => {
    const stride = space;
    space *= count;
    return stride;
  });
  return { strides, space };
}
