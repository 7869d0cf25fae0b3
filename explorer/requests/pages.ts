// Answers that are longer than a page: page after page, all of the data version of the first.

import type { Query, ServiceClient } from './client';
import type { Reply } from './reply';

/** The most records or rows that an answer can have. */
export const PAGE = 10_000;

export interface Pages<Page> {
  readonly pages: readonly Page[];
  /** Whether there are more than were asked for. */
  readonly isCut: boolean;
}

interface PagedQuestion<Page> {
  readonly route: string;
  readonly query: Query;
  readonly read: (response: Response) => Promise<Page>;
  /** The most pages that are asked for. */
  readonly most?: number;
}

export async function askPages<Page>(
  client: ServiceClient,
  { route, query, read, most = Infinity }: PagedQuestion<Page>,
): Promise<Reply<Pages<Page>>> {
  const pages: Page[] = [];
  const isPinned = query.some(([name]) => name === 'DataVersion');
  let [version, total] = ['', 1];
  while (pages.length * PAGE < total && pages.length < most) {
    const part: Query = [
      ...(version === '' || isPinned ? [] : [['DataVersion', version] as const]),
      ['StartIndex', String(pages.length * PAGE)],
      ['RecordCount', String(PAGE)],
    ];
    const readPart = async (response: Response): Promise<{ readonly page: Page; readonly total: number }> => {
      return { page: await read(response), total: totalOf(response) };
    };
    const reply = await client.ask(route, [...query, ...part], readPart);
    if (reply.kind !== 'answer') return reply;
    pages.push(reply.value.page);
    ({ version } = reply);
    ({ total } = reply.value);
  }
  return { kind: 'answer', value: { pages, isCut: pages.length * PAGE < total }, version };
}

/** How many records or rows there are on all pages of an answer. */
export function totalOf(response: Response): number {
  return Number(response.headers.get('X-Total-Count'));
}
