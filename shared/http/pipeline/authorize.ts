// Who may ask: turns access control (shared/access) into headers and problems: the key (D30), its limits (ADR 0043),
// 401 (D55) and 429.

import { checkKey, type KeyFault } from '../../access/access-keys';
import { findClientNetwork } from '../../access/client-address';
import type { TokenBucket } from '../../access/rate-limits';
import { accessKey } from '../../query/access-key-parameter';
import { splitQuery } from '../../query/query-string';
import {
  addHeaders,
  createProblem,
  type HeaderFields,
  type Outcome,
  type Problem,
  refuse,
  tooManyPages,
  tooManyRequests,
} from './outcome';
import type { HttpRequest, Service } from './service';

/**
 * Who may ask a route. An OGC API asks browsers and GIS for the key as a user name, and a service may answer some of
 * its requests without one (D51). A page of a single thing needs none, and is bounded by address (D57). What is done
 * to a key takes it in our header alone, which no page of another site can make a browser send.
 */
export type Access = 'open' | 'page' | 'key' | 'key in header' | 'key or allowance' | 'metrics key';

/** Who may ask for a page of a single thing; `closed` are those who may where these pages need a key. */
export function getPageAccess<Closed extends Access>({ access }: Service, closed: Closed): 'page' | Closed {
  return access.limits.hasOpenPages ? 'page' : closed;
}

/** Calls `answer` where the request may be answered; 401 or 429 otherwise. */
export function authorize(
  access: Access,
  request: HttpRequest,
  service: Service,
  answer: () => Promise<Outcome>,
): Promise<Outcome> {
  switch (access) {
    case 'open':
      return answer();
    case 'page':
      return authorizePage(request, service, answer);
    case 'metrics key':
      return authorizeForMetrics(request, service, answer);
    case 'key':
    case 'key in header':
    case 'key or allowance':
      return authorizeByKey(access, request, service, answer);
  }
}

/** A key is not looked at: these pages count for none. */
async function authorizePage(request: HttpRequest, service: Service, answer: () => Promise<Outcome>): Promise<Outcome> {
  const at = service.now().getTime();
  const pages = service.access.limits.getPageBucket(getClientNetwork(request, service), at);
  const secondsToWait = pages.takeOne(at);
  const outcome = secondsToWait > 0 ? refuse(tooManyPages(secondsToWait)) : await answer();
  return addHeaders(outcome, rateLimitHeaders({ pages }, service.now()));
}

async function authorizeForMetrics(
  request: HttpRequest,
  service: Service,
  answer: () => Promise<Outcome>,
): Promise<Outcome> {
  const { store, developmentKey, now } = service;
  // The parameter does not open metrics (D54).
  const key = getHeaderKey(request) || userName(request);
  const accepted = await checkKey(key, store.keys, now(), developmentKey);
  if (typeof accepted === 'string') {
    return unauthorized(
      buildKeyProblem(accepted, describeKeySource(service), NOT_IN_ADDRESS),
      request,
      ASK_FOR_USER_NAME,
    );
  }
  return accepted.mayReadMetrics ? answer() : unauthorized(keyNotForMetrics(service), request, ASK_FOR_USER_NAME);
}

async function authorizeByKey(
  way: 'key' | 'key in header' | 'key or allowance',
  request: HttpRequest,
  service: Service,
  answer: () => Promise<Outcome>,
): Promise<Outcome> {
  const { now, access, developmentKey } = service;
  const authorizedAt = now();
  const hasAllowance = way === 'key or allowance';
  const others = way === 'key in header' ? '' : parameterKey(getQueryText(request)) || userName(request);
  const key = getHeaderKey(request) || others;
  const network = hasAllowance && key === '' ? getClientNetwork(request, service) : undefined;
  const authorization = await access.authorize({ key, developmentKey, network }, authorizedAt);
  switch (authorization.kind) {
    case 'refused':
      return unauthorized(
        buildKeyProblem(
          authorization.fault,
          describeKeySource(service),
          way === 'key in header' ? IN_HEADER : ANYWHERE,
        ),
        request,
        hasAllowance ? ASK_FOR_USER_NAME : ASK_FOR_HEADER,
      );
    case 'over limit': {
      const { allowance, secondsToWait } = authorization;
      return addHeaders(refuse(tooManyRequests(secondsToWait)), rateLimitHeaders(allowance, authorizedAt));
    }
    case 'authorized': {
      const outcome = await answer();
      const answeredAt = now();
      const hasRecords = outcome.kind === 'answer' || outcome.kind === 'file';
      const records = hasRecords && request.method !== 'HEAD' ? (outcome.records ?? 0) : 0;
      access.countRecords(authorization, records, answeredAt);
      const limits = rateLimitHeaders(authorization.allowance, answeredAt);
      return addHeaders(outcome, { ...limits, ...varyByOrigin(outcome) });
    }
  }
}

/**
 * Browsers share their cache among the ports of a host. A page of another port that asks for what a key has brought
 * there names its origin, while the page that has the key does not, so the cache never answers the one for the other.
 */
