// Groups the findings of a rule that have the same cause: the same text in the same column, often in hundreds of rows.

import type { Finding } from '../format/report';
import { formatNumber } from '../format/report-numbers';

/** Up to this number, rows with the same cause are listed one by one. */
const MAX_SINGLE_ROWS = 10;

export interface FindingGroup {
  readonly column: string | null;
  readonly value: string;
  /** In ascending order. */
  readonly lines: readonly number[];
  readonly count: number;
}

/** Groups with the most rows come first. Groups of equal size are in the order of their first lines. */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const groups = Map.groupBy(findings, ({ column, value }) => JSON.stringify([column, value]));
  const described = [...groups.values()].flatMap((group) => {
    return group.length > MAX_SINGLE_ROWS ? describeGroup(group) : group.flatMap((finding) => describeGroup([finding]));
  });
  return described.sort((a, b) => b.count - a.count || (a.lines[0] ?? 0) - (b.lines[0] ?? 0));
}

function describeGroup(group: readonly Finding[]): readonly FindingGroup[] {
  const [first] = group;
  if (first === undefined) return [];
  const lines = [...new Set(group.map(({ line }) => line))].sort((a, b) => a - b);
  return [{ column: first.column, value: first.value, lines, count: group.length }];
}

/** The maximum number of line ranges to list for a group. */
const MAX_RUNS_SHOWN = 10;

/** Formats line numbers compactly, for example "2, 5–9 and 290 more". */
export function formatLines(lines: readonly number[]): string {
  const runs: { first: number; last: number }[] = [];
  for (const line of lines) {
    const previous = runs.at(-1);
    if (previous !== undefined && line === previous.last + 1) previous.last = line;
    else runs.push({ first: line, last: line });
  }
  const shown = runs.slice(0, MAX_RUNS_SHOWN);
  const listed = shown.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const more = lines.length - listed;
  const texts = shown.map(({ first, last }) => (first === last ? String(first) : `${first}–${last}`));
  return `${texts.join(', ')}${more === 0 ? '' : ` and ${formatNumber(more)} more`}`;
}
