// Stages the filter terms of identifiers, with the numbers of the records or places that have them. There are nearly as
// many terms as records or places, so they are kept in sorted runs on disk.

import type { SortedRuns } from '../stage/sorted-runs';

export class StagedTerms {
  /** The rows have one field. */
  constructor(private readonly runs: SortedRuns) {}

  add(term: string, number: number): void {
    this.runs.add(term, String(number));
  }

  /**
   * Yields each term with its numbers in the order in which they were added. Identifiers that differ only in letter
   * case are one term.
   */
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
