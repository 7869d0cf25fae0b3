// Marks which lookup rows the staged amounts of a data set refer to: only those become lookups of its release (D24).

import type { Resumable } from './checkpoints';
import type { LookupTable } from './staging-database';

interface SavedReferences {
  readonly uses: ReadonlySet<string>;
  readonly marks: ReadonlyMap<LookupTable, Uint8Array>;
}

/** Marks are made while amount rows are staged. */
export class ReferencedLookups implements Resumable {
  readonly uses = new Set<string>();
  private readonly marks = new Map<LookupTable, Uint8Array>();

  save(): SavedReferences {
    return { uses: this.uses, marks: this.marks };
  }

  restore(saved: unknown): void {
    const { uses, marks } = saved as SavedReferences; // Written by `save`.
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
