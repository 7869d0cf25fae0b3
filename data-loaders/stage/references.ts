// References from rows to lookup rows: exact, letter case too (submissions.md, 4). Millions of rows ask for few lookups, so
// what was found is kept, within a bound.

import type { Staging } from './staging';
import type { LookupTable } from './staging-database';

/** Per table; a submission can have 1.4 million sites, and a file is mostly in their order. */
const MAX_KEPT = 20_000;

export class References {
  private readonly found = new Map<LookupTable, Map<string, number>>();

  constructor(private readonly staging: Staging) {}

  /** The staged number of the row with this identifier, or undefined when the submission does not hold it. */
  find(table: LookupTable, id: string): number | undefined {
    let kept = this.found.get(table);
    if (kept === undefined) {
      kept = new Map();
      this.found.set(table, kept);
    }
    const known = kept.get(id);
    if (known !== undefined) return known;
    const number = this.staging.findNumber(table, id);
    if (number === undefined) return undefined;
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(id, number);
    return number;
  }
}
