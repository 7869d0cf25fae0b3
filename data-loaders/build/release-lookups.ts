// The lookups of a release while its records are built. They are numbered kind by kind in the layout's order, within a
// kind by identifier (uses by name), so that ascending numbers are already the order of D24. What a lookup adds to the
// index, and what records repeat of it, is found when the first record refers to it.

import { dataSetLayouts, lookupKindsOf } from '../../shared/records/data-sets';
import type { LookupKind } from '../../shared/records/lookups';
import { getOrAdd } from '../../shared/values/maps';
import { numberAt } from '../../shared/values/numbers';
import { compareUtf8 } from '../../shared/values/text';
import type { VariableRow, WaterSourceRow } from '../format/submission-files';
import type { StagedAmounts } from '../read/amount-rows';
import type { LookupRow, LookupTable } from '../stage/staged-lookups';
import type { Staging } from '../stage/staging';
import type { PostingLists, RunList } from './posting-lists';
import type { RecordColumns } from './record-columns';
import type { UseCategories } from '../../shared/records/use-categories';
import { termsOf } from './term-sources';

export const tableOfKind = {
  VariableSpecifics: 'variables',
  Methods: 'methods',
  WaterSources: 'watersources',
} as const;

/** The kinds of lookups that are few. */
type TableKind = keyof typeof tableOfKind;

/** A lookup by its number in the release, with the posting lists of the records that refer to it. */
interface FoundLookup {
  readonly number: number;
  readonly postings: readonly RunList[];
}

type FoundVariable = FoundLookup & { readonly row: VariableRow };

export type FoundSource = FoundLookup & { readonly id: string; readonly type: string | null };

interface LookupsInput {
  readonly staged: StagedAmounts;
  readonly staging: Staging;
  readonly categoriesOf: (use: string) => UseCategories;
  readonly postings: PostingLists;
  readonly columns: RecordColumns;
}

export class ReleaseLookups {
  /** In the order of the numbers, as the facts of a release have them. */
  readonly counts: { readonly kind: LookupKind; readonly count: number }[] = [];
  /** By name, in the order of their numbers, their codes: the numbers within their kind. */
  readonly uses: ReadonlyMap<string, number>;
  private readonly firsts = new Map<LookupKind, number>();
  /** By staged number. */
  private readonly numbers: Readonly<Record<TableKind, Map<number, number>>> = {
    ...{ VariableSpecifics: new Map(), Methods: new Map(), WaterSources: new Map() },
  };
  private readonly ranks: Uint32Array;
  private readonly variableRows: ReadonlyMap<number, VariableRow>;
  /** Without their geometries, which may be large. */
  private readonly sourceRows: ReadonlyMap<number, WaterSourceRow>;
  private readonly variables = new Map<number, FoundVariable>();
  private readonly sources = new Map<number, FoundSource>();

  constructor(private readonly input: LookupsInput) {
    const { staged, staging } = input;
    const { definition, referenced } = staged;
    const places = orderPlaces(staged, staging);
    this.uses = new Map([...referenced.uses].sort(compareUtf8).map((use, code) => [use, code]));
    this.ranks = new Uint32Array(staging.lookups(definition.placeTable).lastNumber + 1);
    places.forEach((stagedNumber, rank) => (this.ranks[stagedNumber] = rank));
    this.variableRows = new Map(referencedRows('variables', staged, staging));
    const sources = Array.from(referencedRows('watersources', staged, staging));
    this.sourceRows = new Map(sources.map(([number, row]) => [number, { ...row, Geometry: null }]));
    let next = 0;
    for (const kind of lookupKindsOf(dataSetLayouts[definition.kind])) {
      const first = next;
      this.firsts.set(kind, first);
      if (kind === 'BeneficialUses') next += this.uses.size;
      else if (kind === 'Sites' || kind === 'ReportingUnits') next += places.length;
      else {
        for (const [number] of referencedRows(tableOfKind[kind], staged, staging))
          this.numbers[kind].set(number, next++);
      }
      this.counts.push({ kind, count: next - first });
    }
  }

  /** The number of the first lookup of a kind that the data set has. */
  first(kind: LookupKind): number {
    return numbered(this.firsts.get(kind), kind);
  }

  countOf(kind: LookupKind): number {
    return this.counts.find((each) => each.kind === kind)?.count ?? 0;
  }

  /** Finds the ranks of places by their staged numbers. */
  ranksOf(places: readonly number[]): readonly number[] {
    return places.map((place) => numberAt(this.ranks, place));
  }

  method(stagedNumber: number): number {
    return numbered(this.numbers.Methods.get(stagedNumber), 'Methods');
  }

  variable(stagedNumber: number): FoundVariable {
    return getOrAdd(this.variables, stagedNumber, () => {
      const { columns, postings, staged } = this.input;
      const number = numbered(this.numbers.VariableSpecifics.get(stagedNumber), 'VariableSpecifics');
      const row = numbered(this.variableRows.get(stagedNumber), 'VariableSpecifics');
      const terms = termsOf(staged.definition.kind, 'variable', row);
      const code = number - this.first('VariableSpecifics');
      columns.setVariable(code, row);
      columns.terms.variable[code] = terms;
      return { row, number, postings: postings.recordsOf(terms) };
    });
  }

  waterSource(stagedNumber: number): FoundSource {
    return getOrAdd(this.sources, stagedNumber, () => {
      const { columns, postings, staged } = this.input;
      const number = numbered(this.numbers.WaterSources.get(stagedNumber), 'WaterSources');
      const row = numbered(this.sourceRows.get(stagedNumber), 'WaterSources');
      const terms = termsOf(staged.definition.kind, 'waterSource', row);
      columns.terms.source[number - this.first('WaterSources')] = terms;
      const { WaterSourceUUID: id, WaterSourceTypeCV: type } = row;
      return { id, type, number, postings: postings.recordsOf(terms) };
    });
  }

  use(name: string): FoundLookup {
    const { columns, categoriesOf, postings, staged } = this.input;
    const code = numbered(this.uses.get(name), name);
    const terms = termsOf(staged.definition.kind, 'use', { name, ...categoriesOf(name) });
    columns.terms.use[code] = terms;
    return { number: this.first('BeneficialUses') + code, postings: postings.recordsOf(terms) };
  }
}

/** The rows of a table to which records refer, by their staged numbers, in the order of D17. */
export function* referencedRows<Table extends LookupTable>(
  table: Table,
  { referenced }: StagedAmounts,
  staging: Staging,
): Iterable<readonly [number, LookupRow<Table>]> {
  for (const { number, row } of staging.lookups(table).rows()) {
    if (referenced.marks[table][number] === 1) yield [number, row()];
  }
}

/**
 * The staged numbers of the places to which records refer, in the order of D17. Marks their water sources, since one to
 * which only a site refers is a lookup of the page too (D24).
 */
function orderPlaces({ definition, referenced }: StagedAmounts, staging: Staging): Uint32Array {
  const places = staging.lookups(definition.placeTable);
  const order = new Uint32Array(places.lastNumber);
  let count = 0;
  for (const { number, waterSources } of places.rows()) {
    if (referenced.marks[definition.placeTable][number] !== 1) continue;
    order[count++] = number;
    for (const source of waterSources) referenced.marks.watersources[source] = 1;
  }
  return order.subarray(0, count);
}

function numbered<Value>(value: Value | undefined, lookup: string): Value {
  if (value === undefined) throw new Error(`${lookup}: a lookup of the data set was not numbered`);
  return value;
}
