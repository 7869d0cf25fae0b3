// Fetches the time series of single sites for a chart: all amounts of each site.

import { getKind } from '../state/kinds';
import { type Filters, orderFilters, type Selection } from '../state/state';
import type { ServiceClient } from './client';
import { fetchPages } from './pages';
import { readRecordsPage, type RecordsPage } from './records';
import { combineReplies, mapReply, type Reply } from './reply';
import { buildSeriesName, SERIES_MEMBERS } from './series';

export interface SiteAmount {
  /** The name of the series: variable, unit, statistic and interval. Only amounts of the same series share an axis. */
  readonly series: string;
  readonly unit: string;
  /** First and last day, in days since 1970. */
  readonly first: number;
  readonly last: number;
  readonly amount: number;
}

export interface SiteAmounts {
  readonly site: string;
  readonly name: string;
  readonly amounts: readonly SiteAmount[];
  /** The number of matching records of the site, with or without a date; if truncated, only of the fetched pages. */
  readonly recordsCount: number;
  /** Whether the site has more amounts than a chart shows. */
  readonly isTruncated: boolean;
}

/** 50,000 daily amounts are 137 years. */
const MAX_PAGES_PER_SITE = 5;

const DAY_MS = 86_400_000;

/** Fetches the amounts of the sites, in the order of `sites`. If requests fail, returns the first failure. */
export async function fetchSites(
  client: ServiceClient,
  { filters }: Selection,
  sites: readonly string[],
): Promise<Reply<readonly SiteAmounts[]>> {
  return combineReplies(await Promise.all(sites.map((site) => fetchSite(client, filters, site))));
}

async function fetchSite(client: ServiceClient, filters: Filters, site: string): Promise<Reply<SiteAmounts>> {
  const { route, orders } = getKind('series');
  const siteFilters = orderFilters({ kind: 'series', filters: { ...filters, SiteUUID: [site] } });
  const query = { ...siteFilters, OrderBy: orders[0]?.name, format: 'csv' };
  const reply = await fetchPages(client, { route, query, read: readRecordsPage, maxPages: MAX_PAGES_PER_SITE });
  return mapReply(reply, ({ pages, isTruncated }) => {
    const names = pages.map(({ columns, rows }) => rows[0]?.[columns.indexOf('SiteName')] ?? '');
    const name = names.find((text) => text !== '') ?? site;
    const recordsCount = pages.reduce((sum, { rows }) => sum + rows.length, 0);
    return { site, name, amounts: pages.flatMap(readAmounts), recordsCount, isTruncated };
  });
}

function readAmounts({ columns, rows }: RecordsPage): readonly SiteAmount[] {
  return rows.flatMap((row): readonly SiteAmount[] => {
    const cell = (name: string): string => row[columns.indexOf(name)] ?? '';
    const amount = cell('Amount') === '' ? Number.NaN : Number(cell('Amount'));
    const first = toDayNumber(cell('TimeframeStart'));
    const last = toDayNumber(cell('TimeframeEnd'));
    if (Number.isNaN(amount + first + last)) return [];
    const series = buildSeriesName(Object.fromEntries(SERIES_MEMBERS.map((name) => [name, cell(name)])));
    return [{ series, unit: cell('AmountUnitCV'), first, last, amount }];
  });
}

function toDayNumber(text: string): number {
  return Date.parse(text.slice(0, 10)) / DAY_MS;
}
