// The lookups of a release while its records are built. They are numbered kind by kind in the layout's order, within a
// kind by identifier (uses by name), so that ascending numbers are already the order of D24. For each lookup to which a
// row refers the number, the members that records repeat, and the posting lists to which a record that refers to it is
// added are found once.

import type { LookupKind } from '../../shared/records/lookups';
import { compareUtf8 } from '../../shared/values/text';
import type { AmountDefinition } from '../format/amount-definitions';
import type { MethodRow, VariableRow, WaterSourceRow } from '../format/submission-files';
import type { AmountReferences, ReferencedLookups } from '../stage/staged-amounts';
import type { Staging } from '../stage/staging';
import type { LookupTable } from '../stage/staging-database';
import type { PlaceColumnsWriter, PlaceSeriesWriter } from './place-columns';
import type { PostingLists, RunList } from './posting-lists';
import type { RecordColumns } from './record-columns';
import type { RecordLookups, UseCategories } from './release-json';
import { termsOf, type Term, type TermSubjects } from './term-sources';

/** The rows of each kind of lookup, as they are staged. */
interface LookupRows {
  readonly VariableSpecifics: VariableRow;
  readonly Methods: MethodRow;
  readonly WaterSources: WaterSourceRow;
}

/** The kinds of lookups that are few; beneficial uses are named by the amounts. */
type TableKind = keyof LookupRows;

type PlaceKind = 'Sites' | 'ReportingUnits';

export const tableOfKind = {
  VariableSpecifics: 'variables',
  Methods: 'methods',
  WaterSources: 'watersources',
  Sites: 'sites',
  ReportingUnits: 'reportingunits',
} as const satisfies Readonly<Record<TableKind | PlaceKind, LookupTable>>;

export class LookupNumbers {
  /** In the order of the numbers, as the facts of a release have them. */
  readonly counts: { readonly kind: LookupKind; readonly count: number }[] = [];
  private readonly firsts = new Map<LookupKind, number>();
  /** For each kind, the number in the release by staged number. */
  private readonly numbers = new Map<LookupKind, Uint32Array>();
  private readonly useNumbers = new Map<string, number>();

  /** `places` are the staged numbers of the places that records refer to, in their order. */
  constructor(
    kinds: readonly LookupKind[],
    staging: Staging,
    private readonly referenced: ReferencedLookups,
    places: Iterable<number>,
  ) {
    let next = 0;
    for (const kind of kinds) {
      this.firsts.set(kind, next);
      const end =
        kind === 'BeneficialUses'
          ? this.numberUses(referenced.uses, next)
          : this.numberTable(kind, staging, this.referencedOf(kind, staging, places), next);
      this.counts.push({ kind, count: end - next });
      next = end;
    }
  }

  first(kind: LookupKind): number {
    return numbered(this.firsts.get(kind), kind);
  }

  countOf(kind: LookupKind): number {
    return this.counts.find((each) => each.kind === kind)?.count ?? 0;
  }

  of(kind: TableKind | PlaceKind, stagedNumber: number): number {
    return numbered(this.numbers.get(kind)?.[stagedNumber], kind);
  }

  ofUse(name: string): number {
    return numbered(this.useNumbers.get(name), name);
  }

  uses(): Iterable<string> {
    return this.useNumbers.keys();
  }

  /** Returns the number after the last one, as numberTable does. */
  private numberUses(uses: ReadonlySet<string>, first: number): number {
    [...uses].sort(compareUtf8).forEach((use, index) => this.useNumbers.set(use, first + index));
    return first + uses.size;
  }

  private numberTable(kind: TableKind | PlaceKind, staging: Staging, staged: Iterable<number>, first: number): number {
    const numbers = new Uint32Array(staging.lastNumber(tableOfKind[kind]) + 1);
    let next = first;
    for (const stagedNumber of staged) numbers[stagedNumber] = next++;
    this.numbers.set(kind, numbers);
    return next;
  }

  /** The staged numbers of the lookups of a kind to which records refer, in the order of D17. */
  private *referencedOf(kind: TableKind | PlaceKind, staging: Staging, places: Iterable<number>): Iterable<number> {
    if (kind === 'Sites' || kind === 'ReportingUnits') {
      yield* places;
      return;
    }
    const table = tableOfKind[kind];
    for (const { number } of staging.lookups(table)) if (this.referenced.has(table, number)) yield number;
  }
}

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
      method: getOrFind(this.methods, method, () => numbers.of('Methods', method)),
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

  private waterSource(stagedNumber: number): FoundSource {
    return getOrFind(this.sources, stagedNumber, () => {
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
    return getOrFind(this.variables, stagedNumber, () => {
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
    const { definition, placeColumns } = this.input;
    if (definition.kind !== 'WaterAllocations') return undefined;
    for (const rank of ranks) {
      const source = placeColumns.firstSourceOf(rank);
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

function numbered(number: number | undefined, lookup: string): number {
  if (number === undefined) throw new Error(`${lookup}: a lookup of the data set was not numbered`);
  return number;
}

function getOrFind<Key, Value>(cache: Map<Key, Value>, id: Key, find: () => Value): Value {
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
