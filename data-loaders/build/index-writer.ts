// Indexes the places of a release, then its records in record order: by filter term, place, period, publication date
// and name, and in columns.

import { join } from 'node:path';
import { toFilterTerm } from '../../shared/query/filter-terms';
import { dataSetLayouts } from '../../shared/records/data-sets';
import { toPlaceHash } from '../../shared/search/index/hash-entries';
import type { ReleaseFacts } from '../../shared/store/port';
import { type DaySpan, formatIsoDate } from '../../shared/values/dates';
import type { Box } from '../../shared/values/geometry';
import { getOrAdd } from '../../shared/values/maps';
import type { Point } from '../../shared/values/site-point';
import {
  type AllocationRow,
  type AmountDefinition,
  type CommonAmountRow,
  listUses,
  type TimeSeriesRow,
  toSingleDayPeriod,
} from '../format/amount-definitions';
import type { VariableRow } from '../format/submission-files';
import type { AmountReferences } from '../stage/staged-amounts';
import { IdentifierTerms } from './identifier-terms';
import { NameIndexWriter } from './name-index';
import { PeriodColumnWriter } from './period-column';
import { PlaceColumnsWriter, type PlaceColumnValues } from './place-columns';
import { PlaceIndexWriter } from './place-index';
import { writePlacePostings } from './place-postings';
import { PlaceSeriesWriter } from './place-series';
import { PostingLists } from './posting-lists';
import { RecordColumns } from './record-columns';
import { type IndexedSource, type ReleaseInput, ReleaseLookups } from './release-lookups';
import type { RunList } from './run-list';
import { StagedTerms } from './staged-terms';
import { buildTerm, buildTerms, readFieldValues } from './term-sources';

/** An indexed record. */
export interface IndexedRecord {
  readonly variable: VariableRow;
  /** The record's own water source, or the first water source of its sites. */
  readonly waterSource: IndexedSource | undefined;
  /** Ranks of the places, in the order of the row. */
  readonly places: readonly number[];
  /** The primary use is one of the uses, for filters and lookups alike (D13, D24). */
  readonly uses: readonly string[];
  /** In the order of the kind's definition. */
  readonly measures: readonly (number | null)[];
  /** The effective dates (D7). */
  readonly period: DaySpan | undefined;
  /** The numbers of all lookups that the record refers to. */
  readonly references: readonly number[];
}

/** A place that records refer to. */
export interface NewPlace extends Pick<PlaceColumnValues, 'id' | 'isDetailed' | 'values' | 'sources'> {
  readonly name: string | null;
  readonly nativeId: string | null;
  readonly point: Point | undefined;
  /** In the format of encodeGeometry; null without a usable geometry. */
  readonly geometry: Uint8Array | null;
}

/** A combination of uses. */
interface IndexedUses {
  readonly uses: readonly string[];
  readonly numbers: readonly number[];
  readonly postings: readonly RunList[];
  /** The ordinal of the combination in the column of use sets. */
  readonly useSet: number;
}

/** A combination of values from a row: the report year of an amount, or the vocabulary values of a right. */
interface IndexedRowValues {
  readonly code: number;
  readonly reportYear: number;
  readonly postings: readonly RunList[];
}

export class IndexWriter {
  readonly lookups: ReleaseLookups;
  private readonly postings = new PostingLists();
  private readonly columns: RecordColumns;
  private readonly placeIndex: PlaceIndexWriter;
  private readonly placeColumns: PlaceColumnsWriter;
  private readonly placeSeries: PlaceSeriesWriter;
  /** The terms of the places' identifiers. */
  private readonly placeTerms: StagedTerms;
  /** The identifiers of rights. */
  private readonly identifiers: IdentifierTerms | undefined;
  private readonly names: NameIndexWriter;
  private readonly periods: PeriodColumnWriter;
  private readonly publications: PeriodColumnWriter;
  /** The posting lists that contain every record. */
  private readonly organizationPostings: readonly RunList[];
  private readonly uses = new Map<string, IndexedUses>();
  private readonly rowValues = new Map<string, IndexedRowValues>();
  private readonly definition: AmountDefinition;
  private places = 0;
  private count = 0;

