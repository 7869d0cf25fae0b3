// Indexes the records of a release in the order of their numbers: by posting lists of filter terms, by place, by
// period and by publication date, and in columns.

import { join } from 'node:path';
import type { ReleaseFacts, ReleaseWriter } from '../../shared/store/port';
import { isoDateOfDay } from '../../shared/values/dates';
import { getOrAdd } from '../../shared/values/maps';
import {
  periodOfDay,
  usesOf,
  type AllocationRow,
  type AmountDefinition,
  type CommonAmountRow,
  type EffectivePeriod,
  type TimeSeriesRow,
} from '../format/amount-definitions';
import type { AmountReferences } from '../stage/staged-amounts';
import type { NameIndexWriter } from './name-index';
import type { PlaceColumnsWriter, PlaceSeriesWriter } from './place-columns';
import { writePlacePostings, type PlaceIndexWriter } from './place-index';
import type { IdentifierTerms, PostingLists, RunList, StagedTerms } from './posting-lists';
import { PeriodColumnWriter, type RecordColumns } from './record-columns';
import type { FoundSource, ReleaseLookups } from './release-lookups';
import { fieldValuesOf, termOf, termsOf } from './term-sources';
import type { VariableRow } from '../format/submission-files';

/** What the index has found of a record. */
export interface IndexedRecord {
  readonly record: number;
  readonly variable: VariableRow;
  /** Its own, or that of its places. */
  readonly waterSource: FoundSource | undefined;
  /** Ranks, in the order of the row. */
  readonly places: readonly number[];
  /** The primary use is one of the uses for filters and lookups alike (D13, D24). */
  readonly uses: readonly string[];
  /** In the order of the kind's definition. */
  readonly measures: readonly (number | null)[];
  readonly period: EffectivePeriod | undefined;
  /** Numbers of all lookups to which the record refers. */
  readonly references: readonly number[];
}

interface RecordIndexInput {
  readonly definition: AmountDefinition;
  /** Two-letter code. */
  readonly organizationState: string;
  /** For the files of columns. */
  readonly folder: string;
  readonly lookups: ReleaseLookups;
  readonly postings: PostingLists;
  readonly columns: RecordColumns;
  readonly placeIndex: PlaceIndexWriter;
  readonly placeColumns: PlaceColumnsWriter;
  readonly placeSeries: PlaceSeriesWriter;
}

interface Identified {
  /** Those of the places' identifiers. */
  readonly placeTerms: StagedTerms;
  /** Those of rights. */
  readonly identifiers: IdentifierTerms | undefined;
  /** Hears of identifiers that several have. */
  readonly names: NameIndexWriter;
}

/** A combination of uses. */
interface IndexedUses {
  readonly uses: readonly string[];
  readonly numbers: readonly number[];
  readonly postings: readonly RunList[];
  /** Its ordinal in the column. */
  readonly useSet: number;
}

/** A combination of what stands in rows of a kind alone: the year of an amount, the vocabulary values of a right. */
interface IndexedRowValues {
  readonly code: number;
  readonly reportYear: number;
  readonly postings: readonly RunList[];
}

export class RecordIndex {
  private readonly periods: PeriodColumnWriter;
  private readonly publications: PeriodColumnWriter;
  /** The posting lists to which every record is added. */
  private readonly organizationPostings: readonly RunList[];
  private readonly uses = new Map<string, IndexedUses>();
  private readonly rowValues = new Map<string, IndexedRowValues>();
  private count = 0;

  constructor(private readonly input: RecordIndexInput) {
    const { definition, organizationState: state, folder, postings } = input;
    this.periods = new PeriodColumnWriter(join(folder, 'periods'));
    this.publications = new PeriodColumnWriter(join(folder, 'publications'));
    this.organizationPostings = postings.recordsOf(termsOf(definition.kind, 'organization', { state }));
  }

