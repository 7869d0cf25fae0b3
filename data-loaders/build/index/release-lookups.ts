// The lookups of a release while its records are built. For each lookup to which a row refers it finds, once, the
// number in the release, the members that records repeat, and the posting lists to which a record that refers to it
// is added.

import type { AmountDefinition } from '../../format/amount-definitions';
import type { VariableRow } from '../../format/submission-files';
import type { AmountReferences } from '../../stage/staged-amounts';
import type { Staging } from '../../stage/staging';
import type { PlaceColumnsWriter } from '../columns/place-columns-writer';
import type { PlaceSeriesWriter } from '../columns/place-series-writer';
import type { SiteDetailsWriter } from '../columns/site-details-writer';
import type { RecordColumns } from '../columns/record-columns';
import type { UseCategories } from '../records/lookup-json';
import type { RecordLookups } from '../records/record-json';
import { tableOfKind, type LookupNumbers, type LookupRows, type TableKind } from './lookup-numbers';
import type { PlaceSummaries } from './terms/place-summaries';
import type { PostingLists } from './terms/posting-lists';
import type { RunList } from './terms/run-list';
import { termsOf, type Term, type TermSubjects } from './terms/term-sources';

/** A lookup by its number in the release, with the posting lists of the records that refer to it. */
interface FoundLookup {
  readonly number: number;
  /** Made when first asked for: the vocabulary has its fields in the order in which records had their terms. */
  readonly postings: () => readonly RunList[];
}

type FoundVariable = FoundLookup & { readonly row: VariableRow };

type FoundSource = FoundLookup & { readonly id: string; readonly type: string | null };

export interface FoundLookups {
  /** Ranks, in the order of the row. */
  readonly places: readonly number[];
  /** Its number. */
  readonly method: number;
  readonly variable: FoundVariable;
  readonly waterSource: FoundSource | undefined;
}

export interface ReleaseLookupsInput {
  readonly definition: AmountDefinition;
  readonly staging: Staging;
  readonly numbers: LookupNumbers;
  readonly postings: PostingLists;
  readonly columns: RecordColumns;
  readonly placeColumns: PlaceColumnsWriter;
  readonly placeSeries: PlaceSeriesWriter;
  readonly siteDetails: SiteDetailsWriter;
  readonly summaries: PlaceSummaries;
  /** Two-letter code. */
  readonly organizationState: string;
  readonly categoriesOf: (use: string) => UseCategories;
}

export class ReleaseLookups {
  /** All but uses by staged number. */
  private readonly variables = new Map<number, FoundVariable>();
  private readonly methods = new Map<number, number>();
  private readonly sources = new Map<number, FoundSource>();
  private readonly sourcesByNumber = new Map<number, FoundSource>();
  private last: RecordLookups | undefined;

  constructor(private readonly input: ReleaseLookupsInput) {}

  find({ variable, method, waterSource, places }: AmountReferences): FoundLookups {
    const { numbers, definition } = this.input;
    const kind = definition.placeTable === 'sites' ? 'Sites' : 'ReportingUnits';
    const ranks = places.map((place) => numbers.of(kind, place) - numbers.first(kind));
    return {
      places: ranks,
      method: cached(this.methods, method, () => numbers.of('Methods', method)),
      variable: this.variable(variable),
      waterSource: waterSource === undefined ? this.sourceOfPlaces(ranks) : this.waterSource(waterSource),
    };
  }

  /** Returns the object of the row before if nothing differs: one object is sent to a thread once. */
  recordLookups({ variable, waterSource }: FoundLookups): RecordLookups {
    const { last } = this;
    if (last?.variable === variable.row && last.waterSource?.id === waterSource?.id) return last;
    const repeated = waterSource && { id: waterSource.id, type: waterSource.type };
    this.last = { variable: variable.row, waterSource: repeated };
    return this.last;
  }

  addPlaceTerms(terms: readonly Term[]): void {
    this.input.summaries.addTerms(terms);
  }

  /** Places come in the order of their ranks, before the first record; `terms` are numbers of added terms. */
  addPlace(terms: Uint32Array, sources: readonly number[]): void {
    const { placeColumns, summaries } = this.input;
    placeColumns.terms.set(
      summaries.count,
      Array.from(terms, (term) => summaries.term(term)),
    );
    summaries.add(terms, sources);
  }

  private waterSource(stagedNumber: number): FoundSource {
    return cached(this.sources, stagedNumber, () => {
      const { columns, numbers, postings } = this.input;
      const { id, row, number } = this.read('WaterSources', stagedNumber);
      const terms = this.termsOf('waterSource', row);
      columns.terms.source.set(number - numbers.first('WaterSources'), terms);
      const found = { id, type: row.WaterSourceTypeCV, number, postings: once(() => postings.recordsOf(terms)) };
      this.sourcesByNumber.set(number, found);
      return found;
    });
  }

  /** Places come before the records, and so do the terms of their water sources in the vocabulary. */
  waterSourceOfPlace(stagedNumber: number): FoundSource {
    const found = this.waterSource(stagedNumber);
    found.postings();
    return found;
  }

  use(name: string): FoundLookup {
    const { columns, numbers, categoriesOf, postings } = this.input;
    const number = numbers.ofUse(name);
    const terms = this.termsOf('use', { name, ...categoriesOf(name) });
    columns.terms.use.set(number - numbers.first('BeneficialUses'), terms);
    return { number, postings: once(() => postings.recordsOf(terms)) };
  }

  private variable(stagedNumber: number): FoundVariable {
    return cached(this.variables, stagedNumber, () => {
      const { columns, numbers, postings } = this.input;
      const { row, number } = this.read('VariableSpecifics', stagedNumber);
      const terms = this.termsOf('variable', row);
      columns.setVariable(number - numbers.first('VariableSpecifics'), row);
      columns.terms.variable.set(number - numbers.first('VariableSpecifics'), terms);
      return { row, number, postings: once(() => postings.recordsOf(terms)) };
    });
  }

  /** A right without a water source of its own has the first one of its first site that has any (D27). */
  private sourceOfPlaces(ranks: readonly number[]): FoundSource | undefined {
    const { definition, summaries } = this.input;
    if (definition.kind !== 'WaterAllocations') return undefined;
    for (const rank of ranks) {
      const source = summaries.firstSourceOf(rank);
      if (source !== undefined) return this.sourcesByNumber.get(source);
    }
    return undefined;
  }

  private termsOf<S extends keyof TermSubjects>(subject: S, values: TermSubjects[S]): readonly Term[] {
    return termsOf(this.input.definition.kind, subject, values);
  }

  private read<Kind extends TableKind>(
    kind: Kind,
    stagedNumber: number,
  ): { readonly id: string; readonly row: LookupRows[Kind]; readonly number: number } {
    const { staging, numbers } = this.input;
    const { id, row } = staging.lookup(tableOfKind[kind], stagedNumber);
    return { id, row: JSON.parse(row) as LookupRows[Kind], number: numbers.of(kind, stagedNumber) }; // By stageLookups.
  }
}

function cached<Key, Value>(cache: Map<Key, Value>, id: Key, find: () => Value): Value {
  const known = cache.get(id);
  if (known !== undefined) return known;
  const found = find();
  cache.set(id, found);
  return found;
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}
