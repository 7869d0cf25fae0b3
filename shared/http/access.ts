// Who asks, and how much they may: the key (D30), its limits (ADR 0043), the count of its use (ADR 0044).

import { rateLimitHeaders } from '../access/rate-limits';
import { accessKey } from '../query/paging-and-access';
import { splitQuery, type QueryItem } from '../query/query-text';
import { acceptedKey } from '../access/access-keys';
import type { AskedRequest } from './http-function';
import { tooManyRequests, UNAUTHORIZED } from './problem';
import type { Outcome } from './respond';
import type { Service } from './service';

/** Calls `answer` for requests with a good key that is within its limits; 401 or 429 for others. */
export async function forKeyHolder(
  request: AskedRequest,
  service: Service,
  answer: (items: readonly QueryItem[]) => Promise<Outcome>,
): Promise<Outcome> {
  const { now, store, limits, usage } = service;
  const asked = now();
  const items = queryItemsOf(request);
  const key = await acceptedKey(keyOf(request, items), store.keys, asked, developmentKeyFor(request, service));
  if (key === undefined) return { problem: UNAUTHORIZED };
  const allowance = limits.of(key, asked.getTime());
  const seconds = allowance.secondsToWait(asked.getTime());
  if (seconds > 0) {
    usage.count(key.id, asked, { refused: 1 });
    return withHeaders({ problem: tooManyRequests(seconds) }, rateLimitHeaders(allowance, asked.getTime()));
  }
  allowance.requests.take(1, asked.getTime());
  usage.count(key.id, asked, { requests: 1 });
  const outcome = await answer(items);
  const answered = now().getTime();
  const records = 'body' in outcome && request.method === 'GET' ? (outcome.records ?? 0) : 0;
  if (records > 0) {
    allowance.records.take(records, answered);
    usage.count(key.id, asked, { records });
  }
  return withHeaders(outcome, rateLimitHeaders(allowance, answered));
}

/** Behind a proxy everybody comes from loopback, so the development key does not count there. */
export function developmentKeyFor({ headers }: AskedRequest, { developmentKey }: Service): string | undefined {
  return headers.has('forwarded') || headers.has('x-forwarded-for') ? undefined : developmentKey;
}

/** The query's items, as they were sent: URL parsers repair what a strict reader must see. */
function queryItemsOf({ url }: AskedRequest): readonly QueryItem[] {
  const start = url.indexOf('?');
  if (start === -1) return [];
  const end = url.indexOf('#', start);
  return splitQuery(url.slice(start + 1, end === -1 ? undefined : end));
}

/** The header wins (D30); of several in the query the first counts, and reading the request then refuses the others. Blank without one. */
function keyOf(request: AskedRequest, items: readonly QueryItem[]): string {
  const header = request.headers.get('x-api-key')?.trim() ?? '';
  if (header !== '') return header;
  const name = accessKey.name.toLowerCase();
  return items.find((item) => item.name.trim().toLowerCase() === name && item.value.trim() !== '')?.value.trim() ?? '';
}

function withHeaders(outcome: Outcome, more: Readonly<Record<string, string>>): Outcome {
  if ('problem' in outcome) {
    return { problem: { ...outcome.problem, headers: { ...outcome.problem.headers, ...more } } };
  }
  if ('notModified' in outcome) return { notModified: { ...outcome.notModified, ...more } };
  return { ...outcome, headers: { ...outcome.headers, ...more } };
}
