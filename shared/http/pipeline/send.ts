// Turns outcomes into responses, the same for every function: request id, CORS (D32), methods, HEAD, bytes in flight,
// and the one place where a broken promise of the program becomes a 500, and a store that is not reachable a 503 (D31).

import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Deadline, DeadlinePassedError, withDeadline } from '../../store/deadline';
import { StoreUnavailableError } from '../../store/port';
import { UnreadableReleasesError } from '../../store/readable-releases';
import type { Reservation } from './bytes-in-flight';
import { meetsPreconditions, PRECONDITION_FAILED } from './conditional-requests';
import { buildDigestHeaders } from './negotiation';
import {
  type HeaderFields,
  INTERNAL_ERROR,
  methodNotAllowed,
  notReadable,
  type Outcome,
  OVERLOADED,
  type Problem,
  UNKNOWN_OGC_PATH,
  UNKNOWN_PATH,
  writeProblem,
} from './outcome';
import type { HttpRequest, HttpResponse, Service } from './service';

export type RouteMethod = 'GET' | 'POST' | 'DELETE';

const EXPOSED_HEADERS =
  'ETag, Link, Data-Version, X-Total-Count, X-Record-Count, ' +
  'RateLimit, RateLimit-Policy, Retry-After, Query-Hint, X-Request-Id, Accept-Ranges, Content-Range, Content-Crs, ' +
  'Content-Digest, Repr-Digest';

/** A day: the longest that browsers keep a preflight. */
const PREFLIGHT_SECONDS = 86_400;

const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Headers':
    'X-API-Key, Authorization, X-Requested-With, Content-Type, If-None-Match, If-Modified-Since, If-Match, ' +
    'If-Unmodified-Since, Range, If-Range, Want-Content-Digest, Want-Repr-Digest',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
};

/** Tells a browser that came by HTTPS to use nothing else for a year. */
const HTTPS_ONLY = 'max-age=31536000';

/** Never throws. `answer` is called for these methods only, and for HEAD where GET is among them. */
export async function respond(
  request: HttpRequest,
  service: Service,
  methods: readonly RouteMethod[],
  answer: () => Promise<Outcome>,
): Promise<HttpResponse> {
  const requestId = randomUUID();
  const { method } = request;
  const taken = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]));
  const allow = [...taken, 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') {
    const allowed = { Allow: allow, 'Access-Control-Allow-Methods': allow, ...PREFLIGHT_HEADERS };
    return { status: 204, headers: { ...commonHeaders(requestId, service), ...allowed } };
  }
  if (!taken.includes(method)) return respondWithProblem(methodNotAllowed(allow), requestId, method, service);
  let reservation: Reservation | undefined;
  let response: HttpResponse;
  try {
    const outcome = await outcomeOf(request, service, answer);
    if (outcome.kind === 'answer') ({ reservation } = outcome);
    response = responseOf(outcome, requestId, request, service);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && !meetsPreconditions(request.headers, response)) {
      if (response.body instanceof Readable) response.body.destroy();
      response = respondWithProblem(PRECONDITION_FAILED, requestId, method, service);
    }
  } catch (error) {
    service.logError(`request ${requestId} failed`, error);
    response = respondWithProblem(problemOf(error), requestId, method, service);
  }
  reservation?.release();
  return isCounted(response, request, service) ? response : respondWithProblem(OVERLOADED, requestId, method, service);
}

/** Counts the body until the answer has left; false when there is no room for it. */
function isCounted({ body }: HttpResponse, { onClosed }: HttpRequest, service: Service): boolean {
  const { bytesInFlight } = service;
  if (body instanceof Readable) return isStreamCounted(body, bytesInFlight);
  if (body === undefined) return true;
  if (!bytesInFlight.add(body)) return false;
  if (onClosed === undefined) bytesInFlight.remove(body);
  onClosed?.(() => {
    bytesInFlight.remove(body);
  });
  return true;
}

/**
 * For `onClosed` of a request that Node's server has received. One listener for all acts: an export has more of them
 * than Node wants listeners of one event.
 */
