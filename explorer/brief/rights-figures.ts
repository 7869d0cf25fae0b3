// The figures of the rights of an area, from the service's totals: by use and by decade of priority.

import type { RightsBrief } from '../requests/brief';
import { toNumber, type TotalsAnswerRow, toText } from '../requests/totals';
import { INITIAL_STATE } from '../state/address';
import { USE_COLOR } from '../state/kinds';
import { assignColors, NOT_STATED_COLOR, OTHERS_COLOR, SEVERAL_COLOR, SEVERAL_VALUES } from '../state/palette';
import type { Chart } from '../views/chart/chart';
import { buildTotalsChart } from '../views/chart/totals-chart';

/** The rights of a use or a decade. A figure is null if no right states it. */
export interface RightsRow {
  readonly label: string;
  readonly rights: number;
  readonly flow: number | null;
  readonly volume: number | null;
}

export interface UseRow extends RightsRow {
  readonly color: string;
}

function toRow(label: string, row: TotalsAnswerRow): RightsRow {
  const readSum = (name: string): number | null => (typeof row[name] === 'number' ? row[name] : null);
  return { label, rights: toNumber(row['RecordsCount']), flow: readSum('FlowSum'), volume: readSum('VolumeSum') };
}

/** All rights of the area. */
export function getTotalRow({ all }: RightsBrief): RightsRow {
  return toRow('All rights', all);
}

/** Lists the uses with the most rights first, then the rights with several uses and the rights without a use. */
export function listUses({ byUse }: RightsBrief, getColor: ColorOfUse): readonly UseRow[] {
  const rank = (row: TotalsAnswerRow): number => [SEVERAL_VALUES, ''].indexOf(toText(row[USE_COLOR])) + 1;
  const rows = byUse.Totals.toSorted(
    (a, b) => rank(a) - rank(b) || toNumber(b['RecordsCount']) - toNumber(a['RecordsCount']),
  );
  return rows.map((row) => {
    const use = toText(row[USE_COLOR]);
    return { ...toRow(nameUse(use), row), color: getColor(use) };
  });
}

function nameUse(use: string): string {
  if (use === '') return 'Not stated';
  return use === SEVERAL_VALUES ? `Several uses, none of them primary` : use;
}

/** In chronological order; rights without a priority date come last. */
export function listDecades({ byDecade }: RightsBrief): readonly RightsRow[] {
  const withDate = byDecade.Totals.filter((row) => row['PriorityDecade'] !== null);
  const sorted = withDate.toSorted((a, b) => Number(a['PriorityDecade']) - Number(b['PriorityDecade']));
  const withoutDate = byDecade.Totals.filter((row) => row['PriorityDecade'] === null);
  return [
    ...sorted.map((row) => toRow(`${toText(row['PriorityDecade'])}s`, row)),
    ...withoutDate.map((row) => toRow('No priority date', row)),
  ];
}

/** Undefined if no right has a priority date. */
export function buildDecadesChart({ byDecade, byDecadeAndUse }: RightsBrief, subject: string): Chart | undefined {
  const chart = buildTotalsChart(byDecadeAndUse, INITIAL_STATE, byDecade);
  return chart.positions.length === 0 ? undefined : { ...chart, title: '', subject };
}

/** Returns the color of a use category by its name in the answers; empty if the category has no color. */
export type ColorOfUse = (use: string) => string;

/** The colors of the chart, which the map and the table also use. */
export function readUseColors({ byUse }: RightsBrief, chart: Chart | undefined): ColorOfUse {
  const drawn = new Map(chart?.columns.map(({ label, color }) => [label, color]));
  const ranked = byUse.Totals.toSorted((a, b) => toNumber(b['RecordsCount']) - toNumber(a['RecordsCount']));
  const names = ranked.map((row) => toText(row[USE_COLOR])).filter((name) => name !== '' && name !== SEVERAL_VALUES);
  const assigned = assignColors(USE_COLOR, names);
  return (use) => {
    if (use === '') return NOT_STATED_COLOR;
    if (use === SEVERAL_VALUES) return SEVERAL_COLOR;
    // A use without its own column is part of "all others", or is not in the chart because none of its rights has a
    // date.
    return drawn.get(use) ?? (chart === undefined ? assigned.get(use) : undefined) ?? OTHERS_COLOR;
  };
}
