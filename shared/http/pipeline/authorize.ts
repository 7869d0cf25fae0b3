// Authorizes requests: turns the decisions of access control (shared/access) into headers and problems. The problems
// are 401 for keys (D30, D55) and 429 for limits (ADR 0043).

import type { AccessControl, AuthorizedRequest } from '../../access/access-control';
import { checkKey, type KeyFault } from '../../access/access-keys';
import { findClientNetwork } from '../../access/client-address';
import type { TokenBucket } from '../../access/rate-limits';
import { accessKey } from '../../query/access-key-parameter';
import { type QueryItem, splitQuery } from '../../query/query-string';
import {
  addHeaders,
  batchTooLarge,
  createProblem,
  type HeaderFields,
  type Outcome,
  type Problem,
  type Refusal,
  refuse,
  tooManyPages,
  tooManyRequests,
} from './outcome';
import type { HttpRequest, Service } from './service';

/**
 * Who may use a route:
 * - `page`: no key; limited by network (D57).
 * - `key or allowance`: the OGC API. Some requests are answered without a key, and browsers and GIS are asked for the key
 *   as a user name (D51).
 * - `key in header`: operations on a key. They accept the key only in our own header or as a Bearer token. A browser
 *   never sends either of these on its own for a page of another site.
 */
export type Access = 'open' | 'page' | 'key' | 'key in header' | 'key or allowance' | 'metrics key';

/**
 * Returns the access of pages of single sites, units and rights. `closed` applies if the settings require a key for
 * these pages.
 */
export function getPageAccess<Closed extends Access>({ access }: Service, closed: Closed): 'page' | Closed {
  return access.limits.hasOpenPages ? 'page' : closed;
}

/** Counts further requests against the limits of the key. Returns a refusal if too few requests are left. */
export type CountMoreRequests = (count: number) => Refusal | undefined;

/** What routes know about the caller. */
export interface Caller {
  /** Undefined for routes that need no key. */
  readonly keyId?: string;
  /** The organization whose submissions the key may send (D76). */
  readonly submits?: string | undefined;
}

export const ANYONE: Caller = {};

type Answer = (countMore: CountMoreRequests, caller: Caller) => Promise<Outcome>;

/** Counts nothing, for routes whose requests do not count against a key. */
export const countNone: CountMoreRequests = () => undefined;

