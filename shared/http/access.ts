// Turns access control (shared/access) into headers and problems: the key (D30), its limits (ADR 0043), 401 and 429.

import { clientNetwork } from '../access/client-address';
import type { Allowance, TokenBucket } from '../access/rate-limits';
import { accessKey } from '../query/parameter';
import { splitQuery } from '../query/query-values';
import { ASK_FOR_HEADER, ASK_FOR_USER_NAME, KEY_PROBLEMS } from './outcome/key-problems';
import {
  refused,
  tooManyRequests,
  withHeaders,
  type HeaderFields,
  type Outcome,
  type Problem,
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
  const { now, access, developmentKey } = service;
  const admittedAt = now();
  const query = queryOf(request);
  const key = headerKey(request) || parameterKey(query) || userName(request);
  const network = isStandardDoor && key === '' ? networkOf(request, service) : undefined;
  const admission = await access.admit({ key, developmentKey, network }, admittedAt);
  switch (admission.kind) {
    case 'refused':
      return unauthorized(KEY_PROBLEMS[admission.fault], request, isStandardDoor ? ASK_FOR_USER_NAME : ASK_FOR_HEADER);
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
      return withHeaders(variedByOrigin(outcome), rateLimitHeaders(admission.allowance, answeredAt.getTime()));
    }
  }
}

/**
 * Browsers share their cache among the ports of a host. A page of another port that asks for what a key has brought
 * there names its origin, while the page that has the key does not, so the cache never answers the one for the other.
 */
function variedByOrigin(outcome: Outcome): Outcome {
  if (outcome.kind === 'problem') return outcome;
  const { Vary: vary } = outcome.headers;
  return withHeaders(outcome, { Vary: vary === undefined ? 'Origin' : `${vary}, Origin` });
}

/**
 * A 401. Browsers ask a person by themselves when an answer says how (`challenge`), also where nobody sees that, as for
 * the tiles of a map. So the pages' own programs, which ask in their own way, are not told (D55).
 */
export function unauthorized(problem: Problem, { headers }: AskedRequest, challenge: HeaderFields): Outcome {
  return headers.has('x-requested-with') ? refused(problem) : withHeaders(refused(problem), challenge);
}

/** The key without the parameter, for what is not to stand in an address (D54). */
export function keyBesideAddress(request: AskedRequest): string {
  return headerKey(request) || userName(request);
}

/** As it was sent: URL parsers repair what a strict reader must see. */
export function queryOf({ url }: AskedRequest): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}

/** Empty where none was sent, as the other two. The header wins (D30), then the parameter, then the user name (D51). */
function headerKey({ headers }: AskedRequest): string {
  return headers.get('x-api-key')?.trim() ?? '';
}

/** The first of them; others are refused later. */
function parameterKey(query: string): string {
  const name = accessKey.name.toLowerCase();
  const items = splitQuery(query);
  return items.find((item) => item.name.trim().toLowerCase() === name && item.value.trim() !== '')?.value.trim() ?? '';
}

const BASIC = /^basic +([A-Za-z0-9+/]+=*)$/i;

/** The user name of HTTP Basic. */
function userName({ headers }: AskedRequest): string {
  const credentials = Buffer.from(
    BASIC.exec(headers.get('authorization')?.trim() ?? '')?.[1] ?? '',
    'base64',
  ).toString();
  const [user = ''] = credentials.split(':', 1);
  return user.trim();
}

/** By what requests without a key are counted. */
function networkOf({ address, headers }: AskedRequest, { trustedProxies }: Service): string {
  return clientNetwork({ socket: address, forwarded: headers.get('x-forwarded-for') }, trustedProxies);
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
