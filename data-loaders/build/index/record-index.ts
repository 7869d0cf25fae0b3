// Indexes the records of a release in the order of their numbers: by posting lists of filter terms, by place, by
// period and by publication date.

import { PeriodColumnBuilder, writePeriodColumn } from '../../../shared/search/period-column';
import type { ReleaseFacts, ReleaseWriter } from '../../../shared/store/port';
import { isoDateOfDay } from '../../../shared/values/dates';
import { periodOfDay, type AllocationRow, type CommonAmountRow } from '../../format/amount-definitions';
import type { PlaceIndexWriter } from './place-index-writer';
import { AllocationTerms, type RunList } from './posting-lists';
import type { FoundLookups, ReleaseLookups, ReleaseLookupsInput } from './release-lookups';
import { termsOf } from './term-sources';

/** The lookups, uses and references of a row that was added to the index. */
export interface IndexedRow {
  readonly found: FoundLookups;
  /** The primary use is one of the uses for filters and lookups alike (D13, D24). */
  readonly uses: readonly string[];
  /** Numbers of all lookups to which the record refers. */
  readonly references: readonly number[];
}

export class RecordIndex {
  private readonly periods = new PeriodColumnBuilder();
  private readonly publications = new PeriodColumnBuilder();
  private readonly allocationTerms: AllocationTerms;
  /** The posting lists to which every record is added. */
  private readonly organizationPostings: readonly RunList[];
  private count = 0;

  constructor(
    private readonly input: ReleaseLookupsInput,
    private readonly places: PlaceIndexWriter,
    private readonly lookups: ReleaseLookups,
  ) {
    const { definition, organizationState: state, staging, postings } = input;
    this.organizationPostings = postings.recordsOf(termsOf(definition.kind, 'organization', { state }));
    this.allocationTerms = new AllocationTerms(postings, staging);
  }

  add(row: CommonAmountRow): IndexedRow {
    const { definition } = this.input;
    const record = this.count++;
    const found = this.lookups.find(row, definition.places(row));
    const uses = usesOf(row);
    const references = [found.variable.number, this.lookups.method(row.MethodUUID)];
    this.addLookups(record, found, references);
    for (const use of uses) {
      const { number, postings } = this.lookups.use(use);
      references.push(number);
      addTo(postings, record);
    }
    addTo(this.organizationPostings, record);
    // The rows of a data set are those of its definition's file.
    if (definition.kind === 'WaterAllocations') this.allocationTerms.add(record, row as AllocationRow);
    this.periods.add(definition.period(row));
    this.publications.add(periodOfDay(row.DataPublicationDate));
    return { found, uses, references };
  }

  finish(writer: ReleaseWriter): void {
    const { postings } = this.input;
    this.places.finish();
    this.allocationTerms.finish(writer);
    postings.writeTo(writer);
    writer.addArtifact('periods', writePeriodColumn(this.periods.build()));
    writer.addArtifact('publications', writePeriodColumn(this.publications.build()));
    writer.addArtifact('vocabulary', Buffer.from(JSON.stringify(postings.vocabulary())));
  }

  get records(): number {
    return this.count;
  }

  /** The first and last day for which a record counts, and the last publication date; null when no record has any. */
  extent(): Pick<ReleaseFacts, 'firstDay' | 'lastDay' | 'lastPublicationDay'> {
    const extent = this.periods.extent();
    const dateOf = (day: number | undefined): string | null => (day === undefined ? null : isoDateOfDay(day));
    return {
      firstDay: dateOf(extent?.first),
      lastDay: dateOf(extent?.last),
      lastPublicationDay: dateOf(this.publications.extent()?.last),
    };
  }

  private addLookups(record: number, { places, variable, waterSource }: FoundLookups, references: number[]): void {
    addTo(variable.postings, record);
    if (waterSource !== undefined) {
      references.push(waterSource.number);
      addTo(waterSource.postings, record);
    }
    for (const place of places) {
      this.places.addRecord(record, place.rank);
      addTo(place.postings, record);
      references.push(...place.references);
    }
  }
}

function addTo(postings: readonly RunList[], record: number): void {
  for (const list of postings) list.add(record);
}

function usesOf({ BeneficialUseCategory: uses, PrimaryUseCategory: primary }: CommonAmountRow): readonly string[] {
  return primary === null || uses.includes(primary) ? uses : [...uses, primary];
}