  /**
   * Records come in the order of their numbers. The vocabulary has its fields in the order in which their terms came:
   * of places, the variable, the water source, uses, and of the row.
   */
  add(row: CommonAmountRow, staged: AmountReferences): IndexedRecord {
    const { definition, lookups, placeColumns, placeSeries } = this.input;
    const record = this.count++;
    const places = lookups.ranksOf(staged.places);
    for (const rank of places) placeColumns.addRecord(rank, record);
    const variable = lookups.variable(staged.variable);
    addTo(variable.postings, record);
    const waterSource = this.waterSourceOf(staged, places);
    if (waterSource !== undefined) addTo(waterSource.postings, record);
    const uses = this.usesOf(row);
    addTo(uses.postings, record);
    addTo(this.organizationPostings, record);
    const rowValues = this.rowValuesOf(row);
    addTo(rowValues.postings, record);
    const variableCode = variable.number - lookups.first('VariableSpecifics');
    const method = lookups.method(staged.method);
    const measures = definition.measures(row);
    const ordinals = {
      variable: variableCode,
      method: method - lookups.first('Methods'),
      source: waterSource === undefined ? 0 : waterSource.number - lookups.first('WaterSources') + 1,
      ...{ useSet: uses.useSet, reportYear: rowValues.reportYear, rowTerms: rowValues.code },
    };
    this.input.columns.add(ordinals, measures);
    const period = definition.period(row);
    placeSeries.add(places, variableCode, period);
    this.periods.add(period, definition.shownDates(row));
    this.publications.add(periodOfDay(row.DataPublicationDate));
    const ofSource = waterSource === undefined ? [] : [waterSource.number];
    const references = [variable.number, method, ...ofSource, ...this.addPlaces(record, places), ...uses.numbers];
    return { record, variable: variable.row, waterSource, places, uses: uses.uses, measures, period, references };
  }

  async finish(writer: ReleaseWriter, { placeTerms, identifiers, names }: Identified): Promise<void> {
    const { postings, columns, placeIndex, placeColumns, placeSeries } = this.input;
    const { values, ordinals } = postings.vocabulary();
    const ordinalOf = (text: string): number | undefined => ordinals.get(text);
    const recordsOfPlaces = placeIndex.finish();
    placeColumns.writeHashes(writer);
    writePlacePostings(placeTerms, recordsOfPlaces, writer, names);
    await identifiers?.writeTo(writer, names);
    postings.writeTo(writer);
    columns.finish(ordinalOf, placeColumns.writeColumns(writer, ordinalOf));
    placeSeries.finish(writer);
    placeColumns.writeDetails(writer);
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

  /** A right without a water source of its own has the first one of its first site that has any (D27). */
  private waterSourceOf({ waterSource }: AmountReferences, places: readonly number[]): FoundSource | undefined {
    const { definition, lookups, placeColumns } = this.input;
    if (waterSource !== undefined) return lookups.waterSource(waterSource);
    if (definition.kind !== 'WaterAllocations') return undefined;
    for (const rank of places) {
      const [source] = placeColumns.sourcesOf(rank);
      if (source !== undefined) return lookups.waterSource(source);
    }
    return undefined;
  }

  private usesOf(row: CommonAmountRow): IndexedUses {
    const uses = usesOf(row);
    return getOrAdd(this.uses, JSON.stringify(uses), () => {
      const { columns, lookups } = this.input;
      const found = uses.map((use) => lookups.use(use));
      const numbers = found.map(({ number }) => number);
      const first = lookups.first('BeneficialUses');
      return {
        ...{ uses, numbers, postings: found.flatMap(({ postings }) => postings) },
        useSet: columns.useSetOf(numbers.map((number) => number - first)),
      };
    });
  }

  private rowValuesOf(row: CommonAmountRow): IndexedRowValues {
    const { columns, postings, definition } = this.input;
    // The rows of a data set are those of its definition's file.
    if (definition.kind !== 'WaterAllocations') {
      const { ReportYearCV: year } = row as TimeSeriesRow;
      return getOrAdd(this.rowValues, year ?? '', () => {
        return { code: 0, reportYear: columns.reportYearOf(year), postings: [] };
      });
    }
    const values = fieldValuesOf('WaterAllocations', 'allocation', row as AllocationRow);
    return getOrAdd(this.rowValues, JSON.stringify(values), () => {
      const terms = values.map(termOf);
      const code = columns.terms.rowTerms.push(terms) - 1;
      return { code, reportYear: 0, postings: postings.recordsOf(terms) };
    });
  }

  /** Returns the numbers of the places and of their water sources. */
  private addPlaces(record: number, places: readonly number[]): readonly number[] {
    const { placeIndex, placeColumns, lookups, definition } = this.input;
    const firstPlace = lookups.first(definition.placeTable === 'sites' ? 'Sites' : 'ReportingUnits');
    const references: number[] = [];
    for (const rank of places) {
      placeIndex.addRecord(record, rank);
      references.push(firstPlace + rank);
      for (const source of placeColumns.sourcesOf(rank)) references.push(lookups.waterSource(source).number);
    }
    return references;
  }
}

function addTo(postings: readonly RunList[], record: number): void {
  for (const list of postings) list.add(record);
}
