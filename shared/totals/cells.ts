// Cells are what the records of a release are divided into before they are grouped: a record is in one cell, and all
// records of a cell are in the same groups. A cell has a key, made of the class of the record on each axis.

/** Keys up to this are numbered by a table; beyond by a Map, which takes some 50 ns a record. */
const MOST_TABLE_KEYS = 1 << 22;

/** Keys are exact numbers up to this. */
const MOST_KEYS = Number.MAX_SAFE_INTEGER;

export type Keys = Uint32Array | Float64Array;

/** Numbers the keys of cells in the order in which they come first. */
export class CellNumbers {
  /** By cell. */
  readonly keys: number[] = [];
  private readonly table: Uint32Array | undefined;
  private readonly numbers = new Map<number, number>();

  /** For keys below `space`. */
  constructor(private readonly space: number) {
    if (space <= MOST_TABLE_KEYS) this.table = new Uint32Array(space);
  }

  /** Whether keys can tell so many combinations apart. */
  static canNumber(space: number): boolean {
    return space <= MOST_KEYS;
  }

  newKeys(count: number): Keys {
    return this.space <= 0x100000000 ? new Uint32Array(count) : new Float64Array(count);
  }

  /** Writes the number of the cell of each of the first `count` keys. */
  numberAll(keys: Keys, count: number, cells: Uint32Array): void {
    const { table } = this;
    for (let index = 0; index < count; index++) {
      const key = keys[index] ?? 0;
      const known = table === undefined ? (this.numbers.get(key) ?? 0) : (table[key] ?? 0);
      cells[index] = known === 0 ? this.add(key) : known - 1;
    }
  }

  private add(key: number): number {
    const number = this.keys.push(key);
    if (this.table === undefined) this.numbers.set(key, number);
    else this.table[key] = number;
    return number - 1;
  }
}

/** Adds to each key what the code of the record at that index stands for. */
export function addCodes(keys: Keys, codes: ArrayLike<number>, addends: Keys, count: number): void {
  for (let index = 0; index < count; index++) {
    keys[index] = (keys[index] ?? 0) + (addends[codes[index] ?? 0] ?? 0);
  }
}

/** The class on each axis of a key; `classes` are the numbers of classes, as the keys were made of them. */
export function classesOf(key: number, classes: readonly number[]): readonly number[] {
  let rest = key;
  return classes.map((count) => {
    const found = rest % count;
    rest = Math.floor(rest / count);
    return found;
  });
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