export function listenForClose(response: ServerResponse): (act: () => void) => void {
  const acts: (() => void)[] = [];
  response.once('close', () => {
    for (const act of acts) act();
  });
  return (act) => {
    if (response.closed) act();
    else acts.push(act);
  };
}

/** A file is in memory as far as it was read ahead of its reader: one piece in the stream, and one on its way. */
function isStreamCounted(body: Readable, bytesInFlight: Service['bytesInFlight']): boolean {
  const reservation = bytesInFlight.reserve();
  body.once('close', () => {
    reservation.release();
  });
  if (reservation.resize(2 * body.readableHighWaterMark)) return true;
  body.destroy();
  return false;
}

function outcomeOf({ onClosed }: HttpRequest, service: Service, answer: () => Promise<Outcome>): Promise<Outcome> {
  let hasLeft = false;
  onClosed?.(() => {
    hasLeft = true;
  });
  const deadline = new Deadline(service.deadlineMs, service.clock, {
    giveWay: () => service.queue.giveWay(),
    isClientGone: () => hasLeft,
  });
  return withDeadline(deadline, answer);
}

function responseOf(outcome: Outcome, requestId: string, request: HttpRequest, service: Service): HttpResponse {
  const { method } = request;
  if (outcome.kind === 'problem') return respondWithProblem(outcome.createProblem, requestId, method, service);
  const headers = { ...commonHeaders(requestId, service), ...outcome.headers };
  if (outcome.kind === 'no body') return { status: outcome.status, headers };
  if (outcome.kind === 'file') {
    const { status, bytes, contentType, read } = outcome;
    const length = bytes === undefined ? {} : { 'Content-Length': String(bytes) };
    const all = { ...headers, 'Content-Type': contentType, ...length };
    return method === 'HEAD' ? { status, headers: all } : { status, headers: all, body: read() };
  }
  const digests = buildDigestHeaders(outcome.body, request.headers);
  return deliver(
    outcome.body,
    outcome.status ?? 200,
    { ...headers, ...digests, 'Content-Type': outcome.contentType },
    method,
  );
}

/** Answers any method on a path that no function has. */
export function refuseUnknownPath({ method, url }: HttpRequest, service: Service): Promise<HttpResponse> {
  const problem = /^\/ogc(\/|$)/.test(new URL(url).pathname) ? UNKNOWN_OGC_PATH : UNKNOWN_PATH;
  return Promise.resolve(respondWithProblem(problem, randomUUID(), method, service));
}

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableReleasesError) return notReadable(error.unreadable);
  return error instanceof StoreUnavailableError || error instanceof DeadlinePassedError ? OVERLOADED : INTERNAL_ERROR;
}

/** Hosts call it too, for requests that they must refuse before a function is called. */
export function respondWithProblem(
  problem: Problem,
  requestId: string,
  method: string,
  service: Service,
): HttpResponse {
  service.metrics.refusals.inc({ problem: problem.title });
  const contentType = problem.page === undefined ? 'application/problem+json' : 'text/html; charset=utf-8';
  const headers = { ...problem.headers, 'Content-Type': contentType, 'Cache-Control': 'no-store' };
  const body = Buffer.from(problem.page ?? writeProblem(problem, requestId));
  return deliver(body, problem.status, { ...commonHeaders(requestId, service), ...headers }, method);
}

/** HEAD has the headers of GET and no body. */
function deliver(body: Buffer, status: number, headers: HeaderFields, method: string): HttpResponse {
  const all = { ...headers, 'Content-Length': String(body.length) };
  return method === 'HEAD' ? { status, headers: all } : { status, headers: all, body };
}

/** Pages, which show something, replace the content security policy (ADR 0045). */
const SAME_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
};

function commonHeaders(requestId: string, { publicUrl }: Service): HeaderFields {
  const byHttps = publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': HTTPS_ONLY } : {};
  return { ...SAME_HEADERS, ...byHttps, 'X-Request-Id': requestId };
}
