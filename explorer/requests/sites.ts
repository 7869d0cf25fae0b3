// The time series of single sites, as far as a chart needs them: all amounts of each site, page after page.

import { kindOf } from '../state/kinds';
import { type Filters, filtersInOrder, type Selection } from '../state/state';
import { askPages, type ServiceClient } from './client';
import { readPage, type RecordsPage } from './operations';
import { type Reply, together, withValue } from './reply';
import { APART, seriesName } from './totals';

export interface SiteAmount {
  /** Names what may stand on one axis: variable, unit, statistic and interval. */
  readonly series: string;
  readonly unit: string;
  /** First and last day, as days since 1970. */
  readonly first: number;
  readonly last: number;
  readonly amount: number;
}

export interface SiteAmounts {
  readonly site: string;
  readonly name: string;
  readonly amounts: readonly SiteAmount[];
  /** Whether there are more than a chart takes. */
  readonly isCut: boolean;
}

/** Pages that a chart of one site takes: 50,000 days are 137 years. */
const MOST_PAGES_OF_A_SITE = 5;

const DAY_MS = 86_400_000;

/** In the order of the sites; any trouble is that of all. */
export async function askSites(
  client: ServiceClient,
  { filters }: Selection,
  sites: readonly string[],
): Promise<Reply<readonly SiteAmounts[]>> {
  return together(await Promise.all(sites.map((site) => askSite(client, filters, site))));
}

async function askSite(client: ServiceClient, filters: Filters, site: string): Promise<Reply<SiteAmounts>> {
  const { route, orders } = kindOf('series');
  const ofSite = filtersInOrder({ kind: 'series', filters: { ...filters, SiteUUID: [site] } });
  const query = { ...ofSite, OrderBy: orders[0]?.name, format: 'csv' };
  const reply = await askPages(client, { route, query, read: readPage, most: MOST_PAGES_OF_A_SITE });
  return withValue(reply, ({ pages, isCut }) => {
    const names = pages.map(({ columns, rows }) => rows[0]?.[columns.indexOf('SiteName')] ?? '');
    const name = names.find((text) => text !== '') ?? site;
    return { site, name, amounts: pages.flatMap(amountsOf), isCut };
  });
}

function amountsOf({ columns, rows }: RecordsPage): readonly SiteAmount[] {
  return rows.flatMap((row): readonly SiteAmount[] => {
    const cell = (name: string): string => row[columns.indexOf(name)] ?? '';
    const amount = cell('Amount') === '' ? Number.NaN : Number(cell('Amount'));
    const first = dayNumber(cell('TimeframeStart'));
    const last = dayNumber(cell('TimeframeEnd'));
    if (Number.isNaN(amount + first + last)) return [];
    const series = seriesName(Object.fromEntries(APART.map((name) => [name, cell(name)])));
    return [{ series, unit: cell('AmountUnitCV'), first, last, amount }];
  });
}

function dayNumber(text: string): number {
  return Date.parse(text.slice(0, 10)) / DAY_MS;
}
