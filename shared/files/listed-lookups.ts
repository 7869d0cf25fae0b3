// The columns of lookups that a member of a record lists, such as the sites of a right: what a lookup has in them is
// made once for all lists that name it, and a list once for all of the columns.

import type { JoinedColumns, Scalar } from '../render/table-columns';
import { identifiersOfValue, type Item } from '../records/record-references';
import { ColumnCodes, EntryLists } from './column-values';

export class ListedLookups {
  readonly columns: readonly ColumnCodes[];
  private readonly lists = new EntryLists();
  private readonly numbers = new Map<string, number>();
  private count = 0;

  constructor(
    private readonly join: JoinedColumns,
    /** Gives each lookup once. */
    private readonly take: (identifier: string) => Item | undefined,
  ) {
    this.columns = join.columns.map(() => new ColumnCodes(this.lists));
  }

  /** Adds an entry: `value` is what a record has as the member. */
  readonly add = (value: unknown): void => {
    this.lists.add(identifiersOfValue(value, this.join.reference).map((identifier) => this.numberOf(identifier)));
  };

  /** What follows is of another release, whose lookups may say something else of the same identifiers. */
  startRelease(): void {
    this.numbers.clear();
  }

  clear(): void {
    for (const column of this.columns) column.clear();
    this.numbers.clear();
    this.count = 0;
  }

  private numberOf(identifier: string): number {
    const known = this.numbers.get(identifier);
    if (known !== undefined) return known;
    const item = this.take(identifier);
    this.join.columns.forEach(({ member }, at) => {
      const value = (item?.[member] ?? null) as Scalar; // The lookups of a list have no lists inside.
      this.columns[at]?.addOne(value === null ? null : String(value));
    });
    this.numbers.set(identifier, this.count);
    return this.count++;
  }
}
