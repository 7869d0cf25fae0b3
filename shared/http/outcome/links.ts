// The header Link (RFC 8288): how a client walks on, on one data version (D33) and never with a key (D30), and the
// terms of use of the data. Beside it the counts of a page.

import { KEY_TRACE } from '../../query/parameter';
import type { Operation } from '../../query/operations';
import type { OperationRequest } from '../../query/read-request';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import type { HeaderFields } from './outcome';

/** Bounds all links: proxies commonly take 4 KiB of headers. A client with a longer query counts StartIndex up. */
const MAX_LINK_BYTES = 3_000;

interface AnsweredQuery {
  readonly operation: Operation;
  readonly request: OperationRequest;
  readonly state: CatalogState;
}

/** The most useful links come first; those that do not fit are left out. */
export function linkHeader(links: readonly string[]): HeaderFields {
  let bytes = 0;
  const header = links.filter((link) => (bytes += link.length) <= MAX_LINK_BYTES).join(', ');
  return header === '' ? {} : { Link: header };
}

/** `total` counts the records on all pages; `publicUrl` stands in front of the route. */
export function walkLinks(answered: AnsweredQuery, total: number, publicUrl: string): readonly string[] {
  const { operation, request, state } = answered;
  const { recordCount, given } = request;
  const query = given.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`);
  const targetOf = (index: number): string => {
    const page = [`StartIndex=${index}`, `RecordCount=${recordCount}`, `DataVersion=${state.version}`];
    return `${publicUrl}/${operation.route}?${[...query, ...page].join('&')}`;
  };
  const links = pageRelations(request, total).map(([rel, index]) => `<${targetOf(index)}>; rel="${rel}"`);
  return links.some((link) => link.search(KEY_TRACE) !== -1) ? [] : links;
}

/** The relations of a page and where each begins, the most useful first. */
function pageRelations(
  { startIndex, recordCount }: OperationRequest,
  total: number,
): readonly (readonly [relation: string, index: number])[] {
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

export function countHeaders({ startIndex, recordCount }: OperationRequest, total: number): HeaderFields {
  const count = Math.max(0, Math.min(recordCount, total - startIndex));
  return { 'X-Total-Count': String(total), 'X-Record-Count': String(count) };
}

/** Links to the licences and terms of use of an answer's data sets, where these are web addresses, each once. */
export function termsLinks(entries: readonly CatalogEntry[]): readonly string[] {
  const licenses = entries.map(({ submission }) => linkTo(submission?.license, 'license'));
  const terms = entries.map(({ submission }) => linkTo(submission?.termsOfUse, 'terms-of-service'));
  return [...new Set([...licenses, ...terms])].filter((link) => link !== undefined);
}

/** In ASCII, as a header must be. */
function linkTo(address: string | null | undefined, relation: string): string | undefined {
  if (address === null || address === undefined || !/^https?:\/\//i.test(address)) return undefined;
  return URL.canParse(address) ? `<${new URL(address).href.replaceAll('>', '%3E')}>; rel="${relation}"` : undefined;
}