/** Calls `answer` if the request is authorized; otherwise answers 401 or 429. */
export function authorize(access: Access, request: HttpRequest, service: Service, answer: Answer): Promise<Outcome> {
  switch (access) {
    case 'open':
      return answer(countNone, ANYONE);
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

/** Authorizes a page by network. Ignores keys, because pages do not count against them. */
async function authorizePage(request: HttpRequest, service: Service, answer: Answer): Promise<Outcome> {
  const at = service.now().getTime();
  const pages = service.access.limits.getPageBucket(getClientNetwork(request, service), at);
  const secondsToWait = pages.takeOne(at);
  const outcome = secondsToWait > 0 ? refuse(tooManyPages(secondsToWait)) : await answer(countNone, ANYONE);
  return addHeaders(outcome, buildRateLimitHeaders({ pages }, service.now()));
}

async function authorizeForMetrics(request: HttpRequest, service: Service, answer: Answer): Promise<Outcome> {
  const { store, developmentKey, now } = service;
  // A key in the query does not give access to metrics (D54).
  const key = getHeaderKey(request) || getUserName(request);
  const accepted = await checkKey(key, store.keys, now(), developmentKey);
  if (typeof accepted === 'string') {
    return refuseUnauthorized(
      buildKeyProblem(accepted, describeKeySource(service), NOT_IN_ADDRESS),
      request,
      ASK_FOR_USER_NAME,
    );
  }
  return accepted.mayReadMetrics
    ? answer(countNone, ANYONE)
    : refuseUnauthorized(keyNotForMetrics(service), request, ASK_FOR_USER_NAME);
}

async function authorizeByKey(
  access: 'key' | 'key in header' | 'key or allowance',
  request: HttpRequest,
  service: Service,
  answer: Answer,
): Promise<Outcome> {
  const { now, access: accessControl, developmentKey } = service;
  const authorizedAt = now();
  const hasAllowance = access === 'key or allowance';
  const others = access === 'key in header' ? '' : getParameterKey(getQueryText(request)) || getUserName(request);
  const key = getHeaderKey(request) || others;
  const network = hasAllowance && key === '' ? getClientNetwork(request, service) : undefined;
  const authorization = await accessControl.authorize({ key, developmentKey, network }, authorizedAt);
  switch (authorization.kind) {
    case 'refused':
      return refuseUnauthorized(
        buildKeyProblem(
          authorization.fault,
          describeKeySource(service),
          access === 'key in header' ? IN_HEADER : ANYWHERE,
        ),
        request,
        chooseChallenge(access, request, authorization.fault),
      );
    case 'over limit': {
      const { allowance, secondsToWait } = authorization;
      return addHeaders(refuse(tooManyRequests(secondsToWait)), buildRateLimitHeaders(allowance, authorizedAt));
    }
    case 'authorized': {
      const { keyId, submits } = authorization;
      const caller: Caller = { keyId, submits };
      const outcome = await answer((count) => countMoreRequests(count, authorization, accessControl), caller);
      const answeredAt = now();
      const hasRecords = outcome.kind === 'answer' || outcome.kind === 'file';
      const records = hasRecords && request.method !== 'HEAD' ? (outcome.records ?? 0) : 0;
      accessControl.countRecords(authorization, records, answeredAt);
      const limits = buildRateLimitHeaders(authorization.allowance, answeredAt);
      return addHeaders(outcome, { ...limits, ...varyByOrigin(outcome) });
    }
  }
}

function countMoreRequests(
  count: number,
  authorization: AuthorizedRequest,
  accessControl: AccessControl,
): Refusal | undefined {
  if (count === 0 || accessControl.countMoreRequests(authorization, count)) return undefined;
  const { requests } = authorization.allowance;
  const secondsToWait = requests.secondsUntil(Math.min(count + 1, requests.capacity), authorization.at.getTime());
  return refuse(count + 1 > requests.capacity ? batchTooLarge(requests.capacity) : tooManyRequests(secondsToWait));
}

/**
 * Browsers share their cache among the ports of a host. A request from a page on another port has an Origin header,
 * while a request from the page with the key has none. Because answers vary by Origin, the cache never gives another
 * port an answer that required a key.
 */
function varyByOrigin(outcome: Outcome): HeaderFields {
  if (outcome.kind === 'problem') return {};
  const { Vary: vary } = outcome.headers;
  return { Vary: vary === undefined ? 'Origin' : `${vary}, Origin` };
}

/**
 * Returns a 401. A browser that receives a challenge opens a log-in window, even for map tiles. The scripts of our
 * pages ask for the key themselves, so their requests get no challenge (D55).
 */
function refuseUnauthorized(problem: Problem, { headers }: HttpRequest, challenge: HeaderFields): Outcome {
  return headers.has('x-requested-with') ? refuse(problem) : addHeaders(refuse(problem), challenge);
}

/**
 * Below /ogc and /mcp, the challenge asks browsers and GIS programs for the key as a user name (D51). Elsewhere, only a
 * program that has not sent a key gets that challenge, because a browser that sent a wrong key would open its log-in
 * window (D71).
 */
function chooseChallenge(
  access: 'key' | 'key in header' | 'key or allowance',
  request: HttpRequest,
  fault: KeyFault,
): HeaderFields {
  if (access === 'key or allowance') return ASK_FOR_USER_NAME;
  return access === 'key' && fault === 'missing' && isFromProgram(request) ? ASK_FOR_EITHER : ASK_FOR_HEADER;
}

/** Whether the request cannot come from a page. Browsers send at least one of the headers that this function checks. */
function isFromProgram({ headers }: HttpRequest): boolean {
  const isHtmlAccepted = /text\/html/i.test(headers.get('accept') ?? '');
  const isFromPage = ['sec-fetch-mode', 'referer', 'origin'].some((name) => headers.has(name));
  return !isFromPage && !isHtmlAccepted;
}

/** Returns the query as it was sent. A URL parser would repair errors that the strict reader must see. */
export function getQueryText({ url }: HttpRequest): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}

/** Returns the parameters in the URL, followed by those in the body (D68). */
export function getParameterItems(request: HttpRequest): readonly QueryItem[] {
  return [...splitQuery(getQueryText(request)), ...(request.bodyItems ?? [])];
}

const BEARER = /^bearer +(\S+)$/i;

/**
 * Returns the key in X-API-Key, or else the Bearer token (D71); empty if there is neither. These headers take
 * precedence (D30) over the parameter, and the parameter over the user name (D51).
 */
export function getHeaderKey({ headers }: Pick<HttpRequest, 'headers'>): string {
  const key = headers.get('x-api-key')?.trim() ?? '';
  return key === '' ? (BEARER.exec(headers.get('authorization')?.trim() ?? '')?.[1] ?? '') : key;
}

/** Returns the first key in the query. Repeated keys are refused later, when the parameters are read. */
function getParameterKey(query: string): string {
  const name = accessKey.name.toLowerCase();
  const items = splitQuery(query);
  return items.find((item) => item.name.trim().toLowerCase() === name && item.value.trim() !== '')?.value.trim() ?? '';
}

const BASIC = /^basic +([A-Za-z0-9+/]+=*)$/i;

/** Returns the user name of HTTP Basic authentication. */
function getUserName({ headers }: HttpRequest): string {
  const credentials = Buffer.from(
    BASIC.exec(headers.get('authorization')?.trim() ?? '')?.[1] ?? '',
    'base64',
  ).toString();
  const [user = ''] = credentials.split(':', 1);
  return user.trim();
}

/** Returns the network that a request without a key counts against. */
export function getClientNetwork({ address, headers }: HttpRequest, { trustedProxies }: Service): string {
  return findClientNetwork({ socket: address, forwarded: headers.get('x-forwarded-for') }, trustedProxies);
}

/**
 * Follows draft-ietf-httpapi-ratelimit-headers, revision 10: structured fields with one item per bucket. The policy
 * states the capacity, and the seconds to fill an empty bucket. The state gives the tokens left, and the seconds until
 * the bucket is full.
 */
function buildRateLimitHeaders(buckets: Readonly<Record<string, TokenBucket>>, at: Date): HeaderFields {
  const named = Object.entries(buckets);
  const now = at.getTime();
  const policies = named.map(([name, { capacity, perMinute }]) => {
    const unit = name === 'records' ? ';qu="records"' : '';
    return `"${name}";q=${capacity};w=${Math.round((60 * capacity) / perMinute)}${unit}`;
  });
  const states = named.map(([name, bucket]) => {
    return `"${name}";r=${Math.max(0, Math.floor(bucket.getTokens(now)))};t=${bucket.secondsUntil(bucket.capacity, now)}`;
  });
  return { 'RateLimit-Policy': policies.join(', '), RateLimit: states.join(', ') };
}

/** Where keys are accepted, for error messages. */
const IN_HEADER = 'in the header X-API-Key or as a Bearer token';
const NOT_IN_ADDRESS = 'in the header X-API-Key, or as the user name of HTTP Basic, or as a Bearer token';
const ANYWHERE =
  'in the header X-API-Key, in the parameter key, or as the user name of HTTP Basic, or as a Bearer token';

/** The problem for each fault of a key (D55): its title and first sentence. */
const KEY_FAULTS: Readonly<Record<KeyFault, readonly [title: string, sentence: string]>> = {
  missing: ['Key missing', 'The request has no access key.'],
  unknown: ['Key unknown', 'This access key is not recognized.'],
  revoked: ['Key revoked', 'The access key was revoked.'],
  expired: ['Key expired', 'The access key has expired.'],
};

/** `source` is a sentence about where keys come from; `location` says where they are accepted. */
export function buildKeyProblem(fault: KeyFault, source: string, location = ANYWHERE): Problem {
  const [title, sentence] = KEY_FAULTS[fault];
  return createProblem(401, title, `${sentence} Send a valid access key ${location}. ${source}`);
}

export const KEYS_FROM_OPERATOR = 'Ask the operator of the service for a key.';

/** Returns a sentence about where keys come from (D56): the page that issues them, and CONTACT. */
export function describeKeySource({ selfService, contact, publicUrl }: KeySource): string {
  if (selfService === undefined) return contact === '' ? KEYS_FROM_OPERATOR : `Get a key from ${contact}`;
  return `Anyone can get a key at ${publicUrl}/keys${contact === '' ? '' : ` (questions: ${contact})`}.`;
}

type KeySource = Pick<Service, 'selfService' | 'contact' | 'publicUrl'>;

function keyNotForMetrics({ contact }: KeySource): Problem {
  const command = 'npm run keys -- issue --owner NAME --metrics';
  const detail = `This access key may not read metrics. Issue one that may: ${command}`;
  return createProblem(401, KEY_FAULTS.unknown[0], contact === '' ? detail : `${detail} (questions: ${contact})`);
}

/** A challenge that asks a program to send the key in our header. */
export const ASK_FOR_HEADER: HeaderFields = { 'WWW-Authenticate': 'ApiKey realm="water-data"' };

const BASIC_CHALLENGE = 'Basic realm="water-data: the access key as user name", charset="UTF-8"';

/** A challenge that asks a browser or a GIS for the key as a user name (D51). */
const ASK_FOR_USER_NAME: HeaderFields = { 'WWW-Authenticate': BASIC_CHALLENGE };

/** A challenge that lets a program choose between the two. */
const ASK_FOR_EITHER: HeaderFields = { 'WWW-Authenticate': `ApiKey realm="water-data", ${BASIC_CHALLENGE}` };
