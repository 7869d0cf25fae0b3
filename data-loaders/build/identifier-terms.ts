// Builds the posting lists of rights' identifiers, and the owner index (D35).

import type { FilterField } from '../../shared/query/filter-fields';
import { toPresenceTerm } from '../../shared/query/filter-terms';
import { OwnerIndexBuilder } from '../../shared/search/index/owner-index';
import { writeRecordSet } from '../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../shared/store/port';
import { foldText } from '../../shared/values/fold-text';
import { getOrAdd } from '../../shared/values/maps';
import type { AllocationRow } from '../format/amount-definitions';
import type { SortedRuns } from '../stage/sorted-runs';
import { RunList, toRuns } from './run-list';
import { StagedTerms } from './staged-terms';
import { buildTerms } from './term-sources';

/** The prefix of owner names among the terms. No filter field has this name. */
const OWNER_PREFIX = 'owner:';

/** The number of terms after which to wait for a slower store. */
const TERMS_BETWEEN_DRAINS = 4096;

/** The terms in the rows of rights: identifiers and owner. */
export class IdentifierTerms {
  private readonly staged: StagedTerms;
  private readonly present = new Map<FilterField, RunList>();

  constructor(runs: SortedRuns) {
    this.staged = new StagedTerms(runs);
  }

  add(record: number, row: AllocationRow): void {
    for (const { field, text } of buildTerms('WaterAllocations', 'identifiers', row)) {
      this.staged.add(text, record);
      getOrAdd(this.present, field, () => new RunList()).add(record);
    }
    if (row.AllocationOwner !== null) this.staged.add(OWNER_PREFIX + foldText(row.AllocationOwner), record);
  }

  /**
   * Writes the posting lists in term order, then for each identifier field the posting list of the records with any
   * value, and the owner index (D35).
   */
  async writeTo(
    writer: Pick<ReleaseWriter, 'addPosting' | 'addArtifact' | 'drain'>,
    names: { countRights(field: FilterField, rights: readonly number[]): void },
  ): Promise<void> {
    const owners = new OwnerIndexBuilder();
    let terms = 0;
    for (const { term, numbers } of this.staged.readTerms()) {
      const pairs = toRuns(numbers);
      if (term.startsWith(OWNER_PREFIX)) {
        owners.add(term.slice(OWNER_PREFIX.length), pairs);
      } else {
        writer.addPosting(term, writeRecordSet(pairs));
        // Terms are `field:value`.
        if (numbers.length > 1) names.countRights(term.slice(0, term.indexOf(':')) as FilterField, numbers);
      }
      terms++;
      if (terms % TERMS_BETWEEN_DRAINS === 0) await writer.drain();
    }
    for (const [field, records] of this.present) {
      writer.addPosting(toPresenceTerm(field), writeRecordSet(records.toRuns()));
    }
    writer.addArtifact('owners', [owners.build()]);
  }
}
