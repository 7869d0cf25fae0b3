// Filter terms of identifiers, with the numbers that have them. There are nearly as many terms as records or places, so
// they wait in sorted runs on disk.

import type { SortedRuns } from '../stage/sorted-runs';

/** Filter terms of identifiers with the numbers that have them, records or ranks of places, in a file. */
export class StagedTerms {
  /** Rows of one part. */
  constructor(private readonly runs: SortedRuns) {}

  add(term: string, number: number): void {
    this.runs.add(term, String(number));
  }

  /** By term, its numbers as they were added: two identifiers that differ in letter case only are one term. */
  *readTerms(): Iterable<{ readonly term: string; readonly numbers: readonly number[] }> {
    let term: string | undefined;
    let numbers: number[] = [];
    for (const sorted of this.runs.rows()) {
      if (sorted.key !== term) {
        if (term !== undefined) yield { term, numbers };
        term = sorted.key;
        numbers = [];
      }
      numbers.push(Number(sorted.getField(0).toString('latin1')));
    }
    if (term !== undefined) yield { term, numbers };
  }
}
