// How a client walks on from a page: counts and links (RFC 8288), all of one data version (D33), never with a key (D30).

import type { Operation } from '../query/operation';
import type { OperationRequest } from '../query/read-request';
import { KEY_TRACE } from '../query/paging-and-access';

/** `baseUrl` stands in front of the operation's route: PUBLIC_URL, or nothing for a reference relative to the host. */
export function walkLinks(
  operation: Operation,
  request: OperationRequest,
  dataVersion: string,
  total: number,
  baseUrl: string,
): readonly string[] {
  const { startIndex, recordCount, given } = request;
  const query = given.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const targetOf = (index: number): string => {
    const page = [`StartIndex=${index}`, `RecordCount=${recordCount}`, `DataVersion=${dataVersion}`];
    return `${baseUrl}/${operation.route}?${[...query, ...page].join('&')}`;
  };
  const links = linksOf(startIndex, recordCount, total).map(([rel, index]) => `<${targetOf(index)}>; rel="${rel}"`);
  return links.some((link) => link.search(KEY_TRACE) !== -1) ? [] : links;
}

export function countHeaders(
  { startIndex, recordCount }: OperationRequest,
  total: number,
): Readonly<Record<string, string>> {
  const count = Math.max(0, Math.min(recordCount, total - startIndex));
  return { 'X-Total-Count': String(total), 'X-Record-Count': String(count) };
}

/** The relations of a page and where each begins, the most useful first. */
function linksOf(startIndex: number, recordCount: number, total: number): readonly (readonly [string, number])[] {
  // Pages are counted from the one that is asked for, which need not begin at a multiple of its size.
  const offset = startIndex % recordCount;
  const last = total > offset ? total - 1 - ((total - 1 - offset) % recordCount) : 0;
  return [
    ...(startIndex + recordCount < total ? [['next', startIndex + recordCount] as const] : []),
    ...(startIndex > 0 ? [['prev', Math.max(0, Math.min(startIndex - recordCount, last))] as const] : []),
    ['first', 0],
    ['last', last],
  ];
}
