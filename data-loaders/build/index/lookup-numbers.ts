// The numbers that referenced lookups get in the release of a data set: kind by kind in the layout's order,
// within a kind by identifier (uses by name), so that ascending numbers are already the order of D24.

import type { LookupKind } from '../../../shared/records/lookups';
import { compareUtf8 } from '../../../shared/values/utf8-order';
import type { ReferencedLookups } from '../../stage/referenced-lookups';
import type { Staging } from '../../stage/staging';
import type { LookupTable } from '../../stage/staging-database';

type TableKind = Exclude<LookupKind, 'BeneficialUses'>;

export const tableOfKind: Readonly<Record<TableKind, LookupTable>> = {
  VariableSpecifics: 'variables',
  Methods: 'methods',
  WaterSources: 'watersources',
  Sites: 'sites',
  ReportingUnits: 'reportingunits',
};

export class LookupNumbers {
  readonly counts: { readonly kind: LookupKind; readonly count: number }[] = [];
  private readonly firsts = new Map<LookupKind, number>();
  /** By staged number. */
  private readonly numbers = new Map<LookupKind, Uint32Array>();
  private readonly useNumbers = new Map<string, number>();

  constructor(kinds: readonly LookupKind[], staging: Staging, referenced: ReferencedLookups) {
    let next = 0;
    for (const kind of kinds) {
      this.firsts.set(kind, next);
      const count =
        kind === 'BeneficialUses'
          ? this.numberUses(referenced.uses, next)
          : this.numberTable(kind, staging, referenced, next);
      this.counts.push({ kind, count });
      next += count;
    }
  }

  /** The number of a kind's first lookup. */
  first(kind: LookupKind): number {
    return this.firsts.get(kind) ?? 0;
  }

  of(kind: TableKind, stagedNumber: number): number {
    const number = this.numbers.get(kind)?.[stagedNumber];
    if (number === undefined) throw new Error(`${kind} ${stagedNumber} was not numbered`);
    return number;
  }

  ofUse(name: string): number {
    const number = this.useNumbers.get(name);
    if (number === undefined) throw new Error(`the use ${name} was not numbered`);
    return number;
  }

  /** In the order of their numbers. */
  uses(): Iterable<string> {
    return this.useNumbers.keys();
  }

  private numberUses(uses: ReadonlySet<string>, first: number): number {
    [...uses].sort(compareUtf8).forEach((use, index) => this.useNumbers.set(use, first + index));
    return uses.size;
  }

  private numberTable(kind: TableKind, staging: Staging, referenced: ReferencedLookups, first: number): number {
    const table = tableOfKind[kind];
    const numbers = new Uint32Array(staging.lastNumber(table) + 1);
    let next = first;
    for (const stagedNumber of staging.lookupNumbers(table)) {
      if (referenced.has(table, stagedNumber)) numbers[stagedNumber] = next++;
    }
    this.numbers.set(kind, numbers);
    return next - first;
  }
}
