// The posting lists of a release under way: for each filter term the runs of record numbers, and for the vocabulary in use
// the value as it was first submitted.

import type { FilterField } from '../../../shared/query/filter-terms';
import { writeRuns } from '../../../shared/search/record-set';
import type { Vocabulary } from '../../../shared/query/vocabulary';
import type { ReleaseWriter } from '../../../shared/store/port';
import { compareUtf8 } from '../../../shared/values/utf8-order';
import { RunList } from './run-list';
import type { Term } from './term-sources';

interface Entry {
  readonly field: FilterField;
  readonly value: string;
  readonly runs: RunList;
}

export class TermIndex {
  private readonly entries = new Map<string, Entry>();

  /** The run lists of some terms, to be added to as records come. */
  listsOf(terms: readonly Term[]): readonly RunList[] {
    return terms.map((term) => {
      const known = this.entries.get(term.text);
      if (known !== undefined) return known.runs;
      const entry: Entry = { field: term.field, value: term.value, runs: new RunList() };
      this.entries.set(term.text, entry);
      return entry.runs;
    });
  }

  /** Terms that no record has in the end have no posting list. */
  writeTo(writer: ReleaseWriter): void {
    for (const [term, { runs }] of this.entries) {
      if (runs.pairs().length > 0) writer.addPosting(term, writeRuns(runs.pairs()));
    }
  }

  vocabulary(): Vocabulary {
    const byField: Partial<Record<FilterField, [string, number][]>> = {};
    for (const { field, value, runs } of this.entries.values()) {
      const records = runs.size();
      if (records > 0) (byField[field] ??= []).push([value, records]);
    }
    for (const values of Object.values(byField)) values.sort(([a], [b]) => compareUtf8(a, b));
    return byField;
  }
}
