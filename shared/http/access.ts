// Who may ask (D30): the key of a request, wherever it stands, and the query as it was sent.

import type { HttpRequest } from '@azure/functions';
import { accessKey } from '../parameters/paging-and-access';
import { splitQuery, type QueryItem } from '../parameters/query-text';
import { isAccepted } from '../store/access-keys';
import type { Service } from './service';

/** The query's items, as they were sent: URL parsers repair what a strict reader must see. */
export function queryItemsOf({ url }: HttpRequest): readonly QueryItem[] {
  const start = url.indexOf('?');
  if (start === -1) return [];
  const end = url.indexOf('#', start);
  return splitQuery(url.slice(start + 1, end === -1 ? undefined : end));
}

export async function hasAccess(request: HttpRequest, items: readonly QueryItem[], service: Service): Promise<boolean> {
  const key = keyOf(request, items);
  if (key === undefined) return false;
  return isAccepted(key, service.store.keys, service.now(), developmentKeyFor(request, service));
}

/** Behind a proxy everybody comes from loopback, so the development key does not count there. */
export function developmentKeyFor({ headers }: HttpRequest, { developmentKey }: Service): string | undefined {
  return headers.has('forwarded') || headers.has('x-forwarded-for') ? undefined : developmentKey;
}

/** The header wins (D30); of several in the query the first counts, and reading the request then refuses the others. */
function keyOf(request: HttpRequest, items: readonly QueryItem[]): string | undefined {
  const header = request.headers.get('x-api-key')?.trim();
  if (header !== undefined && header !== '') return header;
  const name = accessKey.name.toLowerCase();
  return items.find((item) => item.name.trim().toLowerCase() === name && item.value.trim() !== '')?.value.trim();
}
