// What may be added up: the rows of totals that have the same unit, statistic and interval are one series (D40).

import type { Named } from '../state/kinds';
import type { TotalsAnswerRow } from './operations';

/** Amounts that differ in one of these are never added up (D40). */
export const APART = [
  ...['VariableSpecificTypeCV', 'VariableCV', 'AmountUnitCV', 'AggregationStatisticCV'],
  ...['AggregationInterval', 'AggregationIntervalUnitCV'],
];

const SEPARATOR = ' · ';

/** What can be added up, the most records first. */
export function seriesOf(rows: readonly TotalsAnswerRow[]): readonly Named[] {
  return mostFrequent(rows.map((row) => [seriesName(row), numberOf(row['RecordsCount'])]));
}

/** The series that are named, the one that is counted most first. */
export function mostFrequent(counted: readonly (readonly [name: string, count: number])[]): readonly Named[] {
  const counts = new Map<string, number>();
  for (const [name, count] of counted) counts.set(name, (counts.get(name) ?? 0) + count);
  const ordered = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return ordered.map(([name]) => ({ name, label: seriesText(name) }));
}

/** The name of the chosen one, or of the first where it is not there; empty where there is none. */
export function shownSeries(choices: readonly { readonly name: string }[], chosen: string): string {
  return (choices.find(({ name }) => name === chosen) ?? choices[0])?.name ?? '';
}

/** The members that keep rows apart, as a text for people and for the address. */
export function seriesName(row: TotalsAnswerRow): string {
  const texts = APART.map((name) => textOf(row[name])).filter((text) => text !== '');
  return [...new Set(texts)].join(SEPARATOR);
}

/** Shorter for people: a specific variable says its variable, and an interval is one thing. */
export function seriesText(name: string): string {
  const parts = name.split(SEPARATOR);
  const shown = parts.filter((part, index) => index === 0 || !(parts[0] ?? '').startsWith(part));
  return shown
    .join(SEPARATOR)
    .replace(/ · (\d+) · (?=[A-Z])/, ', $1 ')
    .replaceAll('_', ', ');
}

export function textOf(value: string | number | null | undefined): string {
  return value === null || value === undefined ? '' : String(value);
}

export function numberOf(value: string | number | null | undefined): number {
  return typeof value === 'number' ? value : 0;
}
