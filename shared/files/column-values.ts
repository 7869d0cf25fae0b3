// The distinct values of a column within one row group, and which of them each entry has. A row refers to an entry, so
// what many rows share is looked at once.

import type { ColumnValue, Scalar } from '../render/table-columns';

export type EncodedCell = Exclude<Scalar, null> | Uint8Array;

/** The lists that entries are: their items, by number. Columns that show members of the same items share it. */
export class EntryLists {
  readonly items: number[] = [];
  /** Where the items of each entry end. */
  readonly ends: number[] = [];

  add(items: Iterable<number>): void {
    for (const item of items) this.items.push(item);
    this.ends.push(this.items.length);
  }

  clear(): void {
    this.items.length = 0;
    this.ends.length = 0;
  }
}

export class ColumnCodes {
  /** In the order in which they came. */
  readonly dictionary: EncodedCell[] = [];
  /** 0 for null, else the index of a value plus one: of each entry, or of each item of its lists. */
  readonly codes: number[] = [];
  private readonly known = new Map<EncodedCell, number>();

  /** `lists` where entries are lists. */
  constructor(readonly lists: EntryLists | undefined) {}

  /** Adds an entry, or an item of lists, of a value that no other has, or of null. */
  addDistinct(value: EncodedCell | null): void {
    this.codes.push(value === null ? 0 : this.dictionary.push(value));
  }

  /** Adds an entry, or an item of lists. */
  addOne(value: EncodedCell | null): void {
    this.codes.push(this.codeOf(value));
  }

  /** Adds an entry; a list in a column that shares its lists with no other. Items of lists are texts (D53). */
  add(value: ColumnValue | Uint8Array): void {
    if (this.lists === undefined)
      this.addOne(value as EncodedCell | null); // As the column was declared.
    else this.lists.add(Array.isArray(value) ? (value as readonly Scalar[]).map((item) => this.itemOf(item)) : []);
  }

  /** The value of an entry, as it was added. */
  valueOf(entry: number): ColumnValue | Uint8Array {
    if (this.lists === undefined) return this.valueOfCode(this.codes[entry]);
    const { items, ends } = this.lists;
    const listed = items.slice(entry === 0 ? 0 : ends[entry - 1], ends[entry]);
    return listed.map((item) => this.valueOfCode(this.codes[item]) as Scalar); // Lists have texts alone.
  }

  clear(): void {
    this.dictionary.length = 0;
    this.codes.length = 0;
    this.known.clear();
    this.lists?.clear();
  }

  /** The number of an item is its code here. */
  private itemOf(item: Scalar): number {
    const code = this.codeOf(item === null ? null : String(item));
    while (this.codes.length <= code) this.codes.push(this.codes.length);
    return code;
  }

  private valueOfCode(code = 0): EncodedCell | null {
    return this.dictionary[code - 1] ?? null;
  }

  private codeOf(value: EncodedCell | null): number {
    if (value === null) return 0;
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const code = this.dictionary.push(value);
    this.known.set(value, code);
    return code;
  }
}
