// The lookups of a release while its records are built. For each lookup to which a row refers it finds, once, the
// number in the release, the members that records repeat, and the posting lists to which a record that refers to it
// is added.

import type { AmountDefinition, CommonAmountRow } from '../../format/amount-definitions';
import type { VariableRow } from '../../format/lookup-files';
import type { Staging } from '../../stage/staging';
import type { PlaceColumnsWriter } from '../columns/place-columns-writer';
import type { PlaceSeriesWriter } from '../columns/place-series-writer';
import type { RecordColumns } from '../columns/record-columns';
import type { UseCategories } from '../records/lookup-json';
import type { RecordLookups } from '../records/record-json';
import { tableOfKind, type LookupNumbers, type LookupRows, type TableKind } from './lookup-numbers';
import type { PlaceSummaries } from './place-summaries';
import type { PostingLists } from './posting-lists';
import type { RunList } from './run-list';
import { termsOf, type Term, type TermSubjects } from './term-sources';

/** A lookup by its number in the release, with the posting lists of the records that refer to it. */
interface FoundLookup {
  readonly number: number;
  readonly postings: readonly RunList[];
}

type FoundVariable = FoundLookup & { readonly row: VariableRow };

type FoundSource = FoundLookup & { readonly id: string; readonly type: string | null };

export interface FoundLookups {
  /** Ranks, in the order of the row. */
  readonly places: readonly number[];
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
  readonly summaries: PlaceSummaries;
  /** Two-letter code. */
  readonly organizationState: string;
  readonly categoriesOf: (use: string) => UseCategories;
}

export class ReleaseLookups {
  private readonly variables = new Map<string, FoundVariable>();
  private readonly methods = new Map<string, number>();
  /** By staged number. */
  private readonly sources = new Map<number, FoundSource>();
  private readonly sourcesByNumber = new Map<number, FoundSource>();
  private readonly uses = new Map<string, FoundLookup>();
  /** The place of the row before is mostly the next one's too, and comparing a text is faster than looking it up. */
  private lastPlace: { readonly id: string; readonly rank: number } | undefined;
  private last: RecordLookups | undefined;

  constructor(private readonly input: ReleaseLookupsInput) {}

  /** The lookups of a row that its record repeats; `places` are the ranks of those of its kind's definition. */
  find(row: CommonAmountRow, places: readonly number[]): FoundLookups {
    return {
      places,
      variable: this.variable(row.VariableSpecificUUID),
      waterSource: this.waterSourceOf(row, places),
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

  method(id: string): number {
    return cached(this.methods, id, () => this.read('Methods', this.stagedNumber('Methods', id)).number);
  }

  waterSource(stagedNumber: number): FoundSource {
    return cached(this.sources, stagedNumber, () => {
      const { columns, numbers, postings } = this.input;
      const { id, row, number } = this.read('WaterSources', stagedNumber);
      const terms = this.termsOf('waterSource', row);
      columns.terms.source.set(number - numbers.first('WaterSources'), terms);
      const found = { id, type: row.WaterSourceTypeCV, number, postings: postings.recordsOf(terms) };
      this.sourcesByNumber.set(number, found);
      return found;
    });
  }

  use(name: string): FoundLookup {
    return cached(this.uses, name, () => {
      const { columns, numbers, categoriesOf, postings } = this.input;
      const number = numbers.ofUse(name);
      const terms = this.termsOf('use', { name, ...categoriesOf(name) });
      columns.terms.use.set(number - numbers.first('BeneficialUses'), terms);
      return { number, postings: postings.recordsOf(terms) };
    });
  }

  rankOf(id: string): number {
    if (this.lastPlace?.id === id) return this.lastPlace.rank;
    const { numbers, definition } = this.input;
    const kind = definition.placeTable === 'sites' ? 'Sites' : 'ReportingUnits';
    const rank = numbers.of(kind, this.stagedNumber(kind, id)) - numbers.first(kind);
    this.lastPlace = { id, rank };
    return rank;
  }

  private variable(id: string): FoundVariable {
    return cached(this.variables, id, () => {
      const { columns, numbers, postings } = this.input;
      const { row, number } = this.read('VariableSpecifics', this.stagedNumber('VariableSpecifics', id));
      const terms = this.termsOf('variable', row);
      columns.setVariable(number - numbers.first('VariableSpecifics'), row);
      columns.terms.variable.set(number - numbers.first('VariableSpecifics'), terms);
      return { row, number, postings: postings.recordsOf(terms) };
    });
  }

  /** An amount has its own source or none; an allocation else the first one of its first site that has any (D27). */
  private waterSourceOf(row: CommonAmountRow, places: readonly number[]): FoundSource | undefined {
    const { WaterSourceUUID: own } = row;
    if (own !== null) return this.waterSource(this.stagedNumber('WaterSources', own));
    const { definition, summaries } = this.input;
    if (definition.kind !== 'WaterAllocations') return undefined;
    for (const rank of places) {
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

  /** Rows with unknown references were rejected when they were read. */
  private stagedNumber(kind: keyof typeof tableOfKind, id: string): number {
    const staged = this.input.staging.findNumber(tableOfKind[kind], id);
    if (staged === undefined) throw new Error(`${kind} ${id} was referred to but is not staged`);
    return staged;
  }
}

function cached<Key, Value>(cache: Map<Key, Value>, id: Key, find: () => Value): Value {
  const known = cache.get(id);
  if (known !== undefined) return known;
  const found = find();
  cache.set(id, found);
  return found;
}
