// Indexes the records of a release in the order of their numbers: by posting lists of filter terms, by place, by
// period and by publication date.

import { join } from 'node:path';
import type { ReleaseFacts, ReleaseWriter } from '../../../shared/store/port';
import { isoDateOfDay } from '../../../shared/values/dates';
import { periodOfDay } from '../../format/amount-definitions';
import type { AllocationRow, CommonAmountRow, TimeSeriesRow } from '../../format/amount-definitions';
import { PeriodColumnWriter } from './period-column-writer';
import type { PlaceIndexWriter } from './place-index-writer';
import { AllocationTerms } from './posting-lists';
import type { RunList } from './run-list';
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

interface RecordNumbers {
  readonly found: FoundLookups;
  readonly method: number;
  readonly useNumbers: readonly number[];
}

export class RecordIndex {
  private readonly periods: PeriodColumnWriter;
  private readonly publications: PeriodColumnWriter;
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
    this.periods = new PeriodColumnWriter(join(staging.folder, 'periods'));
    this.publications = new PeriodColumnWriter(join(staging.folder, 'publications'));
    this.organizationPostings = postings.recordsOf(termsOf(definition.kind, 'organization', { state }));
    this.allocationTerms = new AllocationTerms(postings, staging.terms, input.columns.terms.rowTerms);
  }

  add(row: CommonAmountRow): IndexedRow {
    const { definition, summaries, placeSeries, numbers } = this.input;
    const record = this.count++;
    const places = definition.places(row).map((id) => this.lookups.rankOf(id));
    // Before the other lookups: the vocabulary has its fields in the order in which their terms came.
    for (const rank of places) summaries.addRecord(rank, record);
    const found = this.lookups.find(row, places);
    const uses = usesOf(row);
    const method = this.lookups.method(row.MethodUUID);
    const references = [found.variable.number, method];
    this.addLookups(record, found, references);
    const useNumbers = uses.map((use) => this.addUse(record, use));
    references.push(...useNumbers);
    addTo(this.organizationPostings, record);
    this.addToColumns(record, row, { found, method, useNumbers });
    const period = definition.period(row);
    placeSeries.add(places, found.variable.number - numbers.first('VariableSpecifics'), period);
    this.periods.add(period);
    this.publications.add(periodOfDay(row.DataPublicationDate));
    return { found, uses, references };
  }

  finish(writer: ReleaseWriter): void {
    const { postings, columns, placeColumns, placeSeries, summaries } = this.input;
    summaries.clear();
    const { values, ordinals } = postings.vocabulary();
    const ordinalOf = (text: string): number | undefined => ordinals.get(text);
    this.places.finish();
    if (this.input.definition.kind === 'WaterAllocations') this.allocationTerms.finish(writer);
    postings.writeTo(writer);
    columns.finish(ordinalOf, placeColumns.finish(writer, ordinalOf));
    placeSeries.finish(writer);
    writer.addLongArtifact('periods', this.periods.pieces());
    writer.addLongArtifact('publications', this.publications.pieces());
    writer.addArtifact('vocabulary', Buffer.from(JSON.stringify(values)));
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

  private addUse(record: number, use: string): number {
    const { number, postings } = this.lookups.use(use);
    addTo(postings, record);
    return number;
  }

  private addToColumns(record: number, row: CommonAmountRow, { found, method, useNumbers }: RecordNumbers): void {
    const { definition, columns, numbers } = this.input;
    const { variable, waterSource } = found;
    const firstUse = numbers.first('BeneficialUses');
    // The rows of a data set are those of its definition's file.
    const isAllocation = definition.kind === 'WaterAllocations';
    const rowTerms = isAllocation ? this.allocationTerms.add(record, row as AllocationRow) : 0;
    const reportYear = isAllocation ? null : (row as TimeSeriesRow).ReportYearCV;
    columns.add({
      variable: variable.number - numbers.first('VariableSpecifics'),
      method: method - numbers.first('Methods'),
      source: waterSource && waterSource.number - numbers.first('WaterSources'),
      uses: useNumbers.map((number) => number - firstUse),
      ...{ reportYear, rowTerms, measures: definition.measures(row) },
    });
  }

  private addLookups(record: number, { places, variable, waterSource }: FoundLookups, references: number[]): void {
    addTo(variable.postings, record);
    if (waterSource !== undefined) {
      references.push(waterSource.number);
      addTo(waterSource.postings, record);
    }
    const { summaries, numbers, definition } = this.input;
    const firstPlace = numbers.first(definition.placeTable === 'sites' ? 'Sites' : 'ReportingUnits');
    for (const rank of places) {
      this.places.addRecord(record, rank);
      references.push(firstPlace + rank);
      summaries.addSourcesTo(rank, references);
    }
  }
}

function addTo(postings: readonly RunList[], record: number): void {
  for (const list of postings) list.add(record);
}

function usesOf({ BeneficialUseCategory: uses, PrimaryUseCategory: primary }: CommonAmountRow): readonly string[] {
  return primary === null || uses.includes(primary) ? uses : [...uses, primary];
}
