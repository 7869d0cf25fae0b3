// References from amount rows to lookup rows: which staged lookup an identifier names, exact, letter case too
// (submissions.md, 4), and which lookups the rows of a data set refer to.

import type { Resumable } from './checkpoints';
import type { Staging } from './staging';
import type { LookupTable } from './staging-database';

/** Finds the staged number of the row with an identifier; undefined when the submission does not have it. */
export type References = Pick<Staging, 'findNumber'>;

/** Marks the lookups that staged amounts refer to: only those become lookups of the release (D24). */
export class ReferencedLookups implements Resumable {
  readonly uses = new Set<string>();
  private readonly marks = new Map<LookupTable, Uint8Array>();

  save(): { readonly uses: ReadonlySet<string>; readonly marks: ReadonlyMap<LookupTable, Uint8Array> } {
    return { uses: this.uses, marks: this.marks };
  }

  restore(saved: unknown): void {
    const { uses, marks } = saved as ReturnType<ReferencedLookups['save']>; // Written by `save`.
    for (const use of uses) this.uses.add(use);
    for (const [table, marked] of marks) this.marks.set(table, marked);
  }

  mark(table: LookupTable, stagedNumber: number): void {
    let marks = this.marks.get(table);
    if (marks === undefined || stagedNumber >= marks.length) {
      const grown = new Uint8Array(Math.max(1024, stagedNumber * 2));
      if (marks !== undefined) grown.set(marks);
      marks = grown;
      this.marks.set(table, marks);
    }
    marks[stagedNumber] = 1;
  }

  has(table: LookupTable, stagedNumber: number): boolean {
    return this.marks.get(table)?.[stagedNumber] === 1;
  }
}
