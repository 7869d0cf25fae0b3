// Each request that the explorer makes of the public operations, as a function of the state.

import { kindOf, type Kind } from '../state/kinds';
import { filterNames, type ExplorerState, type Filters } from '../state/state';
import type { Query, ServiceClient } from './client';
import { askPages, totalOf } from './pages';
import { readCsv } from './read-csv';
import type { Reply } from './reply';

/** What all requests depend on. */
export type Selection = Pick<ExplorerState, 'kind' | 'filters'>;

/** As the operation takes them, in one order whatever the order of choosing. */
export function filterQuery(kind: Kind, filters: Filters): Query {
  return filterNames(kind).flatMap((name) => (filters[name] ?? []).map((value) => [name, value] as const));
}

export interface CountedValue {
  readonly Value: string;
  readonly Count: number;
}

export interface Facet {
  readonly Name: string;
  readonly Values: readonly CountedValue[];
  readonly MoreValues: number;
}

export interface Facets {
  readonly TotalCount: number;
  readonly Facets: readonly Facet[];
}

/** The total, and the counts of the facets that are named (D41). */
export function askFacets(
  client: ServiceClient,
  { kind, filters }: Selection,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Reply<Facets>> {
  const query = [...filterQuery(kind, filters), ...names.map((name) => ['Facet', name] as const)];
  return client.askJson(`${kindOf(kind).route}/Facets`, query, signal);
}

/** A row of totals (D40): its groups by their names, and the members of its kind. */
export type TotalsAnswerRow = Readonly<Record<string, string | number | null>>;

export interface TotalsAnswer {
  readonly TotalGroupsCount: number;
  readonly GroupsOverlap: boolean;
  readonly Totals: readonly TotalsAnswerRow[];
}

/** All rows. */
export async function askTotals(
  client: ServiceClient,
  { kind, filters }: Selection,
  groups: readonly string[],
  signal: AbortSignal,
): Promise<Reply<TotalsAnswer>> {
  const query = [...filterQuery(kind, filters), ...groups.map((name) => ['GroupBy', name] as const)];
  const read = async (response: Response): Promise<TotalsAnswer> => (await response.json()) as TotalsAnswer; // D38.
  const reply = await askPages(client, { route: `${kindOf(kind).route}/Totals`, query, read }, signal);
  if (reply.kind !== 'answer') return reply;
  const { pages } = reply.value;
  const { TotalGroupsCount = 0, GroupsOverlap = false } = pages[0] ?? {};
  return { ...reply, value: { TotalGroupsCount, GroupsOverlap, Totals: pages.flatMap(({ Totals }) => Totals) } };
}

/** What a chart adds up: the rows of its bars' pieces, and those of the bars, in which a record counts once. */
export interface ChartTotals {
  readonly pieces: TotalsAnswer;
  readonly whole: TotalsAnswer;
}

/** Both of one data version: where another one came between them, they are asked again. */
export async function askChartTotals(
  client: ServiceClient,
  selection: Selection,
  [time = '', ...stacks]: readonly string[],
  signal: AbortSignal,
): Promise<Reply<ChartTotals>> {
  const [whole, pieces] = await Promise.all([
    askTotals(client, selection, [time], signal),
    stacks.length === 0 ? undefined : askTotals(client, selection, [time, ...stacks], signal),
  ]);
  if (whole.kind !== 'answer') return whole;
  if (pieces === undefined) return { ...whole, value: { whole: whole.value, pieces: whole.value } };
  if (pieces.kind !== 'answer') return pieces;
  if (pieces.version !== whole.version) return askChartTotals(client, selection, [time, ...stacks], signal);
  return { ...whole, value: { whole: whole.value, pieces: pieces.value } };
}

export interface RecordsPage {
  readonly total: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Records by their columns as the CSV form has them: what the table shows is what its file holds. */
export function askRecords(
  client: ServiceClient,
  asked: Selection & { readonly order: string },
  page: { readonly start: number; readonly count: number },
  signal?: AbortSignal,
): Promise<Reply<RecordsPage>> {
  const { kind, filters, order } = asked;
  const query: Query = [
    ...filterQuery(kind, filters),
    ...(order === '' ? [] : [['OrderBy', order] as const]),
    ['StartIndex', String(page.start)],
    ['RecordCount', String(page.count)],
    ['format', 'csv'],
  ];
  return client.ask(kindOf(kind).route, query, readPage, signal);
}

export async function readPage(response: Response): Promise<RecordsPage> {
  const [columns = [], ...rows] = readCsv(await response.text());
  return { total: totalOf(response), columns, rows };
}

export interface Inventory {
  readonly DataVersion: string;
  readonly FormerDataVersions?: readonly { readonly DataVersion: string; readonly Since: string | null }[];
  readonly Organizations: readonly ListedOrganization[];
}

export interface ListedOrganization {
  readonly OrganizationUUID: string;
  readonly OrganizationName: string;
  readonly State: string;
  readonly DataSets: readonly ListedDataSet[];
}

export interface ListedDataSet {
  readonly DataSet: string;
  readonly Records: number;
  readonly PublishedAt: string;
  readonly IsSample: boolean;
  readonly Submission: Readonly<Record<'Contact' | 'TermsOfUse' | 'License' | 'Citation', string | null>>;
}

export function askInventory(client: ServiceClient, signal?: AbortSignal): Promise<Reply<Inventory>> {
  return client.askJson('v1/Inventory', [], signal);
}

/** A data set that was published after a data version which is still held (D59). */
export interface Publish {
  readonly title: string;
  readonly moment: string;
  /** How many records there are, and how many of them are new, gone and changed. */
  readonly summary: string;
  /** The data version before it. */
  readonly before: string;
}

/** The newest first, from the feed of the service; what was published first of all has nothing before it. */
export function askPublishes(client: ServiceClient, signal: AbortSignal): Promise<Reply<readonly Publish[]>> {
  return client.ask('releases.atom', [], async (response) => readFeed(await response.text()), signal);
}

/** The feed's form is the service's own, so it is read as text: outside of browsers there is no reader of XML. */
function readFeed(feed: string): readonly Publish[] {
  return [...feed.matchAll(/<entry>(.*?)<\/entry>/gs)].flatMap(([, entry = '']): readonly Publish[] => {
    const textOf = (name: string): string => plainText(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(entry)?.[1]);
    const address = plainText(/title="What changed" href="([^"]*)"/.exec(entry)?.[1]);
    const before = new URLSearchParams(address.slice(address.indexOf('?'))).get('ChangedSince');
    if (before === null) return [];
    return [{ title: textOf('title'), moment: textOf('updated'), summary: textOf('summary'), before }];
  });
}

/** The service writes what XML reserves by its number. */
function plainText(written = ''): string {
  return written.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

export interface Removed {
  readonly TotalRemovedCount: number;
  readonly Removed: readonly {
    readonly OrganizationUUID: string;
    readonly Key: Readonly<Record<string, unknown>>;
  }[];
}

/** What a former data version had and the current one has not (D37): the first of them, and how many there are. */
export function askRemoved(
  client: ServiceClient,
  asked: Selection & { readonly since: string },
  signal: AbortSignal,
): Promise<Reply<Removed>> {
  const organizations = (asked.filters['OrganizationUUID'] ?? []).map((value) => ['OrganizationUUID', value] as const);
  const query: Query = [['Since', asked.since], ...organizations, ['RecordCount', '100']];
  return client.askJson(`${kindOf(asked.kind).route}/Removed`, query, signal);
}
