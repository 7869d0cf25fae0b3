// The terms that lookups, and combinations of a row's values, have by their codes, until the vocabulary is known.

import type { FilterField } from '../../../shared/query/text-filters';

/** The number in the vocabulary plus one of the term with a text; undefined where no record has the term. */
export type OrdinalOf = (text: string) => number | undefined;

export class TermsByCode {
  /** By field and code: the number of a text plus one, 0 for none. */
  private readonly columns = new Map<FilterField, Uint32Array>();
  private readonly numbers = new Map<string, number>();
  private readonly texts: string[] = [];
  private codes = 0;

  /** `capacity` is how many codes are expected; the table grows where more come. */
  constructor(private capacity = 16) {}

  /** A code has at most one term of each field. */
  set(code: number, terms: readonly { readonly field: FilterField; readonly text: string }[]): void {
    this.codes = Math.max(this.codes, code + 1);
    if (code >= this.capacity) this.grow(2 * this.codes);
    for (const { field, text } of terms) {
      const column = this.columns.get(field) ?? new Uint32Array(this.capacity);
      this.columns.set(field, column);
      column[code] = this.numberOf(text) + 1;
    }
  }

  /**
   * The ordinal of each code's term, 0 for none, field by field; `codes` is how many there are. Ends the table, whose
   * memory the ordinals take.
   */
  finish(ordinalOf: OrdinalOf, codes = this.codes): readonly (readonly [FilterField, Uint32Array])[] {
    const ordinals = [0, ...this.texts.map((text) => ordinalOf(text) ?? 0)];
    const fields = [...this.columns].sort(([a], [b]) => (a < b ? -1 : 1));
    this.columns.clear();
    return fields.map(([field, column]) => {
      for (let code = 0; code < codes; code++) column[code] = ordinals[column[code] ?? 0] ?? 0;
      return [field, column.subarray(0, codes)];
    });
  }

  private numberOf(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }

  private grow(capacity: number): void {
    this.capacity = capacity;
    for (const [field, column] of this.columns) {
      const grown = new Uint32Array(capacity);
      grown.set(column);
      this.columns.set(field, grown);
    }
  }
}
