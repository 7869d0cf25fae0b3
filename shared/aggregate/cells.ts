// Cells are what the records of a release are divided into before they are grouped: a record is in one cell, and all
// records of a cell are in the same groups. A cell has a key, made of the class of the record on each axis.

import type { NarrowNumbers } from '../values/bytes/sections';

/** Keys up to this are numbered by a table that has a place for each. */
const MOST_TABLE_KEYS = 1 << 20;

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

/** At most half of the slots are taken, so that searches are short. */
const SLOTS_PER_KEY = 2;

const FIRST_KEYS = 64;

/**
 * Numbers distinct keys in the order in which they come first: a hash table of typed arrays with open addressing. A Map
 * takes some five times as long once keys are no small integers.
 */
class NumberTable {
  private found = 0;
  private keys = new Float64Array(FIRST_KEYS);
  /** Numbers plus one, by slot; 0 is a free slot. */
  private slots = new Uint32Array(FIRST_KEYS * SLOTS_PER_KEY);

  get count(): number {
    return this.found;
  }

  keyOf(number: number): number {
    return this.keys[number] ?? NaN;
  }

  /** `key` is an integer from 0 to 2^53 - 1. */
  numberOf(key: number): number {
    const { keys, slots } = this;
    const last = slots.length - 1;
    let slot = hashOf(key) & last;
    for (let number = slots[slot] ?? 0; number !== 0; number = slots[slot] ?? 0) {
      if (keys[number - 1] === key) return number - 1;
      slot = (slot + 1) & last;
    }
    if (this.found === keys.length) {
      this.grow();
      return this.numberOf(key);
    }
    keys[this.found] = key;
    slots[slot] = this.found + 1;
    return this.found++;
  }

  private grow(): void {
    const keys = new Float64Array(2 * this.keys.length);
    keys.set(this.keys);
    const slots = new Uint32Array(keys.length * SLOTS_PER_KEY);
    const last = slots.length - 1;
    for (let number = 0; number < this.found; number++) {
      let slot = hashOf(keys[number] ?? 0) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = number + 1;
    }
    this.keys = keys;
    this.slots = slots;
  }
}

/** Mixes both halves of the key; the constants are those of MurmurHash3. */
function hashOf(key: number): number {
  let hash = Math.imul(key >>> 0, 0x85ebca6b) ^ Math.imul(Math.floor(key / 0x100000000), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
