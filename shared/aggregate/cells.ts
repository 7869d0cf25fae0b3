// Cells are what the records of a release are divided into before they are grouped: a record is in one cell, and all
// records of a cell are in the same groups. A cell has a key, made of the class of the record on each axis.

import { NumberTable } from '../values/bytes/number-table';
import type { NarrowNumbers } from '../values/bytes/sections';

/** Keys up to this are numbered by a table that has a place for each. */
const MOST_TABLE_KEYS = 1 << 20;

/** Keys are exact numbers up to this. */
const MOST_KEYS = Number.MAX_SAFE_INTEGER;

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
    for (let index = 0; index < count; index++) cells[index] = this.numberOf(keys[index] ?? 0);
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

/** The codes of records in a column, and what each code adds to the key of a record's cell. */
export interface CodesWithAddends {
  readonly codes: NarrowNumbers;
  readonly addends: Keys;
}

/** Adds to each of the keys what the code at its position stands for. */
export function addCodes(keys: Keys, positions: Uint32Array, { codes, addends }: CodesWithAddends): void {
  for (let index = 0; index < positions.length; index++) {
    keys[index] = (keys[index] ?? 0) + (addends[codes[positions[index] ?? 0] ?? 0] ?? 0);
  }
}
