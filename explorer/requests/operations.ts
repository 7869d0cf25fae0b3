// Each request that the explorer makes of the public operations, as a function of the state.

import { kindOf } from '../state/kinds';
import { filtersInOrder, type OrderedSelection, type Selection } from '../state/state';
import { type Query, type ServiceClient, totalOf } from './client';
import { type Reply, withValue } from './reply';

/** The filters and the order as an operation or its export takes them. */
export function orderedQuery(selection: OrderedSelection): Query {
  return { ...filtersInOrder(selection), OrderBy: selection.order || undefined };
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

/** The values of a facet; none where it was not counted. */
export function facetValues(facets: Facets | undefined, name: string): readonly CountedValue[] {
  return facets?.Facets.find(({ Name }) => Name === name)?.Values ?? [];
}

/** The total, and the counts of the facets that are named (D41). */
export function askFacets(
  client: ServiceClient,
  selection: Selection,
  names: readonly string[],
): Promise<Reply<Facets>> {
  return client.ask(`${kindOf(selection.kind).route}/Facets`, { ...filtersInOrder(selection), Facet: names });
}

export interface RecordsPage {
  readonly total: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of the records, each by its place among all; undefined where it is not in the part. */
interface RecordsPart extends RecordsPage {
  readonly rowAt: (index: number) => readonly string[] | undefined;
}

/** Records by their columns as the CSV form has them: what the table shows is what its file holds. */
export async function askRecords(
  client: ServiceClient,
  { start, count, ...asked }: OrderedSelection & { readonly start: number; readonly count: number },
): Promise<Reply<RecordsPart>> {
  const part = { StartIndex: String(start), RecordCount: String(count), format: 'csv' };
  const reply = await client.ask(kindOf(asked.kind).route, { ...orderedQuery(asked), ...part }, readPage);
  return withValue(reply, (page) => ({ ...page, rowAt: (index) => page.rows[index - start] }));
}

export async function readPage(response: Response): Promise<RecordsPage> {
  const [columns = [], ...rows] = readCsv(await response.text());
  return { total: totalOf(response), columns, rows };
}

/** A cell in quotes or without, and what ends it. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*)?)(,|\r?\n|$)/gy;

/**
 * Rows of cells of the service's CSV form (RFC 4180), as the service wrote them: the apostrophe in front of what a
 * spreadsheet would run (ADR 0033) is taken away again. The first row has the names of the columns. Throws where the
 * text ends within a cell.
 */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  for (const [read, quoted, plain = '', end] of text.matchAll(CELL)) {
    // Behind the last row.
    if (at === text.length && row.length === 0) break;
    at += read.length;
    const cell = quoted?.replaceAll('""', '"') ?? plain;
    row.push(cell.startsWith("'") ? cell.slice(1) : cell);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (at < text.length) throw new Error('the answer was cut off within a cell');
  return rows;
}

/** The members of /v1/Inventory that are read. */
export interface Inventory {
  readonly DataVersion: string;
  readonly FormerDataVersions?: readonly { readonly DataVersion: string; readonly Since: string | null }[];
  readonly Organizations: readonly {
    readonly OrganizationUUID: string;
    readonly OrganizationName: string;
    readonly DataSets: readonly {
      readonly DataSet: string;
      readonly PublishedAt: string;
      readonly IsSample: boolean;
      readonly Submission: Readonly<Record<'Contact' | 'TermsOfUse' | 'License' | 'Citation', string | null>>;
    }[];
  }[];
}

export function askInventory(client: ServiceClient): Promise<Reply<Inventory>> {
  return client.ask('v1/Inventory');
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
export function askPublishes(client: ServiceClient): Promise<Reply<readonly Publish[]>> {
  return client.ask('releases.atom', {}, async (response) => readFeed(await response.text()));
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
export function askRemoved(client: ServiceClient, selection: Selection, since: string): Promise<Reply<Removed>> {
  const { OrganizationUUID } = selection.filters;
  return client.ask(`${kindOf(selection.kind).route}/Removed`, { Since: since, OrganizationUUID, RecordCount: '100' });
}
