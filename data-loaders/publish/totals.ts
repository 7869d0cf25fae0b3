// Totals of a release: its record count and the sums of its measures by variable and by use. They are stored with the
// release, so that the next release can be compared with it.

import type { DataSetKind } from '../../shared/records/data-sets';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { foldText } from '../../shared/values/fold-text';
import type { Sums, TotalsChange } from '../format/report';
import type { FilledCounts } from './filled-columns';

/** The members that are compared for jumps and summed, in the order of the definition's `measures`. */
export const measureNames: Readonly<Record<DataSetKind, readonly string[]>> = {
  SiteVariableAmounts: ['Amount'],
  AggregatedAmounts: ['Amount'],
  WaterAllocations: ['AllocationFlow_CFS', 'AllocationVolume_AF'],
};

/**
 * The maximum number of variables or uses in a report. More are the result of free text in a column that should use a
 * vocabulary.
 */
const MAX_TOTALS_LISTED = 200;

/** The number of significant digits of a sum. Further digits are rounding noise. */
const SUM_DIGITS = 12;

interface TotalsEntry {
  records: number;
  /** In the order of measureNames. */
  readonly sums: readonly { readonly measure: string; sum: number }[];
}

interface TotalsVariable {
  readonly uuid: string;
  readonly name: string;
  /** Null if the names of the measures include the unit. */
  readonly unit: string | null;
}

type UseEntry = TotalsEntry & { readonly use: string | null; readonly unit: string | null };

/** A total as stored with a release. A report shows it before and after the change. */
type Total<Change> = Omit<Change, 'before' | 'after'> & { readonly sums: Sums };

/** The `totals` artifact. */
export interface Totals {
  readonly measures: readonly string[];
  readonly variables: readonly Total<TotalsChange['variables'][number]>[];
  readonly uses: readonly Total<TotalsChange['uses'][number]>[];
  /** Missing in a release that was written before these counts were introduced. */
  readonly filled?: FilledCounts;
}

export class TotalsBuilder {
  private readonly variables = new Map<string, TotalsEntry & TotalsVariable>();
  /** Keyed by the spelling of a use and its unit. All spellings of a use share one entry. */
  private readonly uses = new Map<string, UseEntry>();

  constructor(private readonly measureNames: readonly string[]) {}

  /** A record with several uses is counted under each of them. A record without a use is counted under null. */
  add({ uuid, name, unit }: TotalsVariable, uses: readonly string[], measures: readonly (number | null)[]): void {
    const variable = this.variables.get(uuid) ?? { uuid, name, unit, ...this.emptyEntry() };
    if (variable.records === 0) this.variables.set(uuid, variable); // The variable is new.
    addMeasures(variable, measures);
    if (uses.length < 2) {
      addMeasures(this.useEntry(uses[0] ?? null, unit), measures);
      return;
    }
    for (const entry of new Set(uses.map((use) => this.useEntry(use, unit)))) addMeasures(entry, measures);
  }

  /** The record count of each use over all units. Records without a use are not included. */
  countRecordsByUse(): ReadonlyMap<string, number> {
    const records = new Map<string, number>();
    for (const entry of new Set(this.uses.values())) {
      if (entry.use !== null) records.set(entry.use, (records.get(entry.use) ?? 0) + entry.records);
    }
    return records;
  }

  build(filled: FilledCounts): Totals {
    const variables = [...this.variables.values()].sort((a, b) => compareUtf8(a.uuid, b.uuid));
    const uses = [...new Set(this.uses.values())].sort(
      (a, b) => compareUtf8(a.use ?? '', b.use ?? '') || compareUtf8(a.unit ?? '', b.unit ?? ''),
    );
    return {
      measures: this.measureNames,
      variables: variables.map((entry) => {
        const { uuid: variableSpecificUuid, name: variableSpecific, unit } = entry;
        return { variableSpecificUuid, variableSpecific, unit, sums: toSums(entry) };
      }),
      uses: uses.map((entry) => ({ use: entry.use, unit: entry.unit, sums: toSums(entry) })),
      filled,
    };
  }

