// Turns outcomes into responses for all functions: request id, CORS (D32), methods, HEAD, bytes in flight. This is the
// only place where an unexpected exception becomes a 500, and an unreachable store a 503 (D31).

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
  NO_OAUTH,
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

/** A day, the longest time that browsers cache a preflight. */
const PREFLIGHT_SECONDS = 86_400;

const PREFLIGHT_HEADERS = {
  // Monitoring scripts add headers of their own to every request (D71). `*` does not cover Authorization.
  'Access-Control-Allow-Headers': '*, Authorization, X-API-Key',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
};

/** Makes browsers use only HTTPS for a year. */
const HTTPS_ONLY = 'max-age=31536000';

/** Never throws. Calls `answer` only for the listed methods, and for HEAD if they include GET. */
export async function respond(
  request: HttpRequest,
  service: Service,
  methods: readonly RouteMethod[],
  answer: () => Promise<Outcome>,
): Promise<HttpResponse> {
  const requestId = randomUUID();
  const { method } = request;
  const allowedMethods = methods.flatMap((name): readonly string[] => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  const allow = [...allowedMethods, 'OPTIONS'].join(', ');
  if (method === 'OPTIONS') {
    const allowed = { Allow: allow, 'Access-Control-Allow-Methods': allow, ...PREFLIGHT_HEADERS };
    return { status: 204, headers: { ...buildCommonHeaders(requestId, service), ...allowed } };
  }
  if (!allowedMethods.includes(method)) return respondWithProblem(methodNotAllowed(allow), requestId, method, service);
  let reservation: Reservation | undefined;
  let response: HttpResponse;
  try {
    const outcome = await answerInTime(request, service, answer);
    if (outcome.kind === 'answer') ({ reservation } = outcome);
    response = toResponse(outcome, requestId, request, service);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && !meetsPreconditions(request.headers, response)) {
      if (response.body instanceof Readable) response.body.destroy();
      response = respondWithProblem(PRECONDITION_FAILED, requestId, method, service);
    }
  } catch (error) {
    service.logError(`request ${requestId} failed`, error);
    response = respondWithProblem(toProblem(error), requestId, method, service);
  }
  reservation?.release();
  return reserveBody(response, request, service)
    ? response
    : respondWithProblem(OVERLOADED, requestId, method, service);
}

/** Counts the body until it has been sent. Returns false if there is no room for it. */
function reserveBody({ body }: HttpResponse, { onClosed }: HttpRequest, service: Service): boolean {
  const { bytesInFlight } = service;
  if (body instanceof Readable) return reserveStream(body, bytesInFlight);
  if (body === undefined) return true;
  if (!bytesInFlight.add(body)) return false;
  if (onClosed === undefined) bytesInFlight.remove(body);
  onClosed?.(() => {
    bytesInFlight.remove(body);
  });
  return true;
}

/**
 * Implements `onClosed` of a request for Node's server. All callbacks share one listener, because an export registers
 * so many callbacks that Node would warn about too many listeners.
 */
export function listenForClose(response: ServerResponse): (callback: () => void) => void {
  const callbacks: (() => void)[] = [];
  response.once('close', () => {
    for (const callback of callbacks) callback();
  });
  return (callback) => {
    if (response.closed) callback();
    else callbacks.push(callback);
  };
}

/** Counts a stream as two buffers: its own, and the one that is being sent. */
function reserveStream(body: Readable, bytesInFlight: Service['bytesInFlight']): boolean {
  const reservation = bytesInFlight.reserve();
  body.once('close', () => {
    reservation.release();
  });
  if (reservation.resize(2 * body.readableHighWaterMark)) return true;
  body.destroy();
  return false;
}

function answerInTime({ onClosed }: HttpRequest, service: Service, answer: () => Promise<Outcome>): Promise<Outcome> {
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

function toResponse(outcome: Outcome, requestId: string, request: HttpRequest, service: Service): HttpResponse {
  const { method } = request;
  if (outcome.kind === 'problem') return respondWithProblem(outcome.createProblem, requestId, method, service);
  const headers = { ...buildCommonHeaders(requestId, service), ...outcome.headers };
  if (outcome.kind === 'no body') return { status: outcome.status, headers };
  if (outcome.kind === 'file') {
    const { status, bytes, contentType, read } = outcome;
    const length = bytes === undefined ? {} : { 'Content-Length': String(bytes) };
    const all = { ...headers, 'Content-Type': contentType, ...length };
    return method === 'HEAD' ? { status, headers: all } : { status, headers: all, body: read() };
  }
  const digests = buildDigestHeaders(outcome.body, request.headers);
  return buildResponse(
    outcome.body,
    outcome.status ?? 200,
    { ...headers, ...digests, 'Content-Type': outcome.contentType },
    method,
  );
}

/** Answers any method on an unknown path. `addPage` adds an HTML page for people. */
export function refuseUnknownPath(
  request: HttpRequest,
  service: Service,
  addPage: (problem: Problem, request: HttpRequest, service: Service) => Problem = (problem) => problem,
): Promise<HttpResponse> {
  const problem = addPage(chooseUnknownPath(request.url), request, service);
  return Promise.resolve(respondWithProblem(problem, randomUUID(), request.method, service));
}

/** Where clients of assistants look for OAuth after a 401 (RFC 8414, RFC 9728, RFC 7591). */
const OAUTH_PATH =
  /^\/(?:(?:mcp\/)?(?:register|authorize|token)|(?:.*\/)?\.well-known\/(?:oauth-[^/]*|openid-configuration)(?:\/.*)?)$/i;

function chooseUnknownPath(url: string): Problem {
  const { pathname } = new URL(url);
  if (OAUTH_PATH.test(pathname)) return NO_OAUTH;
  return /^\/ogc(\/|$)/.test(pathname) ? UNKNOWN_OGC_PATH : UNKNOWN_PATH;
}

function toProblem(error: unknown): Problem {
  if (error instanceof UnreadableReleasesError) return notReadable(error.unreadable);
  return error instanceof StoreUnavailableError || error instanceof DeadlinePassedError ? OVERLOADED : INTERNAL_ERROR;
}

/** Hosts also call this, for requests that they refuse before calling a function. */
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
  return buildResponse(body, problem.status, { ...buildCommonHeaders(requestId, service), ...headers }, method);
}

/** The response to HEAD has the same headers as to GET, but no body. */
function buildResponse(body: Buffer, status: number, headers: HeaderFields, method: string): HttpResponse {
  const all = { ...headers, 'Content-Length': String(body.length) };
  return method === 'HEAD' ? { status, headers: all } : { status, headers: all, body };
}

/** Pages replace the content security policy with their own (ADR 0045). */
const FIXED_HEADERS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS,
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
};

function buildCommonHeaders(requestId: string, { publicUrl }: Service): HeaderFields {
  const transportSecurity = publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': HTTPS_ONLY } : {};
  return { ...FIXED_HEADERS, ...transportSecurity, 'X-Request-Id': requestId };
}
