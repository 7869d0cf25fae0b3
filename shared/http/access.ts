// Turns access control (shared/access) into headers and problems: the key (D30), its limits (ADR 0043), 401 and 429.

import type { Allowance, TokenBucket } from '../access/rate-limits';
import { accessKey } from '../query/parameter';
import { isLoopback } from '../loader-settings';
import { splitQuery } from '../query/query-values';
import {
  refused,
  tooManyRequests,
  UNAUTHORIZED,
  UNAUTHORIZED_BASIC,
  withHeaders,
  type HeaderFields,
  type Outcome,
} from './outcome/outcome';
import { openFunction } from './respond';
import type { AskedRequest, HttpFunction, Service } from './service';

/** `query` is the text of the URL behind its question mark. */
type Answer = (request: AskedRequest, query: string, service: Service) => Promise<Outcome>;

/** A function that calls `answer` for requests with a good key that is within its limits; 401 or 429 for others. */
export function keyHolderFunction({ name, route }: Pick<HttpFunction, 'name' | 'route'>, answer: Answer): HttpFunction {
  const isStandardDoor = route.startsWith(STANDARD_DOORS);
  return openFunction(name, route, (request, service) => answerKeyHolder(request, service, { answer, isStandardDoor }));
}

/** Below here a browser is asked for a key as a user name, and a service may answer some requests without one (D51). */
const STANDARD_DOORS = 'ogc';

async function answerKeyHolder(
  request: AskedRequest,
  service: Service,
  { answer, isStandardDoor }: { readonly answer: Answer; readonly isStandardDoor: boolean },
): Promise<Outcome> {
  const { now, access } = service;
  const admittedAt = now();
  const query = queryOf(request);
  const developmentKey = usableDevelopmentKey(request, service);
  const key = keyOf(request, query) || (isFromOwnPage(request) ? (developmentKey ?? '') : '');
  const address = isStandardDoor && key === '' ? clientAddress(request) : undefined;
  const admission = await access.admit({ key, developmentKey, address }, admittedAt);
  switch (admission.kind) {
    case 'unknown key':
      return refused(isStandardDoor ? UNAUTHORIZED_BASIC : UNAUTHORIZED);
    case 'over limit': {
      const { allowance, secondsToWait } = admission;
      return withHeaders(refused(tooManyRequests(secondsToWait)), rateLimitHeaders(allowance, admittedAt.getTime()));
    }
    case 'admitted': {
      const outcome = await answer(request, query, service);
      const answeredAt = now();
      const hasRecords = outcome.kind === 'answer' || outcome.kind === 'file';
      const records = hasRecords && request.method === 'GET' ? (outcome.records ?? 0) : 0;
      access.countRecords(admission, records, answeredAt);
      return withHeaders(outcome, rateLimitHeaders(admission.allowance, answeredAt.getTime()));
    }
  }
}

/** Behind a proxy everybody comes from loopback, so the development key does not count there. */
export function usableDevelopmentKey({ headers }: AskedRequest, { developmentKey }: Service): string | undefined {
  return headers.has('forwarded') || headers.has('x-forwarded-for') ? undefined : developmentKey;
}

/** The header that the explorer's program sends with each request. */
const ASKED_BY = { name: 'x-asked-by', value: 'explorer' };

/**
 * Whether a page of a service on this machine asks, which needs no key (D51, ADR 0092): the explorer's program, or a
 * person who follows a link. A page of another origin can have neither: no preflight allows the program's header, and
 * what a browser says of a link cannot be changed by pages. One that a name server led here by another name has that
 * name in its Host header.
 */
function isFromOwnPage(request: AskedRequest): boolean {
  const isFromExplorer = request.headers.get(ASKED_BY.name) === ASKED_BY.value;
  return (isFromExplorer || isFollowedLink(request)) && isLoopbackHost(request);
}

/** By Fetch Metadata: somebody went on from a page of the same scheme, host and port. */
function isFollowedLink({ headers }: AskedRequest): boolean {
  return headers.get('sec-fetch-site') === 'same-origin' && headers.get('sec-fetch-mode') === 'navigate';
}

/** Whether the client has asked for this machine by an address or name that no other machine can have. */
export function isLoopbackHost({ headers }: Pick<AskedRequest, 'headers'>): boolean {
  const { hostname = '' } = URL.parse(`http://${headers.get('host') ?? ''}`) ?? {};
  return isLoopback(hostname);
}

export function sentKey(request: AskedRequest): string {
  return keyOf(request, queryOf(request));
}

/** As it was sent: URL parsers repair what a strict reader must see. */
export function queryOf({ url }: AskedRequest): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}

/**
 * Empty where none was sent. The header wins (D30), then the first in the query, whose others are refused later, then
 * the user name of HTTP Basic (D51).
 */
function keyOf(request: AskedRequest, query: string): string {
  const header = request.headers.get('x-api-key')?.trim() ?? '';
  if (header !== '') return header;
  const name = accessKey.name.toLowerCase();
  const items = splitQuery(query);
  const named = items.find((item) => item.name.trim().toLowerCase() === name && item.value.trim() !== '');
  return named?.value.trim() ?? basicUser(request.headers.get('authorization') ?? '');
}

const BASIC = /^basic +([A-Za-z0-9+/]+=*)$/i;

/** Empty where the header has no user name. */
function basicUser(authorization: string): string {
  const credentials = Buffer.from(BASIC.exec(authorization.trim())?.[1] ?? '', 'base64').toString();
  const [user = ''] = credentials.split(':', 1);
  return user.trim();
}

/**
 * By what requests without a key are counted: the address of the client or, behind a proxy on this machine and on the
 * platform, the last one in X-Forwarded-For, which that proxy has written.
 */
function clientAddress({ address, isFromThisMachine, headers }: AskedRequest): string {
  const forwarded = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  const isBehindProxy = address === undefined || isFromThisMachine === true;
  return isBehindProxy && forwarded !== '' ? forwarded : (address ?? '');
}

/** draft-ietf-httpapi-ratelimit-headers, revision 10: structured fields, one item a policy. */
function rateLimitHeaders({ requests, records }: Allowance, now: number): HeaderFields {
  return {
    'RateLimit-Policy': `"requests";${policyOf(requests)}, "records";${policyOf(records)};qu="records"`,
    RateLimit: `"requests";${stateOf(requests, now)}, "records";${stateOf(records, now)}`,
  };
}

/** What the bucket holds, and in how many seconds it fills. */
function policyOf({ most, perMinute }: TokenBucket): string {
  return `q=${most};w=${Math.round((60 * most) / perMinute)}`;
}

/** The tokens that are left, and the seconds until the bucket is full again. */
function stateOf(bucket: TokenBucket, now: number): string {
  const left = Math.max(0, Math.floor(bucket.leftAt(now)));
  return `r=${left};t=${bucket.secondsUntil(bucket.most, now)}`;
}