  private useEntry(use: string | null, unit: string | null): UseEntry {
    const spelled = JSON.stringify([use, unit]);
    const existing = this.uses.get(spelled);
    if (existing !== undefined) return existing;
    // The first spelling becomes the name of the use. The folded text may itself be a spelling.
    const folded = buildFoldedKey(use, unit);
    const entry = this.uses.get(folded) ?? { use, unit, ...this.emptyEntry() };
    this.uses.set(folded, entry).set(spelled, entry);
    return entry;
  }

  private emptyEntry(): TotalsEntry {
    return { records: 0, sums: this.measureNames.map((measure) => ({ measure, sum: 0 })) };
  }
}

/** `before` is undefined if there is no previous release, or if it has no totals. */
export function compareTotals(before: Totals | undefined, after: Totals): TotalsChange {
  const variables = pairByKey(before?.variables ?? [], after.variables, (entry) => entry.variableSpecificUuid);
  const uses = pairByKey(before?.uses ?? [], after.uses, ({ use, unit }) => buildFoldedKey(use, unit));
  return {
    variables: keepLargest(variables),
    uses: keepLargest(uses),
    omitted: Math.max(0, variables.length - MAX_TOTALS_LISTED) + Math.max(0, uses.length - MAX_TOTALS_LISTED),
  };
}

export function readTotals(content: Uint8Array): Totals {
  return JSON.parse(Buffer.from(content).toString()) as Totals; // The JSON that TotalsBuilder wrote.
}

/** The same text for all spellings of a use with the same unit. */
function buildFoldedKey(use: string | null, unit: string | null): string {
  return JSON.stringify([use === null ? null : foldText(use), unit]);
}

function addMeasures(entry: TotalsEntry, measures: readonly (number | null)[]): void {
  entry.records++;
  entry.sums.forEach((total, index) => {
    total.sum = clampToFinite(total.sum + (measures[index] ?? 0));
  });
}

function toSums({ records, sums }: TotalsEntry): Sums {
  const rounded = sums.map(
    ({ measure, sum }) => [measure, clampToFinite(Number(sum.toPrecision(SUM_DIGITS)))] as const,
  );
  return { records, sums: Object.fromEntries(rounded) };
}

/** JSON has no infinite numbers, so a sum beyond the range of doubles becomes the largest double. */
function clampToFinite(sum: number): number {
  return Math.min(Math.max(sum, -Number.MAX_VALUE), Number.MAX_VALUE);
}

interface BeforeAndAfter {
  readonly before: Sums | null;
  readonly after: Sums | null;
}

/**
 * Pairs the sums of entries with the same key: first the entries of `after` in order, then entries that only `before`
 * has.
 */
function pairByKey<E extends { readonly sums: Sums }>(
  before: readonly E[],
  after: readonly E[],
  getKey: (entry: E) => string,
): readonly (Omit<E, 'sums'> & BeforeAndAfter)[] {
  const previous = new Map(before.map((entry) => [getKey(entry), entry]));
  const pairs = after.map((entry): Omit<E, 'sums'> & BeforeAndAfter => {
    const key = getKey(entry);
    const match = previous.get(key);
    previous.delete(key);
    const { sums, ...named } = entry;
    return { ...named, before: match?.sums ?? null, after: sums };
  });
  return [...pairs, ...[...previous.values()].map(({ sums, ...named }) => ({ ...named, before: sums, after: null }))];
}

/** Keeps the entries with the most records, in their original order. */
function keepLargest<T extends BeforeAndAfter>(totals: readonly T[]): readonly T[] {
  if (totals.length <= MAX_TOTALS_LISTED) return totals;
  const countRecords = ({ before, after }: T): number => Math.max(before?.records ?? 0, after?.records ?? 0);
  const largest = new Set([...totals].sort((a, b) => countRecords(b) - countRecords(a)).slice(0, MAX_TOTALS_LISTED));
  return totals.filter((entry) => largest.has(entry));
}
