// Numbers the lookups of a release: kind by kind in the order of the layout, and within a kind by identifier (uses by
// name), so that ascending numbers are in the order of D24. A lookup is indexed when the first record refers to it.

import { dataSetLayouts, listLookupKinds } from '../../shared/records/data-sets';
import type { LookupKind } from '../../shared/records/lookups';
import type { Organization } from '../../shared/records/records';
import type { UseCategories } from '../../shared/records/use-categories';
import type { ReleaseWriter } from '../../shared/store/port';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { getOrAdd } from '../../shared/values/maps';
import { numberAt } from '../../shared/values/number-arrays';
import type { VariableRow } from '../format/submission-files';
import type { StagedAmounts } from '../read/amount-rows';
import type { LookupRow, LookupTable } from '../stage/staged-lookups';
import type { Staging } from '../stage/staging';
import type { PostingLists } from './posting-lists';
import type { RecordColumns } from './record-columns';
import type { RunList } from './run-list';
import { buildTerms } from './term-sources';

export const lookupTables = {
  VariableSpecifics: 'variables',
  Methods: 'methods',
  WaterSources: 'watersources',
} as const;

/** The kinds with few lookups. */
type TableKind = keyof typeof lookupTables;

type TableRow<Kind extends TableKind> = LookupRow<(typeof lookupTables)[Kind]>;

/** Rows with their numbers in the release, keyed by staged number. */
type NumberedRows<Row> = Map<number, { readonly number: number; readonly row: Row }>;

/** A lookup with its number in the release and the posting lists of the records that refer to it. */
interface IndexedLookup {
  readonly number: number;
  readonly postings: readonly RunList[];
}

type IndexedVariable = IndexedLookup & { readonly row: VariableRow };

export interface IndexedSource extends IndexedLookup {
  readonly id: string;
  readonly type: string | null;
  /**
   * The posting lists for the filter by source identifier: records whose own source this is, or that have a site with
   * this source.
   */
  readonly identifierPostings: readonly RunList[];
}

/** The input of a release and its writer. */
export interface ReleaseInput {
  readonly staged: StagedAmounts;
  readonly staging: Staging;
  readonly organization: Organization;
  readonly findUseCategories: (use: string) => UseCategories;
  readonly writer: ReleaseWriter;
}

export class ReleaseLookups {
  /** In number order, as in the facts of a release. */
  readonly counts: { readonly kind: LookupKind; readonly count: number }[] = [];
  /** The codes of uses (their numbers within the kind), keyed by name, in number order. */
  readonly uses: ReadonlyMap<string, number>;
  private readonly firstNumbers = new Map<LookupKind, number>();
  private readonly rows: { readonly [Kind in TableKind]: NumberedRows<TableRow<Kind>> } = {
    VariableSpecifics: new Map(),
    Methods: new Map(),
    WaterSources: new Map(),
  };
  private readonly ranks: Uint32Array;
  private readonly variables = new Map<number, IndexedVariable>();
  private readonly sources = new Map<number, IndexedSource>();

  constructor(
    private readonly input: ReleaseInput,
    private readonly postings: PostingLists,
    private readonly columns: RecordColumns,
  ) {
    const { staged, staging } = input;
    const { definition, referenced } = staged;
    const places = listReferencedPlaces(staged, staging);
    this.uses = new Map([...referenced.uses].sort(compareUtf8).map((use, code) => [use, code]));
    this.ranks = new Uint32Array(staging.getLookups(definition.placeTable).lastNumber + 1);
    for (const [rank, stagedNumber] of places.entries()) this.ranks[stagedNumber] = rank;
    let next = 0;
    for (const kind of listLookupKinds(dataSetLayouts[definition.kind])) {
      const first = next;
      this.firstNumbers.set(kind, first);
      if (kind === 'BeneficialUses') next += this.uses.size;
      else if (kind === 'Sites' || kind === 'ReportingUnits') next += places.length;
      else next += this.numberRows(kind, first).size;
      this.counts.push({ kind, count: next - first });
    }
  }

  /** The number of a kind's first lookup in the data set. */
  getFirstNumber(kind: LookupKind): number {
    return requireNumbered(this.firstNumbers.get(kind), kind);
  }

