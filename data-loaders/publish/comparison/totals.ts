// What the records of a release add up to, per variable and per use, kept with it, so that the next release can be laid beside it.

import { foldText } from '../../../shared/values/folded-text';
import { compareUtf8 } from '../../../shared/values/utf8-order';
import type { Sums, TotalsChange, UseTotals, VariableTotals } from '../../format/comparison-members';

/** What a report shows of each kind; a data set with more has free text where a vocabulary should be. */
const MAX_TOTALS_SHOWN = 200;

/** Digits of a sum: what follows is noise of adding doubles. */
const SUM_DIGITS = 12;

interface Entry {
  records: number;
  readonly sums: number[];
}

type VariableEntry = Entry & { readonly uuid: string; readonly name: string; readonly unit: string | null };
type UseEntry = Entry & { readonly use: string | null; readonly unit: string | null };

/** The `totals` artifact. */
export interface Totals {
  readonly measures: readonly string[];
  readonly variables: readonly (Omit<VariableTotals, 'before' | 'after'> & { readonly sums: Sums })[];
  readonly uses: readonly (Omit<UseTotals, 'before' | 'after'> & { readonly sums: Sums })[];
}

export interface TotalsVariable {
  readonly uuid: string;
  readonly name: string;
  /** Null where the measures say their unit themselves. */
  readonly unit: string | null;
}

export class TotalsBuilder {
  private readonly variables = new Map<string, VariableEntry>();
  /** By unit, then by use in each spelling; spellings of one use share an entry. */
  private readonly uses = new Map<string | null, Map<string | null, UseEntry>>();

  constructor(private readonly measureNames: readonly string[]) {}

  /** A record with several uses counts under each of them, one without any under null. */
  add({ uuid, name, unit }: TotalsVariable, uses: readonly string[], measures: readonly (number | null)[]): void {
    let variable = this.variables.get(uuid);
    if (variable === undefined) {
      variable = { uuid, name, unit, ...this.none() };
      this.variables.set(uuid, variable);
    }
    addTo(variable, measures);
    if (uses.length < 2) {
      addTo(this.useEntry(uses[0] ?? null, unit), measures);
      return;
    }
    for (const entry of new Set(uses.map((use) => this.useEntry(use, unit)))) addTo(entry, measures);
  }

  /** How many records have each use, whatever the unit; null is not among them. */
  recordsOfUses(): ReadonlyMap<string, number> {
    const records = new Map<string, number>();
    for (const entries of this.uses.values()) {
      for (const entry of new Set(entries.values())) {
        if (entry.use !== null) records.set(entry.use, (records.get(entry.use) ?? 0) + entry.records);
      }
    }
    return records;
  }

  build(): Totals {
    const variables = [...this.variables.values()].sort((a, b) => compareUtf8(a.uuid, b.uuid));
    const uses = [...this.uses.values()].flatMap((entries) => [...new Set(entries.values())]);
    uses.sort((a, b) => compareUtf8(a.use ?? '', b.use ?? '') || compareUtf8(a.unit ?? '', b.unit ?? ''));
    return {
      measures: this.measureNames,
      variables: variables.map((entry) => ({
        variableSpecificUuid: entry.uuid,
        variableSpecific: entry.name,
        unit: entry.unit,
        sums: this.sumsOf(entry),
      })),
      uses: uses.map((entry) => ({ use: entry.use, unit: entry.unit, sums: this.sumsOf(entry) })),
    };
  }

  private useEntry(use: string | null, unit: string | null): UseEntry {
    let entries = this.uses.get(unit);
    if (entries === undefined) {
      entries = new Map();
      this.uses.set(unit, entries);
    }
    const known = entries.get(use);
    if (known !== undefined) return known;
    // The first spelling names the use; a folded text may be a spelling of its own.
    const folded = use === null ? null : foldText(use);
    const entry = entries.get(folded) ?? { use, unit, ...this.none() };
    entries.set(folded, entry);
    entries.set(use, entry);
    return entry;
  }

  private none(): Entry {
    return { records: 0, sums: this.measureNames.map(() => 0) };
  }

  private sumsOf({ records, sums }: Entry): Sums {
    const named = this.measureNames.map((name, index): [string, number] => [
      name,
      Number((sums[index] ?? 0).toPrecision(SUM_DIGITS)),
    ]);
    return { records, sums: Object.fromEntries(named) };
  }
}

/** `before` is undefined when there is no former release or it has no totals. */
export function compareTotals(before: Totals | undefined, after: Totals): TotalsChange {
  const variables = pair(before?.variables ?? [], after.variables, (entry) => entry.variableSpecificUuid);
  const uses = pair(before?.uses ?? [], after.uses, (entry) =>
    JSON.stringify([entry.use === null ? null : foldText(entry.use), entry.unit]),
  );
  return {
    variables: mostRecords(
      variables.map(({ entry, ...sums }) => ({
        variableSpecificUuid: entry.variableSpecificUuid,
        variableSpecific: entry.variableSpecific,
        unit: entry.unit,
        ...sums,
      })),
    ),
    uses: mostRecords(uses.map(({ entry, ...sums }) => ({ use: entry.use, unit: entry.unit, ...sums }))),
    omitted: Math.max(0, variables.length - MAX_TOTALS_SHOWN) + Math.max(0, uses.length - MAX_TOTALS_SHOWN),
  };
}

export function readTotals(content: Uint8Array): Totals {
  return JSON.parse(Buffer.from(content).toString()) as Totals; // Written by TotalsBuilder.
}

function addTo(entry: Entry, measures: readonly (number | null)[]): void {
  entry.records++;
  for (let index = 0; index < measures.length; index++)
    entry.sums[index] = (entry.sums[index] ?? 0) + (measures[index] ?? 0);
}

interface Paired<E> {
  readonly entry: E;
  readonly before: Sums | null;
  readonly after: Sums | null;
}

/** What is in either, in the order of `after`, then what only `before` has. */
function pair<E extends { readonly sums: Sums }>(
  before: readonly E[],
  after: readonly E[],
  keyOf: (entry: E) => string,
): readonly Paired<E>[] {
  const former = new Map(before.map((entry) => [keyOf(entry), entry]));
  const pairs = after.map((entry): Paired<E> => {
    const key = keyOf(entry);
    const found = former.get(key);
    former.delete(key);
    return { entry, before: found?.sums ?? null, after: entry.sums };
  });
  return [...pairs, ...[...former.values()].map((entry): Paired<E> => ({ entry, before: entry.sums, after: null }))];
}

/** The order stays. */
function mostRecords<T extends { readonly before: Sums | null; readonly after: Sums | null }>(
  totals: readonly T[],
): readonly T[] {
  if (totals.length <= MAX_TOTALS_SHOWN) return totals;
  const recordsOf = ({ before, after }: T): number => Math.max(before?.records ?? 0, after?.records ?? 0);
  const shown = new Set([...totals].sort((a, b) => recordsOf(b) - recordsOf(a)).slice(0, MAX_TOTALS_SHOWN));
  return totals.filter((entry) => shown.has(entry));
}