  constructor(private readonly input: ReleaseInput) {
    const { staged, staging, organization, writer } = input;
    const { folder } = staging;
    this.definition = staged.definition;
    const { kind } = this.definition;
    this.columns = new RecordColumns(kind, writer);
    this.lookups = new ReleaseLookups(input, this.postings, this.columns);
    const places = this.lookups.getCount(dataSetLayouts[kind].placeKind);
    this.placeIndex = new PlaceIndexWriter(writer, folder, places);
    this.placeColumns = new PlaceColumnsWriter(kind, places, this.postings);
    this.placeSeries = new PlaceSeriesWriter(kind, places);
    this.placeTerms = new StagedTerms(staging.startRuns('place_terms'));
    this.identifiers = kind === 'WaterAllocations' ? new IdentifierTerms(staging.startRuns('record_terms')) : undefined;
    this.names = new NameIndexWriter(staging);
    this.periods = new PeriodColumnWriter(join(folder, 'periods'));
    this.publications = new PeriodColumnWriter(join(folder, 'publications'));
    const { OrganizationState: state } = organization;
    this.organizationPostings = this.postings.getLists(buildTerms(kind, 'organization', { state }));
  }

  /** Places must be added in rank order. Returns the box of the point, or else of the geometry (D15), if any. */
  addPlace({ name, nativeId, point, geometry, ...place }: NewPlace): Box | undefined {
    const rank = this.places;
    this.places++;
    const term = toFilterTerm(this.definition.placeTable === 'sites' ? 'site' : 'reportingUnit', place.id);
    this.placeTerms.add(term, rank);
    this.names.addPlace({ name, identifiers: [place.id, nativeId] });
    const box = this.placeIndex.addPlace(rank, point, geometry);
    this.placeColumns.add(rank, { ...place, box, hash: toPlaceHash(term, rank) });
    return box;
  }

  /**
   * Records must be added in record order. The vocabulary has its fields in the order in which terms are added here:
   * places, variable, water source, uses, row.
   */
  add(row: CommonAmountRow, staged: AmountReferences): IndexedRecord {
    const { definition, lookups, placeColumns } = this;
    const record = this.count;
    this.count++;
    const places = lookups.toRanks(staged.places);
    for (const rank of places) placeColumns.addRecord(rank, record);
    const variable = lookups.getVariable(staged.variable);
    addRecordTo(variable.postings, record);
    const waterSource = this.findWaterSource(staged, places);
    if (waterSource !== undefined) {
      addRecordTo(waterSource.postings, record);
      addRecordTo(waterSource.identifierPostings, record);
    }
    const uses = this.indexUses(row);
    addRecordTo(uses.postings, record);
    addRecordTo(this.organizationPostings, record);
    const rowValues = this.indexRowValues(row);
    addRecordTo(rowValues.postings, record);
    const variableCode = variable.number - lookups.getFirstNumber('VariableSpecifics');
    const method = lookups.getMethodNumber(staged.method);
    const measures = definition.measures(row);
    const ordinals = {
      variable: variableCode,
      method: method - lookups.getFirstNumber('Methods'),
      source: waterSource === undefined ? 0 : waterSource.number - lookups.getFirstNumber('WaterSources') + 1,
      useSet: uses.useSet,
      reportYear: rowValues.reportYear,
      rowTerms: rowValues.code,
    };
    this.columns.add(ordinals, measures);
    const period = definition.period(row);
    this.placeSeries.add(places, variableCode, period);
    this.periods.add(period, definition.shownDates(row));
    this.publications.add(toSingleDayPeriod(row.DataPublicationDate));
    if (this.identifiers !== undefined) {
      const right = row as AllocationRow; // The rows of a data set come from the file in its definition.
      this.identifiers.add(record, right);
      this.names.addRight(right);
    }
    const sourceNumbers = waterSource === undefined ? [] : [waterSource.number];
    const references = [
      variable.number,
      method,
      ...sourceNumbers,
      ...this.addRecordPlaces(record, places),
      ...uses.numbers,
    ];
    return { variable: variable.row, waterSource, places, uses: uses.uses, measures, period, references };
  }

  async finish(): Promise<void> {
    this.finishPlaces();
    await this.finishRecords();
    await this.names.finish(this.input.writer);
  }

