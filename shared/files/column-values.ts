// The distinct values of a column within one row group, and which of them each entry has. A row refers to an entry, so
// what many rows share is looked at once.

import type { ColumnValue, Scalar } from '../answer/table-columns';

export type EncodedCell = Exclude<Scalar, null> | Uint8Array;

export class ColumnCodes {
  /** In the order in which they came. */
  readonly dictionary: EncodedCell[] = [];
  /** 0 for null, else the index of a value plus one: of each entry, or of a list's items one after the other. */
  readonly codes: number[] = [];
  /** Where the items of each entry end; empty unless entries are lists. */
  readonly ends: number[] = [];
  private readonly known = new Map<EncodedCell, number>();

  constructor(readonly isList: boolean) {}

  /** Adds an entry of a value that no other has, or of null. */
  addDistinct(value: EncodedCell | null): void {
    this.codes.push(value === null ? 0 : this.dictionary.push(value));
  }

  /** Adds an entry that is a list; items have the codes that `codeOfItem` gave. */
  addList(codes: Iterable<number>): void {
    for (const code of codes) this.codes.push(code);
    this.ends.push(this.codes.length);
  }

  /** Adds an entry. Items of lists are texts (D53). */
  add(value: ColumnValue | Uint8Array): void {
    if (!this.isList) {
      this.codes.push(this.codeOf(value as EncodedCell | null)); // As the column was declared.
      return;
    }
    if (Array.isArray(value)) {
      for (const item of value as readonly Scalar[]) this.codes.push(this.codeOfItem(item));
    }
    this.ends.push(this.codes.length);
  }

  /** The code of a list's item, which is a text in lists. */
  codeOfItem(item: Scalar): number {
    return this.codeOf(item === null ? null : String(item));
  }

  /** The value of an entry, as it was added. */
  valueOf(entry: number): ColumnValue | Uint8Array {
    if (!this.isList) return this.valueOfCode(this.codes[entry]);
    const start = entry === 0 ? 0 : this.ends[entry - 1];
    const codes = this.codes.slice(start, this.ends[entry]);
    return codes.map((code) => this.valueOfCode(code) as Scalar); // Lists have texts alone.
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
