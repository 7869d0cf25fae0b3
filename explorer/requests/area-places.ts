// The sites with amounts, and the reporting units, of an area: each with its series and their periods (D42).

import type { Filters } from '../state/state';
import { readTotalCount, type ServiceClient } from './client';
import { parseCsv } from './csv';
import type { Reply } from './reply';

/** A series of a place: what was measured, and when. */
export interface PlaceSeries {
  readonly name: string;
  readonly unit: string;
  readonly statistic: string;
  readonly records: number;
  readonly years: number;
  /** Days such as 1990-01-01; empty if no amount has a date. */
  readonly first: string;
  readonly last: string;
}

/** A site or a reporting unit. */
export interface AreaPlace {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly nativeId: string;
  readonly type: string;
  /** Longitude and latitude of a site; undefined if it has none. */
  readonly position: readonly [longitude: number, latitude: number] | undefined;
  readonly series: readonly PlaceSeries[];
}

/** The first places, and the total number. */
export interface AreaPlaces {
  readonly total: number;
  readonly places: readonly AreaPlace[];
}

/** More places would fill too many pages of paper; the explorer lists them all. */
const MAX_PLACES = 200;

/** Sites with amounts in at least one year. Sites that only have rights are left out. */
export function fetchAreaSites(client: ServiceClient, filters: Filters): Promise<Reply<AreaPlaces>> {
  const columns = { id: 'SiteUUID', name: 'SiteName', nativeId: 'NativeSiteID', type: 'SiteTypeCV' };
  return fetchPlaces(client, 'v1/Sites', { ...filters, MinimumYears: ['1'] }, columns);
}

export function fetchAreaUnits(client: ServiceClient, filters: Filters): Promise<Reply<AreaPlaces>> {
  const columns = {
    id: 'ReportingUnitUUID',
    name: 'ReportingUnitName',
    nativeId: 'ReportingUnitNativeID',
    type: 'ReportingUnitTypeCV',
  };
  return fetchPlaces(client, 'v1/ReportingUnits', filters, columns);
}

type ReadCell = (column: string) => string;

function fetchPlaces(
  client: ServiceClient,
  route: string,
  filters: Filters,
  names: Readonly<Record<'id' | 'name' | 'nativeId' | 'type', string>>,
): Promise<Reply<AreaPlaces>> {
  const query = { ...filters, format: 'csv', RecordCount: String(MAX_PLACES) };
  return client.request(route, query, async (response) => {
    const [columns = [], ...rows] = parseCsv(await response.text());
    const places = rows.map((row): AreaPlace => {
      const cell: ReadCell = (column) => row[columns.indexOf(column)] ?? '';
      return {
        id: cell(names.id),
        organization: cell('OrganizationUUID'),
        name: cell(names.name),
        nativeId: cell(names.nativeId),
        type: cell(names.type),
        position: readPosition(cell),
        series: readSeries(cell),
      };
    });
    return { total: readTotalCount(response), places };
  });
}

function readPosition(cell: ReadCell): AreaPlace['position'] {
  const texts = [cell('Longitude'), cell('Latitude')];
  const [longitude = NaN, latitude = NaN] = texts.map((text) => (text === '' ? NaN : Number(text)));
  return Number.isNaN(longitude + latitude) ? undefined : [longitude, latitude];
}

/** The columns of series are lists of the same length (D42). */
function readSeries(cell: ReadCell): readonly PlaceSeries[] {
  const readList = (column: string): readonly string[] =>
    cell(column)
      .split(/(?<!\\)\|/)
      .map((item) => item.replaceAll(/\\([\\|])/g, '$1'));
  const variables = readList('VariableCV');
  const specific = readList('VariableSpecificTypeCV');
  const units = readList('AmountUnitCV');
  const statistics = readList('AggregationStatisticCV');
  const years = readList('YearsCount');
  const firstDays = readList('FirstDay');
  const lastDays = readList('LastDay');
  if (cell('RecordsCount') === '') return [];
  return readList('RecordsCount').map((records, index) => ({
    name: [specific[index], variables[index]].find((text) => text !== undefined && text !== '') ?? '',
    unit: units[index] ?? '',
    statistic: statistics[index] ?? '',
    records: Number(records),
    years: Number(years[index] ?? 0),
    first: firstDays[index] ?? '',
    last: lastDays[index] ?? '',
  }));
}