function varyByOrigin(outcome: Outcome): HeaderFields {
  if (outcome.kind === 'problem') return {};
  const { Vary: vary } = outcome.headers;
  return { Vary: vary === undefined ? 'Origin' : `${vary}, Origin` };
}

/**
 * A 401. Browsers ask a person by themselves when an answer says how (`challenge`), also where nobody sees that, as for
 * the tiles of a map. So the pages' own programs, which ask in their own way, are not told (D55).
 */
function unauthorized(problem: Problem, { headers }: HttpRequest, challenge: HeaderFields): Outcome {
  return headers.has('x-requested-with') ? refuse(problem) : addHeaders(refuse(problem), challenge);
}

/** As it was sent: URL parsers repair what a strict reader must see. */
export function getQueryText({ url }: HttpRequest): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}

/** Empty where none was sent, as the other two. The header wins (D30), then the parameter, then the user name (D51). */
export function getHeaderKey({ headers }: Pick<HttpRequest, 'headers'>): string {
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
function userName({ headers }: HttpRequest): string {
  const credentials = Buffer.from(
    BASIC.exec(headers.get('authorization')?.trim() ?? '')?.[1] ?? '',
    'base64',
  ).toString();
  const [user = ''] = credentials.split(':', 1);
  return user.trim();
}

/** By what requests without a key are counted. */
export function getClientNetwork({ address, headers }: HttpRequest, { trustedProxies }: Service): string {
  return findClientNetwork({ socket: address, forwarded: headers.get('x-forwarded-for') }, trustedProxies);
}

/**
 * draft-ietf-httpapi-ratelimit-headers, revision 10: structured fields, an item for each bucket. A policy says how much
 * the bucket holds and in how many seconds it fills; its state, what is left and in how many seconds it is full again.
 */
function rateLimitHeaders(buckets: Readonly<Record<string, TokenBucket>>, at: Date): HeaderFields {
  const named = Object.entries(buckets);
  const now = at.getTime();
  const policies = named.map(([name, { capacity: most, perMinute }]) => {
    const unit = name === 'records' ? ';qu="records"' : '';
    return `"${name}";q=${most};w=${Math.round((60 * most) / perMinute)}${unit}`;
  });
  const states = named.map(([name, bucket]) => {
    return `"${name}";r=${Math.max(0, Math.floor(bucket.getTokens(now)))};t=${bucket.secondsUntil(bucket.capacity, now)}`;
  });
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: states.join(', ') };
}

/** Where a key may stand. */
const IN_HEADER = 'in the header X-API-Key';
const NOT_IN_ADDRESS = `${IN_HEADER}, or as the user name of HTTP Basic`;
const ANYWHERE = `${IN_HEADER}, in the parameter key, or as the user name of HTTP Basic`;

/** The four ways in which a request can lack a good key (D55). */
const KEY_FAULTS: Readonly<Record<KeyFault, readonly [title: string, sentence: string]>> = {
  missing: ['Key missing', 'The request has no access key.'],
  unknown: ['Key unknown', 'The access key is none of this service.'],
  revoked: ['Key revoked', 'The access key was revoked.'],
  expired: ['Key expired', 'The access key has expired.'],
};

/** `source` is a sentence on where keys come from, `place` says where they may stand. */
export function buildKeyProblem(fault: KeyFault, source: string, place = ANYWHERE): Problem {
  const [title, sentence] = KEY_FAULTS[fault];
  return createProblem(401, title, `${sentence} Send a valid access key ${place}. ${source}`);
}

export const KEYS_FROM_OPERATOR = 'The operator of the service issues keys.';

/** Where keys come from, in a sentence (D56): the page that makes them, and CONTACT. */
export function describeKeySource({ selfService, contact, publicUrl }: KeySource): string {
  if (selfService === undefined) return contact === '' ? KEYS_FROM_OPERATOR : `Keys come from ${contact}`;
  return `Anyone can get a key at ${publicUrl}/keys${contact === '' ? '' : ` (questions: ${contact})`}.`;
}

type KeySource = Pick<Service, 'selfService' | 'contact' | 'publicUrl'>;

function keyNotForMetrics({ contact }: KeySource): Problem {
  const command = 'npm run keys -- issue --owner NAME --metrics';
  const detail = `The access key is none that may read metrics. Such a key is issued with: ${command}`;
  return createProblem(401, KEY_FAULTS.unknown[0], contact === '' ? detail : `${detail} (questions: ${contact})`);
}

/** Asks programs for the key in a header of ours. */
export const ASK_FOR_HEADER: HeaderFields = { 'WWW-Authenticate': 'ApiKey realm="water-data"' };

/** Asks a browser, or a GIS, for the key as a user name (D51). */
const ASK_FOR_USER_NAME: HeaderFields = {
  'WWW-Authenticate': 'Basic realm="water-data: the access key as user name", charset="UTF-8"',
};
