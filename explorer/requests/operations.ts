// Each request that the explorer makes of the public operations, as a function of the state.

import { getKind } from '../state/kinds';
import { type OrderedSelection, orderFilters, type Selection } from '../state/state';
import { type Query, readTotalCount, type ServiceClient } from './client';
import { mapReply, type Reply } from './reply';

/** The filters and the order as an operation or its export takes them. */
export function toOrderedQuery(selection: OrderedSelection): Query {
  return { ...orderFilters(selection), OrderBy: selection.order || undefined };
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
export function getFacetValues(facets: Facets | undefined, name: string): readonly CountedValue[] {
  return facets?.Facets.find(({ Name }) => Name === name)?.Values ?? [];
}

/** The total, and the counts of the facets that are named (D41). */
export function fetchFacets(
  client: ServiceClient,
  selection: Selection,
  names: readonly string[],
): Promise<Reply<Facets>> {
  return client.request(`${getKind(selection.kind).route}/Facets`, { ...orderFilters(selection), Facet: names });
}

export interface RecordsPage {
  readonly total: number;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A part of the records, each by its place among all; undefined where it is not in the part. */
interface RecordsRange extends RecordsPage {
  readonly getRow: (index: number) => readonly string[] | undefined;
}

/** Records by their columns as the CSV form has them: what the table shows is what its file holds. */
export async function fetchRecords(
  client: ServiceClient,
  { start, count, ...asked }: OrderedSelection & { readonly start: number; readonly count: number },
): Promise<Reply<RecordsRange>> {
  const part = { StartIndex: String(start), RecordCount: String(count), format: 'csv' };
  const reply = await client.request(getKind(asked.kind).route, { ...toOrderedQuery(asked), ...part }, readRecordsPage);
  return mapReply(reply, (page) => ({ ...page, getRow: (index) => page.rows[index - start] }));
}

export async function readRecordsPage(response: Response): Promise<RecordsPage> {
  const [columns = [], ...rows] = parseCsv(await response.text());
  return { total: readTotalCount(response), columns, rows };
}

/** A cell in quotes or without, and what ends it. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*)?)(,|\r?\n|$)/gy;

/**
 * Rows of cells of the service's CSV form (RFC 4180), as the service wrote them: the apostrophe in front of what a
 * spreadsheet would run (ADR 0033) is taken away again. The first row has the names of the columns. Throws where the
 * text ends within a cell.
 */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let offset = 0;
  for (const [read, quoted, plain = '', end] of text.matchAll(CELL)) {
    // Behind the last row.
    if (offset === text.length && row.length === 0) break;
    offset += read.length;
    const cell = quoted?.replaceAll('""', '"') ?? plain;
    row.push(cell.startsWith("'") ? cell.slice(1) : cell);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (offset < text.length) throw new Error('the answer was cut off within a cell');
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

export function fetchInventory(client: ServiceClient): Promise<Reply<Inventory>> {
  return client.request('v1/Inventory');
}

/** A data set that was published after a data version which is still held (D59). */
export interface Publication {
  readonly title: string;
  readonly moment: string;
  /** How many records there are, and how many of them are new, gone and changed. */
  readonly summary: string;
  /** The data version before it. */
  readonly previousVersion: string;
}

/** The newest first, from the feed of the service; what was published first of all has nothing before it. */
export function fetchPublications(client: ServiceClient): Promise<Reply<readonly Publication[]>> {
  return client.request('releases.atom', {}, async (response) => parseFeed(await response.text()));
}

/** The feed's form is the service's own, so it is read as text: outside of browsers there is no reader of XML. */
function parseFeed(feed: string): readonly Publication[] {
  return [...feed.matchAll(/<entry>(.*?)<\/entry>/gs)].flatMap(([, entry = '']): readonly Publication[] => {
    const readElement = (name: string): string =>
      decodeCharacters(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(entry)?.[1]);
    const address = decodeCharacters(/title="What changed" href="([^"]*)"/.exec(entry)?.[1]);
    const previousVersion = new URLSearchParams(address.slice(address.indexOf('?'))).get('ChangedSince');
    if (previousVersion === null) return [];
    return [
      { title: readElement('title'), moment: readElement('updated'), summary: readElement('summary'), previousVersion },
    ];
  });
}

/** The service writes what XML reserves by its number. */
function decodeCharacters(encoded = ''): string {
  return encoded.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

export interface Removed {
  readonly TotalRemovedCount: number;
  readonly Removed: readonly {
    readonly OrganizationUUID: string;
    readonly Key: Readonly<Record<string, unknown>>;
  }[];
}

/** What a former data version had and the current one has not (D37): the first of them, and how many there are. */
export function fetchRemoved(client: ServiceClient, selection: Selection, since: string): Promise<Reply<Removed>> {
  const { OrganizationUUID } = selection.filters;
  return client.request(`${getKind(selection.kind).route}/Removed`, {
    Since: since,
    OrganizationUUID,
    RecordCount: '100',
  });
}
