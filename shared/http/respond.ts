// Turns outcomes into responses, the same for every function: request id, CORS (D32), methods, HEAD, and the one place
// where a broken promise of the program becomes a 500, and a store that is not reachable a 503 (D31).

import { randomUUID } from 'node:crypto';
import type { HttpResponseInit } from '@azure/functions';
import { Deadline, DeadlinePassedError, withDeadline } from '../store/deadline';
import { StoreUnavailableError } from '../store/port';
import { UnreadableReleasesError } from '../store/readable-releases';
import { INTERNAL, methodNotAllowed, notReadable, OVERLOADED, refused, writeProblem } from './outcome';
import type { HeaderFields, Outcome, Problem } from './outcome';
import type { AskedRequest, Service } from './service';

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

const EXPOSED_HEADERS =
  'ETag, Link, Data-Version, X-Total-Count, X-Record-Count, ' +
  'RateLimit, RateLimit-Policy, Retry-After, Query-Hint, X-Request-Id';

/** A day: the longest that browsers keep a preflight. */
const PREFLIGHT_SECONDS = 86_400;

const PREFLIGHT_HEADERS = {
  Allow: ALLOWED_METHODS,
  'Access-Control-Allow-Methods': ALLOWED_METHODS,
  'Access-Control-Allow-Headers': 'X-API-Key, If-None-Match',
  'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
};

/** Tells a browser that came by HTTPS to use nothing else for a year. */
const HTTPS_ONLY = 'max-age=31536000';

/** Never throws. `answer` is called for GET and HEAD only; `isKnownPath` is false for the function of unknown paths. */
export async function respond(
  request: AskedRequest,
  service: Service,
  answer: () => Promise<Outcome>,
  isKnownPath = true,
): Promise<HttpResponseInit> {
  const { method } = request;
  const requestId = randomUUID();
  try {
    const common = commonHeaders(requestId, service);
    if (isKnownPath && method === 'OPTIONS') return { status: 204, headers: { ...common, ...PREFLIGHT_HEADERS } };
    const isRead = method === 'GET' || method === 'HEAD';
    const outcome =
      isKnownPath && !isRead
        ? refused(methodNotAllowed(ALLOWED_METHODS))
        : await withDeadline(new Deadline(service.deadlineMs, service.clock), answer);
    switch (outcome.kind) {
      case 'problem':
        return refuse(outcome.problem, requestId, method, service);
      case 'not modified':
        return { status: 304, headers: { ...common, ...outcome.headers } };
      case 'answer': {
        const headers = { ...common, ...outcome.headers, 'Content-Type': outcome.contentType };
        return deliver(outcome.body, 200, headers, method);
      }
    }
  } catch (error) {
    service.logError(`request ${requestId} failed`, error);
    return refuse(problemOf(error), requestId, method, service);
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof UnreadableReleasesError) return notReadable(error.unreadable);
  return error instanceof StoreUnavailableError || error instanceof DeadlinePassedError ? OVERLOADED : INTERNAL;
}

/** Hosts call it too, for requests that they must refuse before a function is called. */
export function refuse(problem: Problem, requestId: string, method: string, service: Service): HttpResponseInit {
  const headers = { ...problem.headers, 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' };
  const body = Buffer.from(writeProblem(problem, requestId));
  return deliver(body, problem.status, { ...commonHeaders(requestId, service), ...headers }, method);
}

/** HEAD has the headers of GET and no body. */
function deliver(body: Buffer | number, status: number, headers: HeaderFields, method: string): HttpResponseInit {
  const isLength = typeof body === 'number';
  const all = { ...headers, 'Content-Length': String(isLength ? body : body.length) };
  return isLength || method === 'HEAD' ? { status, headers: all } : { status, headers: all, body };
}

/** Pages, which show something, replace the content security policy (ADR 0045). */
function commonHeaders(requestId: string, { publicUrl }: Service): HeaderFields {
  return {
    'X-Request-Id': requestId,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') ? { 'Strict-Transport-Security': HTTPS_ONLY } : {}),
  };
}