  getCount(kind: LookupKind): number {
    return this.counts.find((each) => each.kind === kind)?.count ?? 0;
  }

  /** Converts staged numbers of places into ranks. */
  toRanks(places: readonly number[]): readonly number[] {
    return places.map((place) => numberAt(this.ranks, place));
  }

  getMethodNumber(stagedNumber: number): number {
    return requireNumbered(this.rows.Methods.get(stagedNumber), 'Methods').number;
  }

  getVariable(stagedNumber: number): IndexedVariable {
    return getOrAdd(this.variables, stagedNumber, () => {
      const { number, row } = requireNumbered(this.rows.VariableSpecifics.get(stagedNumber), 'VariableSpecifics');
      const terms = buildTerms(this.input.staged.definition.kind, 'variable', row);
      const code = number - this.getFirstNumber('VariableSpecifics');
      this.columns.setVariable(code, row);
      this.columns.terms.variable[code] = terms;
      return { row, number, postings: this.postings.getLists(terms) };
    });
  }

  getWaterSource(stagedNumber: number): IndexedSource {
    return getOrAdd(this.sources, stagedNumber, () => {
      const { number, row } = requireNumbered(this.rows.WaterSources.get(stagedNumber), 'WaterSources');
      const terms = buildTerms(this.input.staged.definition.kind, 'waterSource', row);
      this.columns.terms.source[number - this.getFirstNumber('WaterSources')] = terms;
      const { WaterSourceUUID: id, WaterSourceTypeCV: type } = row;
      const identifierTerms = buildTerms(this.input.staged.definition.kind, 'sourceIdentifier', row);
      const identifierPostings = this.postings.getLists(identifierTerms);
      return { id, type, number, postings: this.postings.getLists(terms), identifierPostings };
    });
  }

  getUse(name: string): IndexedLookup {
    const { findUseCategories, staged } = this.input;
    const code = requireNumbered(this.uses.get(name), name);
    const terms = buildTerms(staged.definition.kind, 'use', { name, ...findUseCategories(name) });
    this.columns.terms.use[code] = terms;
    return { number: this.getFirstNumber('BeneficialUses') + code, postings: this.postings.getLists(terms) };
  }

  /** Numbers the rows of a kind, without their geometries, which may be large. */
  private numberRows<Kind extends TableKind>(kind: Kind, first: number): NumberedRows<TableRow<Kind>> {
    const rows: NumberedRows<TableRow<Kind>> = this.rows[kind];
    for (const [stagedNumber, row] of readReferencedRows(lookupTables[kind], this.input.staged, this.input.staging)) {
      rows.set(stagedNumber, { number: first + rows.size, row: 'Geometry' in row ? { ...row, Geometry: null } : row });
    }
    return rows;
  }
}

/** The rows of a table to which records refer, with their staged numbers, in the order of D17. */
export function* readReferencedRows<Table extends LookupTable>(
  table: Table,
  { referenced }: StagedAmounts,
  staging: Staging,
): Iterable<readonly [number, LookupRow<Table>]> {
  for (const { number, readRow } of staging.getLookups(table).readRows()) {
    if (referenced.marks[table][number] === 1) yield [number, readRow()];
  }
}

/**
 * The staged numbers of the places to which records refer, in the order of D17. Marks their water sources, because a
 * source is also a lookup of the page if only a site refers to it (D24).
 */
function listReferencedPlaces({ definition, referenced }: StagedAmounts, staging: Staging): Uint32Array {
  const places = staging.getLookups(definition.placeTable);
  const order = new Uint32Array(places.lastNumber);
  let count = 0;
  for (const { number, waterSources } of places.readRows()) {
    if (referenced.marks[definition.placeTable][number] !== 1) continue;
    order[count] = number;
    count++;
    for (const source of waterSources) referenced.marks.watersources[source] = 1;
  }
  return order.subarray(0, count);
}

function requireNumbered<Value>(value: Value | undefined, lookup: string): Value {
  if (value === undefined) throw new Error(`${lookup}: a lookup of the data set was not numbered`);
  return value;
}
