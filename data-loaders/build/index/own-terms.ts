// The terms that an allocation has of its own, not through what it refers to. Its legal status is one of a few; its identifiers
// are nearly as many as records, so they are gathered on disk and written in their order.

import { writeRuns } from '../../../shared/search/record-set';
import type { ReleaseWriter } from '../../../shared/store/port';
import type { AllocationRow } from '../../format/amount-definitions';
import type { Staging } from '../../stage/staging';
import { RunList } from './run-list';
import type { TermIndex } from './term-index';
import { identifierTermsOf, termsOf } from './term-sources';

export class OwnTerms {
  /** By legal status: the others of an allocation's own terms are identifiers. */
  private readonly lists = new Map<string | null, readonly RunList[]>();

  constructor(
    private readonly terms: TermIndex,
    private readonly staging: Staging,
  ) {
    staging.clearTerms('record_terms');
  }

  /** Records come in order. */
  add(record: number, row: AllocationRow): void {
    const status = row.AllocationLegalStatusCV;
    let lists = this.lists.get(status);
    if (lists === undefined) {
      lists = this.terms.listsOf(termsOf('WaterAllocations', 'allocation', row));
      this.lists.set(status, lists);
    }
    for (const list of lists) list.add(record);
    for (const term of identifierTermsOf(row)) this.staging.addTerm('record_terms', term, record);
  }

  /** Writes the posting lists of the identifiers. */
  finish(writer: ReleaseWriter): void {
    for (const { term, numbers } of this.staging.terms('record_terms')) {
      const runs = new RunList();
      for (const number of numbers) runs.add(number);
      writer.addPosting(term, writeRuns(runs.pairs()));
    }
  }
}
