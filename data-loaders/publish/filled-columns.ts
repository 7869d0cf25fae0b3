// Counts the records with a value in each column. Comparing these counts with the next release's reveals a column that
// was emptied, left out or renamed although its records stay (D74).

import type { SubmissionFile } from '../format/column';
import { HOLD_LIMITS, type HoldReason } from '../format/hold-reasons';
import type { Hold } from '../format/report';
import { formatNumber, formatPercent } from '../format/report-numbers';

/** The number of records with a value, keyed by column. Stored with a release. */
export type FilledCounts = Readonly<Record<string, number>>;

type Row = Readonly<Record<string, unknown>>;

export class FilledColumns {
  private readonly names: readonly string[];
  private readonly counts: Uint32Array;

  constructor({ columns }: SubmissionFile) {
    this.names = Object.keys(columns).filter((name) => columns[name]?.isRequired === false);
    this.counts = new Uint32Array(this.names.length);
  }

  add(row: object): void {
    const cells = row as Row; // A row has one member for each column of its file.
    for (const [index, name] of this.names.entries()) {
      if (hasValue(cells[name])) this.counts[index] = (this.counts[index] ?? 0) + 1;
    }
  }

  build(): FilledCounts {
    return Object.fromEntries(this.names.map((name, index) => [name, this.counts[index] ?? 0]));
  }
}

function hasValue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== undefined;
}

/** Columns whose loss is already reported by a hold for another reason. */
const OWN_REASONS: Readonly<Record<string, HoldReason>> = {
  Amount: 'amounts-changed',
  AllocationFlow_CFS: 'amounts-changed',
  AllocationVolume_AF: 'amounts-changed',
  AllocationPriorityDate: 'priorities-changed',
  SiteUUID: 'place-links-gone',
};

/**
 * The holds for columns that lost most of their values although the records stay. Each of the `removed` records may
 * have had a value, so their number is subtracted. `holds` are the holds so far.
 */
export function findColumnsGone(
  { before, after, removed }: { readonly before: FilledCounts; readonly after: FilledCounts; readonly removed: number },
  holds: readonly Hold[],
): readonly Hold[] {
  const { majorityShare, minCompared } = HOLD_LIMITS;
  const reasons = new Set(holds.map(({ reason }) => reason));
  // The hold for an unreadable column lists the column in its examples and explains the loss.
  const unreadable = new Set(
    holds.flatMap(({ reason, examples: [first] }) => (reason === 'column-unreadable' ? [first?.member] : [])),
  );
  return Object.entries(before).flatMap(([column, of]): readonly Hold[] => {
    const own = OWN_REASONS[column];
    const count = of - (after[column] ?? 0) - removed;
    if (of < minCompared || count <= of * majorityShare || (own !== undefined && reasons.has(own))) return [];
    if (unreadable.has(column)) return [];
    const share = formatPercent(count / of);
    const sentence = `${formatNumber(count)} of the ${formatNumber(of)} published values of ${column} would be removed, although their records stay (${share}).`;
    return [{ reason: 'column-gone', sentence, count, of, examples: [] }];
  });
}
