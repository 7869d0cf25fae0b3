// Numbers the lookups to which a data set's records refer: kind by kind in the layout's order, within a kind by
// identifier (uses by name), so that ascending numbers are already the order of D24.

import type { LookupKind } from '../../../shared/records/lookups';
import { compareUtf8 } from '../../../shared/values/text';
import type { MethodRow, VariableRow, WaterSourceRow } from '../../format/submission-files';
import type { ReferencedLookups } from '../../stage/references';
import type { Staging } from '../../stage/staging';
import type { LookupTable } from '../../stage/staging-database';

/** The rows of each kind of lookup, as they are staged. */
export interface LookupRows {
  readonly VariableSpecifics: VariableRow;
  readonly Methods: MethodRow;
  readonly WaterSources: WaterSourceRow;
}

/** The kinds of lookups that are few; beneficial uses are named by the amounts. */
export type TableKind = keyof LookupRows;

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

function numbered(number: number | undefined, lookup: string): number {
  if (number === undefined) throw new Error(`${lookup}: a lookup of the data set was not numbered`);
  return number;
}