  /** Days are null if no record has any. */
  getFacts(): Pick<ReleaseFacts, 'records' | 'lookups' | 'firstDay' | 'lastDay' | 'lastPublicationDay'> {
    const extent = this.periods.extent();
    const toIsoDate = (day: number | undefined): string | null => (day === undefined ? null : formatIsoDate(day));
    return {
      records: this.count,
      lookups: this.lookups.counts,
      firstDay: toIsoDate(extent?.first),
      lastDay: toIsoDate(extent?.last),
      lastPublicationDay: toIsoDate(this.publications.extent()?.last),
    };
  }

  /** A right without its own water source gets the first water source of its first site that has one (D27). */
  private findWaterSource({ waterSource }: AmountReferences, places: readonly number[]): IndexedSource | undefined {
    if (waterSource !== undefined) return this.lookups.getWaterSource(waterSource);
    if (this.definition.kind !== 'WaterAllocations') return undefined;
    for (const rank of places) {
      const [source] = this.placeColumns.getSources(rank);
      if (source !== undefined) return this.lookups.getWaterSource(source);
    }
    return undefined;
  }

  /** The map from places to records is in memory only while it is written. */
  private finishPlaces(): void {
    const { writer } = this.input;
    const recordsOfPlaces = this.placeIndex.finish();
    this.placeColumns.writeHashes(writer);
    writePlacePostings(this.placeTerms, recordsOfPlaces, writer, this.names);
  }

  private async finishRecords(): Promise<void> {
    const { postings, columns, placeColumns } = this;
    const { writer } = this.input;
    await this.identifiers?.writeTo(writer, this.names);
    const { values, ordinals } = postings.writeTo(writer);
    const ordinalOf = (text: string): number | undefined => ordinals.get(text);
    columns.finish(ordinalOf, placeColumns.writeColumns(writer, ordinalOf));
    this.placeSeries.finish(writer);
    placeColumns.writeDetails(writer);
    writer.addArtifact('periods', this.periods.pieces());
    writer.addArtifact('publications', this.publications.pieces());
    writer.addArtifact('vocabulary', [Buffer.from(JSON.stringify(values))]);
  }

  private indexUses(row: CommonAmountRow): IndexedUses {
    const uses = listUses(row);
    const { PrimaryUseCategory: primaryUse } = row;
    return getOrAdd(this.uses, JSON.stringify([primaryUse, uses]), () => {
      const { columns, lookups } = this;
      const lookupsOfUses = uses.map((use) => lookups.getUse(use));
      const numbers = lookupsOfUses.map(({ number }) => number);
      const first = lookups.getFirstNumber('BeneficialUses');
      return {
        uses,
        numbers,
        postings: lookupsOfUses.flatMap(({ postings }) => postings),
        useSet: columns.getUseSet(
          numbers.map((number) => number - first),
          primaryUse === null ? undefined : lookups.getUse(primaryUse).number - first,
        ),
      };
    });
  }

  private indexRowValues(row: CommonAmountRow): IndexedRowValues {
    const { columns, postings } = this;
    // The rows of a data set come from the file in its definition.
    if (this.definition.kind !== 'WaterAllocations') {
      const { ReportYearCV: year } = row as TimeSeriesRow;
      return getOrAdd(this.rowValues, year ?? '', () => {
        return { code: 0, reportYear: columns.getReportYear(year), postings: [] };
      });
    }
    const values = readFieldValues('WaterAllocations', 'allocation', row as AllocationRow);
    return getOrAdd(this.rowValues, JSON.stringify(values), () => {
      const terms = values.map(buildTerm);
      const code = columns.terms.rowTerms.push(terms) - 1;
      return { code, reportYear: 0, postings: postings.getLists(terms) };
    });
  }

  /** Indexes the record's places and their water sources. Returns the lookup numbers of both. */
  private addRecordPlaces(record: number, places: readonly number[]): readonly number[] {
    const { placeIndex, placeColumns, lookups } = this;
    const firstPlace = lookups.getFirstNumber(dataSetLayouts[this.definition.kind].placeKind);
    const references: number[] = [];
    for (const rank of places) {
      placeIndex.addRecord(record, rank);
      references.push(firstPlace + rank);
      for (const source of placeColumns.getSources(rank)) {
        const { number, identifierPostings } = lookups.getWaterSource(source);
        references.push(number);
        addRecordTo(identifierPostings, record);
      }
    }
    return references;
  }
}

function addRecordTo(postings: readonly RunList[], record: number): void {
  for (const list of postings) list.add(record);
}
