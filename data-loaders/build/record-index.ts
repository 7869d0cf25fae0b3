// Indexes the records of a release in the order of their numbers: by posting lists of filter terms, by place, by
// period and by publication date.

import { join } from 'node:path';
import type { ReleaseFacts, ReleaseWriter } from '../../shared/store/port';
import { isoDateOfDay } from '../../shared/values/dates';
import type { SavedRuns } from '../stage/sorted-runs';
import { writePlacePostings, type PlaceIndexWriter } from './place-index';
import { StagedTerms, type askForPostings, type RunList } from './posting-lists';
import { PeriodColumnWriter } from './record-columns';
import type { FoundLookups, ReleaseLookups, ReleaseLookupsInput } from './release-lookups';
import type { OwnValues, RowValues, ValuesOfRow } from './row-values';
import { termsOf } from './term-sources';

/** The uses and references of a record that was added to the index. */
export interface IndexedRecord {
  /** The primary use is one of the uses for filters and lookups alike (D13, D24). */
  readonly uses: readonly string[];
  /** Numbers of all lookups to which the record refers. */
  readonly references: readonly number[];
}

/** A combination of uses as the index has it. */
interface IndexedUses {
  readonly uses: readonly string[];
  readonly numbers: readonly number[];
  readonly postings: readonly RunList[];
  /** Its ordinal in the column. */
  readonly useSet: number;
}

/** A combination of values of rows as the index has it. */
interface IndexedOwn {
  readonly reportYear: number;
  readonly postings: readonly RunList[];
}

export class RecordIndex {
  private readonly periods: PeriodColumnWriter;
  private readonly publications: PeriodColumnWriter;
  /** The posting lists to which every record is added. */
  private readonly organizationPostings: readonly RunList[];
  /** Combinations by their numbers; indexed when the first record has them. */
  private readonly uses: (readonly string[])[] = [];
  private readonly indexedUses: IndexedUses[] = [];
  private readonly own: OwnValues[] = [];
  private readonly indexedOwn: IndexedOwn[] = [];
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
  }

  /** Combinations come before the first record that has them. */
  addCombinations({ newUses, newOwn }: Pick<RowValues, 'newUses' | 'newOwn'>): void {
    this.uses.push(...newUses);
    this.own.push(...newOwn);
  }

  /** Records come in the order of their numbers. */
  add(found: FoundLookups, values: ValuesOfRow): IndexedRecord {
    const { placeColumns, placeSeries, numbers } = this.input;
    const { places, variable, method } = found;
    const record = this.count++;
    // Before the other lookups: the vocabulary has its fields in the order in which their terms came.
    for (const rank of places) placeColumns.addRecord(rank, record);
    const references = [variable.number, method];
    this.addLookups(record, found, references);
    const uses = (this.indexedUses[values.uses] ??= this.indexUses(values.uses));
    references.push(...uses.numbers);
    addTo(uses.postings, record);
    addTo(this.organizationPostings, record);
    const own = (this.indexedOwn[values.own] ??= this.indexOwn(values.own));
    addTo(own.postings, record);
    this.addToColumns(found, values, { useSet: uses.useSet, reportYear: own.reportYear });
    placeSeries.add(places, variable.number - numbers.first('VariableSpecifics'), values.period);
    this.periods.add(values.period, values.shownDates);
    this.publications.add(values.publication);
    return { uses: uses.uses, references };
  }

  /** `placeTerms` are those of the places' identifiers; `writeIdentifiers` writes those of rights. */
  async finish(
    writer: ReleaseWriter,
    placeTerms: SavedRuns,
    writeIdentifiers: ReturnType<typeof askForPostings> | undefined,
  ): Promise<void> {
    const { postings, columns, placeColumns, placeSeries, staging } = this.input;
    const { values, ordinals } = postings.vocabulary();
    const ordinalOf = (text: string): number | undefined => ordinals.get(text);
    const recordsOfPlaces = this.places.finish();
    placeColumns.writeHashes(writer);
    const placeIdentifiers = new StagedTerms(staging.folder, 'place_terms', placeTerms);
    writePlacePostings(placeIdentifiers, recordsOfPlaces, writer);
    placeIdentifiers.close();
    await writeIdentifiers?.(writer);
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

  private indexUses(combination: number): IndexedUses {
    const { columns, numbers } = this.input;
    const uses = this.uses[combination];
    if (uses === undefined) throw new Error(`uses ${combination} are not known`);
    const found = uses.map((use) => this.lookups.use(use));
    const useNumbers = found.map(({ number }) => number);
    const first = numbers.first('BeneficialUses');
    return {
      ...{ uses, numbers: useNumbers, postings: found.flatMap(({ postings }) => postings()) },
      useSet: columns.useSetOf(useNumbers.map((number) => number - first)),
    };
  }

  private indexOwn(combination: number): IndexedOwn {
    const { columns, postings } = this.input;
    const own = this.own[combination];
    if (own === undefined) throw new Error(`values ${combination} are not known`);
    columns.terms.rowTerms.set(combination, own.terms);
    return { reportYear: columns.reportYearOf(own.reportYear), postings: postings.recordsOf(own.terms) };
  }

  private addToColumns(
    { variable, method, waterSource }: FoundLookups,
    { own, measures }: ValuesOfRow,
    { useSet, reportYear }: Pick<IndexedUses, 'useSet'> & Pick<IndexedOwn, 'reportYear'>,
  ): void {
    const { columns, numbers } = this.input;
    columns.add({
      variable: variable.number - numbers.first('VariableSpecifics'),
      method: method - numbers.first('Methods'),
      source: waterSource && waterSource.number - numbers.first('WaterSources'),
      ...{ useSet, reportYear, rowTerms: own, measures },
    });
  }

  private addLookups(record: number, { places, variable, waterSource }: FoundLookups, references: number[]): void {
    addTo(variable.postings(), record);
    if (waterSource !== undefined) {
      references.push(waterSource.number);
      addTo(waterSource.postings(), record);
    }
    const { placeColumns, numbers, definition } = this.input;
    const firstPlace = numbers.first(definition.placeTable === 'sites' ? 'Sites' : 'ReportingUnits');
    for (const rank of places) {
      this.places.addRecord(record, rank);
      references.push(firstPlace + rank);
      placeColumns.addSourcesTo(rank, references);
    }
  }
}

function addTo(postings: readonly RunList[], record: number): void {
  for (const list of postings) list.add(record);
}
