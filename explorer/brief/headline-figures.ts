// The headline figures of a brief.

import type { Brief } from '../requests/brief';
import { toNumber, type TotalsAnswer, toText } from '../requests/totals';
import { formatCount, formatFigure } from '../views/parts/texts';
import { getTotalRow } from './rights-figures';

interface HeadlineFigure {
  readonly label: string;
  readonly text: string;
}

/** Omits figures for kinds of records that the area does not have. */
export function listHeadlines({ rights, sites, units }: Brief): readonly HeadlineFigure[] {
  return [...listRights(rights), ...listSites(sites), ...listUnits(units)];
}

function listRights(rights: Brief['rights']): readonly HeadlineFigure[] {
  if (rights === undefined) return [];
  const { flow, volume, rights: count } = getTotalRow(rights);
  const { all } = rights;
  const of = (stated: unknown): string => `(${formatCount(Number(stated))} of ${formatCount(count)} rights have one)`;
  const dates = [toText(all['FirstPriorityDate']), toText(all['LastPriorityDate'])].filter((day) => day !== '');
  return [
    { label: 'Water rights', text: formatCount(count) },
    ...(flow === null ? [] : [{ label: `Flow allowed ${of(all['FlowCount'])}`, text: `${formatFigure(flow)} CFS` }]),
    ...(volume === null
      ? []
      : [{ label: `Volume allowed ${of(all['VolumeCount'])}`, text: `${formatFigure(volume)} AF` }]),
    ...(dates.length === 0
      ? []
      : [{ label: 'Priority dates, oldest to newest', text: [...new Set(dates)].join(' to ') }]),
    { label: 'Sites of these rights, inside or outside the area', text: formatCount(toNumber(all['SitesCount'])) },
  ];
}

function listSites(sites: Brief['sites']): readonly HeadlineFigure[] {
  if (sites === undefined) return [];
  return [
    { label: 'Sites with amounts', text: formatCount(sites.sites.total) },
    { label: 'Amounts at sites', text: formatCount(countRecords(sites.byYear)) },
  ];
}

function listUnits(units: Brief['units']): readonly HeadlineFigure[] {
  if (units === undefined) return [];
  return [
    { label: 'Reporting units that match or touch the area', text: formatCount(units.units.total) },
    { label: 'Amounts of reporting units', text: formatCount(countRecords(units.byYear)) },
  ];
}

/** Each record is counted in exactly one row. */
function countRecords({ Totals }: TotalsAnswer): number {
  return Totals.reduce((sum, row) => sum + toNumber(row['RecordsCount']), 0);
}
