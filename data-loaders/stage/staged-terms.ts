// Filter terms of identifiers, which are nearly as many as records or places, with the numbers that have them.

import { join } from 'node:path';
import { SortedRuns } from './sorted-runs';

/** The terms of ranks of places, or of numbers of records. */
type TermTable = 'place_terms' | 'record_terms';

export class StagedTerms {
  private readonly runs = new Map<TermTable, SortedRuns>();

  constructor(private readonly folder: string) {}

  clear(table: TermTable): void {
    this.runs.get(table)?.close();
    this.runs.set(table, new SortedRuns(join(this.folder, table), 1));
  }

  add(table: TermTable, term: string, number: number): void {
    this.runsOf(table).add(term, String(number));
  }

  /** Frees the memory of terms that are all added. */
  endAdding(table: TermTable): void {
    this.runsOf(table).save();
  }

  /** By term, its numbers as they were added: two identifiers that differ in letter case only are one term. */
  *all(table: TermTable): Iterable<{ readonly term: string; readonly numbers: readonly number[] }> {
    let term: string | undefined;
    let numbers: number[] = [];
    for (const sorted of this.runsOf(table).rows()) {
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
    for (const runs of this.runs.values()) runs.close();
  }

  private runsOf(table: TermTable): SortedRuns {
    const runs = this.runs.get(table);
    if (runs === undefined) throw new Error(`${table} were used before they were cleared`);
    return runs;
  }
}
