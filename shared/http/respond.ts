// What every answer has in common, whatever the function: request id, CORS (D32), methods, HEAD, and the one place where
// a broken promise of the program becomes a 500, a store that is not reachable a 503 (D31).

import { randomUUID } from 'node:crypto';
import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import { StoreUnavailableError } from '../store/port';
import { withinTime } from '../store/request-deadline';
import { INTERNAL, methodNotAllowed, OVERLOADED, writeProblem, type Problem } from './problem';
import type { Service } from './service';

const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

const EXPOSED_HEADERS = [
  'ETag',
  'Link',
  'Data-Version',
  'X-Total-Count',
  'X-Record-Count',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Query-Hint',
].join(', ');

/** A day: the longest that browsers keep a preflight. */
const PREFLIGHT_SECONDS = 86_400;

/** What a handler found: an answer with its body, that the client holds the answer already, or a problem. */
export type Outcome =
  | {
      readonly body: Buffer;
      readonly contentType: string;
      readonly headers: Readonly<Record<string, string>>;
      /** How many the body has, for whoever counts them. */
      readonly records?: number;
    }
  | { readonly notModified: Readonly<Record<string, string>> }
  | { readonly problem: Problem };

/** Never throws. `answer` is called for GET and HEAD only; `isKnownPath` is false for the function of unknown paths. */
export async function respond(
  request: HttpRequest,
  service: Service,
  answer: () => Promise<Outcome>,
  isKnownPath = true,
): Promise<HttpResponseInit> {
  const requestId = randomUUID();
  try {
    if (isKnownPath && request.method === 'OPTIONS') return preflight(requestId);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const outcome =
      isKnownPath && !isRead
        ? { problem: methodNotAllowed(ALLOWED_METHODS) }
        : await withinTime(service.deadlineMs, answer);
    if ('problem' in outcome) return refuse(outcome.problem, requestId, request.method);
    if ('notModified' in outcome) {
      return { status: 304, headers: { ...commonHeaders(requestId), ...outcome.notModified } };
    }
    const headers = { ...outcome.headers, 'Content-Type': outcome.contentType };
    return deliver(outcome.body, headers, 200, requestId, request.method);
  } catch (error) {
    service.logError(`request ${requestId} failed`, error);
    return refuse(error instanceof StoreUnavailableError ? OVERLOADED : INTERNAL, requestId, request.method);
  }
}

/** Also for what a host must refuse before a function is called. */
export function refuse(problem: Problem, requestId: string, method: string): HttpResponseInit {
  const headers = { ...problem.headers, 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' };
  return deliver(Buffer.from(writeProblem(problem, requestId)), headers, problem.status, requestId, method);
}

function preflight(requestId: string): HttpResponseInit {
  const headers = {
    Allow: ALLOWED_METHODS,
    'Access-Control-Allow-Methods': ALLOWED_METHODS,
    'Access-Control-Allow-Headers': 'X-API-Key, If-None-Match',
    'Access-Control-Max-Age': String(PREFLIGHT_SECONDS),
  };
  return { status: 204, headers: { ...commonHeaders(requestId), ...headers } };
}

/** HEAD has the headers of GET and no body. */
function deliver(
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  status: number,
  requestId: string,
  method: string,
): HttpResponseInit {
  const all = { ...commonHeaders(requestId), ...headers, 'Content-Length': String(body.length) };
  return method === 'HEAD' ? { status, headers: all } : { status, headers: all, body };
}

function commonHeaders(requestId: string): Readonly<Record<string, string>> {
  return {
    'X-Request-Id': requestId,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': `${EXPOSED_HEADERS}, X-Request-Id`,
    'X-Content-Type-Options': 'nosniff',
  };
}
