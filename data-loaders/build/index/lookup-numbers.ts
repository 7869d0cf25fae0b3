// Which lookups a data set's records refer to, and the numbers they get in its release: kind by kind in the layout's order,
// within a kind by identifier (uses by name), so that ascending numbers are already the order of D24.

import type { LookupKind } from '../../../shared/records/lookups';
import { compareUtf8 } from '../../../shared/values/utf8-order';
import type { Resumable } from '../../stage/checkpoints';
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

interface SavedReferences {
  readonly uses: ReadonlySet<string>;
  readonly marks: ReadonlyMap<LookupTable, Uint8Array>;
}

/** Marks made while amount rows are checked. */
export class ReferencedLookups implements Resumable {
  readonly uses = new Set<string>();
  private readonly marks = new Map<LookupTable, Uint8Array>();

  save(): SavedReferences {
    return { uses: this.uses, marks: this.marks };
  }

  restore(saved: unknown): void {
    const { uses, marks } = saved as SavedReferences; // Of `save`.
    for (const use of uses) this.uses.add(use);
    for (const [table, marked] of marks) this.marks.set(table, marked);
  }

  mark(table: LookupTable, stagedNumber: number): void {
    let marks = this.marks.get(table);
    if (marks === undefined || stagedNumber >= marks.length) {
      const grown = new Uint8Array(Math.max(1024, stagedNumber * 2));
      if (marks !== undefined) grown.set(marks);
      marks = grown;
      this.marks.set(table, marks);
    }
    marks[stagedNumber] = 1;
  }

  has(table: LookupTable, stagedNumber: number): boolean {
    return this.marks.get(table)?.[stagedNumber] === 1;
  }
}

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
