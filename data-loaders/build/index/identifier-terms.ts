// The terms of what stands in the row of each right: its identifiers and its owner. They are nearly as many as the
// rights, so the record builder collects them on disk, and they come back sorted when the index is written.

import { presenceTerm, type FilterField } from '../../../shared/query/filter-terms';
import { OwnerIndexBuilder } from '../../../shared/search/index/owner-index';
import { writeRuns } from '../../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../../shared/store/port';
import { foldText } from '../../../shared/values/text';
import type { AllocationRow } from '../../format/amount-definitions';
import type { SavedRuns } from '../../stage/sorted-runs';
import { StagedTerms } from '../../stage/staged-terms';
import { RunList } from './run-list';
import { identifiersOf } from './term-sources';

/** Begins the texts of owners among the terms; no filter field has this name. */
const OWNER = 'owner:';

interface SavedIdentifierTerms {
  readonly runs: SavedRuns;
  /** By field of an identifier the rights that have one, as pairs of first and last number. */
  readonly present: readonly (readonly [field: FilterField, pairs: Uint32Array])[];
}

/** Terms that the record builder collected in files. */
export interface SavedTerms {
  /** Those of the places' identifiers, with their ranks: StagedTerms opens them. */
  readonly placeTerms: SavedRuns;
  /** Undefined for amounts. */
  readonly identifierTerms: SavedIdentifierTerms | undefined;
}

export class IdentifierTerms {
  private readonly staged: StagedTerms;
  private readonly present = new Map<FilterField, RunList>();

  constructor(folder: string) {
    this.staged = new StagedTerms(folder, 'record_terms');
  }

  add(record: number, row: AllocationRow): void {
    for (const { field, text } of identifiersOf(row)) {
      this.staged.add(text, record);
      const present = this.present.get(field) ?? new RunList();
      this.present.set(field, present);
      present.add(record);
    }
    if (row.AllocationOwner !== null) this.staged.add(OWNER + foldText(row.AllocationOwner), record);
  }

  save(): SavedIdentifierTerms {
    const present = [...this.present].map(([field, records]) => [field, records.pairs()] as const);
    return { runs: this.staged.save(), present };
  }

  close(): void {
    this.staged.close();
  }
}

/** Writes the posting lists of the identifiers, and the index of owners (D35). */
export function writeIdentifierTerms(
  folder: string,
  { runs, present }: SavedIdentifierTerms,
  writer: Pick<ReleaseWriter, 'addPosting' | 'addArtifact'>,
): void {
  const staged = new StagedTerms(folder, 'record_terms', runs);
  const owners = new OwnerIndexBuilder();
  for (const { term, numbers } of staged.all()) {
    const pairs = pairsOf(numbers);
    if (term.startsWith(OWNER)) owners.add(term.slice(OWNER.length), pairs);
    else writer.addPosting(term, writeRuns(pairs));
  }
  staged.close();
  for (const [field, pairs] of present) writer.addPosting(presenceTerm(field), writeRuns(pairs));
  writer.addArtifact('owners', owners.build());
}

/** Most identifiers are those of one right. */
function pairsOf(numbers: readonly number[]): Uint32Array {
  const [first] = numbers;
  if (first !== undefined && numbers.length === 1) return Uint32Array.of(first, first);
  const records = new RunList();
  for (const number of numbers) records.add(number);
  return records.pairs();
}
