// Filter terms of identifiers, which are nearly as many as records or places, with the numbers that have them.

import { join } from 'node:path';
import { SortedRuns, type SavedRuns } from './sorted-runs';

/** The terms of ranks of places, or of numbers of records. */
export type TermTable = 'place_terms' | 'record_terms';

/** Terms are added in one thread, and read in another one once it has saved them. */
export class StagedTerms {
  private readonly runs: SortedRuns;

  /** Starts the terms anew, or opens those that were saved. */
  constructor(folder: string, table: TermTable, saved?: SavedRuns) {
    this.runs = new SortedRuns(join(folder, table), 1, saved);
  }

  add(term: string, number: number): void {
    this.runs.add(term, String(number));
  }

  /** Frees the memory of the terms that were added. */
  save(): SavedRuns {
    return this.runs.save();
  }

  /** By term, its numbers as they were added: two identifiers that differ in letter case only are one term. */
  *all(): Iterable<{ readonly term: string; readonly numbers: readonly number[] }> {
    let term: string | undefined;
    let numbers: number[] = [];
    for (const sorted of this.runs.rows()) {
      if (sorted.key !== term) {
        if (term !== undefined) yield { term, numbers };
        term = sorted.key;
        numbers = [];
      }
      numbers.push(Number(sorted.part(0).toString('latin1')));
    }
    if (term !== undefined) yield { term, numbers };
  }

  close(): void {
    this.runs.close();
  }
}
