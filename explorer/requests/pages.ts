// Fetches an answer that is longer than one page, all in the data version of the first page.

import { type Query, readTotalCount, type ServiceClient } from './client';
import type { Reply } from './reply';

/** The maximum number of records or rows in an answer. */
const PAGE_SIZE = 10_000;

interface Pages<Page> {
  readonly pages: readonly Page[];
  /** The number of records or rows on all pages, fetched or not. */
  readonly total: number;
  /** Whether the answer has more pages than were fetched. */
  readonly isTruncated: boolean;
}

interface PagedQuery<Page> {
  readonly route: string;
  readonly query: Query;
  readonly read: (response: Response) => Promise<Page>;
  /** Stops after this many pages. */
  readonly maxPages?: number;
  /** Called after each page with the number of records or rows so far, and the number that will be fetched. */
  readonly onPage?: (loaded: number, total: number) => void;
}

export async function fetchPages<Page>(
  client: ServiceClient,
  { route, query, read, maxPages = Infinity, onPage = () => undefined }: PagedQuery<Page>,
): Promise<Reply<Pages<Page>>> {
  const pages: Page[] = [];
  let version = '';
  let total = 1;
  while (pages.length * PAGE_SIZE < total && pages.length < maxPages) {
    const pageQuery: Query = {
      ...query,
      DataVersion: query['DataVersion'] ?? (version || undefined),
      StartIndex: String(pages.length * PAGE_SIZE),
      RecordCount: String(PAGE_SIZE),
    };
    const reply = await client.request(route, pageQuery, async (response) => {
      total = readTotalCount(response);
      return read(response);
    });
    if (reply.kind !== 'answer') return reply;
    pages.push(reply.value);
    ({ version } = reply);
    onPage(Math.min(pages.length * PAGE_SIZE, total), Math.min(maxPages * PAGE_SIZE, total));
  }
  return { kind: 'answer', value: { pages, total, isTruncated: pages.length * PAGE_SIZE < total }, version };
}
