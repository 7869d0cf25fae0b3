// Series of amounts. Amounts that differ in unit, statistic or interval belong to different series and are never added
// up (D40).

import type { LabeledName } from '../state/labels';
import { toNumber, type TotalsAnswerRow, toText } from './totals';

/** Amounts that differ in any of these members are never added up (D40). */
export const SERIES_MEMBERS = [
  'VariableSpecificTypeCV',
  'VariableCV',
  'AmountUnitCV',
  'AggregationStatisticCV',
  'AggregationInterval',
  'AggregationIntervalUnitCV',
];

const SEPARATOR = ' · ';

/** Statistics whose values add up over time and place. */
const SUMMABLE_STATISTICS = ['cumulative', 'total', 'sum', 'count'];

/** Statistics whose values never add up. */
const OTHER_STATISTICS = ['average', 'mean', 'median', 'minimum', 'maximum', 'instantaneous', 'continuous', 'mode'];

/** Units of a volume or of energy, in lower case without spaces, periods and hyphens. */
const SUMMABLE_UNITS = new Set(
  [
    'af',
    'afy',
    'af/yr',
    'taf',
    'maf',
    'acft',
    'acrefeet',
    'acrefoot',
    'g',
    'gal',
    'gallons',
    'mg',
    'kgal',
    'ccf',
    'cf',
  ].concat(['ft3', 'cubicfeet', 'm3', 'cubicmeters', 'l', 'liters', 'gwh', 'mwh', 'kwh']),
);

/** Units of a rate, a level or a share. Units with a slash are rates or concentrations, unless they are per year. */
const OTHER_UNITS = new Set(
  [
    'cfs',
    'gpm',
    'gpd',
    'mgd',
    'cms',
    'ppm',
    'ppb',
    'ph',
    '%',
    'percent',
    'ft',
    'feet',
    'm',
    'meters',
    'in',
    'inches',
  ].concat(['°c', '°f', 'degc', 'degf', 'c', 'f', 'ntu']),
);

/** Variables of a stock at a time, such as the storage of a reservoir. A withdrawal from storage is not a stock. */
const STOCK = /\b(storage|contents?|elevation|levels?|stage|depth|gage height)( volume)?$/i;
const FLOW = /\b(change|inflow|outflow|releases?|withdrawals?|diversions?|to|from)\b/i;

/**
 * Whether the sum of the amounts is meaningful. Statistic and unit decide; a word in a name can only exclude. Daily
 * means and concentrations do not add up, whatever their statistic. Storage does not add up either: the same water is
 * in a reservoir every month.
 */
export function isSummable(row: TotalsAnswerRow): boolean {
  const unit = toText(row['AmountUnitCV'])
    .toLowerCase()
    .replaceAll(/[\s.-]/g, '');
  const statistic = toText(row['AggregationStatisticCV']).trim().toLowerCase();
  const variable = toText(row['VariableCV'] ?? row['VariableSpecificTypeCV']).trim();
  if (STOCK.test(variable) && !FLOW.test(variable)) return false;
  const beginsWith = (text: string): boolean => statistic.startsWith(text);
  if (OTHER_UNITS.has(unit) || /\/(?!y(ea)?r?$)/.test(unit) || OTHER_STATISTICS.some(beginsWith)) return false;
  return SUMMABLE_STATISTICS.some(beginsWith) || SUMMABLE_UNITS.has(unit);
}

/** The series of the rows, most records first. */
export function listSeries(rows: readonly TotalsAnswerRow[]): readonly LabeledName[] {
  return rankSeries(rows.map((row) => [buildSeriesName(row), toNumber(row['RecordsCount'])]));
}

/** Sorts series by the sum of their counts, highest first. */
export function rankSeries(countedNames: readonly (readonly [name: string, count: number])[]): readonly LabeledName[] {
  const counts = new Map<string, number>();
  for (const [name, count] of countedNames) counts.set(name, (counts.get(name) ?? 0) + count);
  const ordered = [...counts].sort(([a, first], [b, second]) => second - first || (a < b ? -1 : 1));
  return ordered.map(([name]) => ({ name, label: formatSeries(name) }));
}

/** The chosen series if it exists, else the first; empty if there is none. */
export function chooseSeries(choices: readonly { readonly name: string }[], chosen: string): string {
  return (choices.find(({ name }) => name === chosen) ?? choices[0])?.name ?? '';
}

/** The name of a row's series, as displayed and as written in the address. */
export function buildSeriesName(row: TotalsAnswerRow): string {
  const texts = SERIES_MEMBERS.map((name) => toText(row[name])).filter((text) => text !== '');
  return [...new Set(texts)].join(SEPARATOR);
}

/**
 * Shortens the name for display: drops a variable that its specific variable repeats, and joins an interval and its
 * unit.
 */
export function formatSeries(name: string): string {
  const parts = name.split(SEPARATOR);
  const shown = parts.filter((part, index) => index === 0 || !(parts[0] ?? '').startsWith(part));
  return shown
    .join(SEPARATOR)
    .replace(/ · (\d+) · (?=[A-Z])/, ', $1 ')
    .replaceAll('_', ', ');
}
