// Queries that are too long for a URL: a POST with the parameters in the body (D68). The answer is the same as for GET,
// except that it must not be cached and no link repeats the query.

import { countParameters, type QueryItem, readBodyText, splitBody } from '../../query/query-string';
import { readInteger } from '../../values/numbers';
import { getQueryText } from './authorize';
import {
  BODY_TOO_LARGE,
  FORM_TYPE,
  type HeaderFields,
  MAX_PARAMETERS,
  MAX_QUERY_BODY,
  type Outcome,
  OVERLOADED,
  type Refusal,
  refuse,
  TOO_MANY_PARAMETERS,
  UNSUPPORTED_BODY,
} from './outcome';
import type { HttpRequest, Service } from './service';

/** The body, its decoded text and the parsed values are in memory at the same time. */
const MEMORY_FACTOR = 3;

/** Headers to remove from the request, because a POST is never conditional. */
const CONDITIONAL_HEADERS: ReadonlySet<string> = new Set([
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
]);

/** Headers to remove from the answer, because they describe a resource with an address. */
const ADDRESS_HEADERS: ReadonlySet<string> = new Set(['ETag', 'Link']);

/** Reads the body and calls `answer` with the request and the parameters from the body, or refuses the body. */
export async function answerPostedQuery(
  request: HttpRequest,
  service: Pick<Service, 'bytesInFlight'>,
  answer: (query: HttpRequest) => Promise<Outcome>,
): Promise<Outcome> {
  const announcedBytes = readInteger(request.headers.get('content-length') ?? '') ?? MAX_QUERY_BODY;
  if (announcedBytes > MAX_QUERY_BODY) return refuse(BODY_TOO_LARGE);
  const reservation = service.bytesInFlight.reserve();
  try {
    const mayHaveBody = request.readBody !== undefined;
    if (mayHaveBody && !reservation.resize(MEMORY_FACTOR * announcedBytes)) return refuse(OVERLOADED);
    const bodyItems = await readBodyItems(request);
    if ('kind' in bodyItems) return bodyItems;
    return removeAddressHeaders(await answer(toQuery(request, bodyItems)));
  } finally {
    reservation.release();
  }
}

async function readBodyItems(request: HttpRequest): Promise<readonly QueryItem[] | Refusal> {
  const { headers, readBody } = request;
  const body = readBody === undefined ? new Uint8Array() : await readBody(MAX_QUERY_BODY);
  if (body === undefined) return refuse(BODY_TOO_LARGE);
  if (body.length === 0) return [];
  if (!isForm(headers)) return refuse(UNSUPPORTED_BODY);
  const text = readBodyText(body);
  const count = countParameters(text, MAX_PARAMETERS + 1) + countParameters(getQueryText(request), MAX_PARAMETERS);
  return count > MAX_PARAMETERS ? refuse(TOO_MANY_PARAMETERS) : splitBody(text);
}

/** Whether the body is an uncompressed form in UTF-8. */
function isForm(headers: HttpRequest['headers']): boolean {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').toLowerCase().split(';');
  const charsets = parameters.flatMap((parameter) => /^\s*charset\s*=\s*"?([^\s"]*)"?\s*$/.exec(parameter)?.[1] ?? []);
  const isUtf8 = charsets.every((charset) => ['utf-8', 'utf8', 'us-ascii'].includes(charset));
  const coding = (headers.get('content-encoding') ?? '').trim().toLowerCase();
  return type.trim() === FORM_TYPE && isUtf8 && ['', 'identity'].includes(coding);
}

function toQuery(request: HttpRequest, bodyItems: readonly QueryItem[]): HttpRequest {
  const { method, url, address, onClosed } = request;
  const headers: HttpRequest['headers'] = {
    get: (name) => (CONDITIONAL_HEADERS.has(name.toLowerCase()) ? null : request.headers.get(name)),
    has: (name) => !CONDITIONAL_HEADERS.has(name.toLowerCase()) && request.headers.has(name),
  };
  const query: HttpRequest = { method, url, headers, address, onClosed, bodyItems };
  return query;
}

/** Removes headers that only the answer to a GET may have, and forbids caching. Problems have none of these headers. */
function removeAddressHeaders(outcome: Outcome): Outcome {
  if (outcome.kind === 'problem') return outcome;
  const kept = Object.entries(outcome.headers).filter(([name]) => !ADDRESS_HEADERS.has(name));
  const headers: HeaderFields = { ...Object.fromEntries(kept), 'Cache-Control': 'no-store' };
  return { ...outcome, headers };
}
