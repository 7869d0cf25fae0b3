// What an endpoint found: an answer, that the client has it already, or a problem. Problems are sent as
// application/problem+json (RFC 9457, D31).

import { answerWriters } from '../answer/answer-writers';
import { operations } from '../query/operations';
import { FORMAT_LIST } from '../query/paging-and-format';
import type { ParameterError } from '../query/query-values';
import { BOUNDARY_FORMS } from '../values/boundary/boundary';

export interface Problem {
  readonly status: 400 | 401 | 404 | 405 | 406 | 408 | 410 | 414 | 429 | 500 | 503;
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly ParameterError[];
  /** Headers that are sent with this problem beside the common ones. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Outcome =
  | {
      readonly kind: 'answer';
      /** For HEAD, the length that the body has for GET may stand for it. */
      readonly body: Buffer | number;
      readonly contentType: string;
      readonly headers: Readonly<Record<string, string>>;
      /** How many records the body has, for limits and for counts of use. */
      readonly records?: number;
    }
  /** The client has the answer already (304). */
  | { readonly kind: 'not modified'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'problem'; readonly problem: Problem };

export function refused(problem: Problem): Outcome {
  return { kind: 'problem', problem };
}

export function withHeaders(outcome: Outcome, more: Readonly<Record<string, string>>): Outcome {
  switch (outcome.kind) {
    case 'problem':
      return refused({ ...outcome.problem, headers: { ...outcome.problem.headers, ...more } });
    case 'answer':
    case 'not modified':
      return { ...outcome, headers: { ...outcome.headers, ...more } };
  }
}

export function badParameters(errors: readonly ParameterError[]): Problem {
  const count = errors.length === 1 ? 'One parameter is' : `${errors.length} parameters are`;
  return { status: 400, title: 'Bad input parameter', detail: `${count} not usable; see errors.`, errors };
}

export const UNAUTHORIZED: Problem = {
  status: 401,
  title: 'Access key needed',
  detail:
    'Send a valid access key in the header X-API-Key or in the parameter key. The operator of the service issues keys.',
  headers: { 'WWW-Authenticate': 'ApiKey realm="water-data"' },
};

export const UNKNOWN_PATH: Problem = {
  status: 404,
  title: 'Unknown path',
  detail: `The operations are ${operations.map(({ route }) => `/${route}`).join(', ')}.`,
};

export function methodNotAllowed(allow: string): Problem {
  return { status: 405, title: 'Method not allowed', detail: `Use one of ${allow}.`, headers: { Allow: allow } };
}

export const NOT_ACCEPTABLE: Problem = {
  status: 406,
  title: 'No such format',
  detail: `The formats are ${Object.values(answerWriters)
    .map(({ mediaType }) => mediaType)
    .join(', ')}. Name one in the header Accept, or ask with format=${FORMAT_LIST}.`,
};

export const VERSION_GONE: Problem = {
  status: 410,
  title: 'Data version no longer held',
  detail:
    'Start the walk again without DataVersion, or with the version that the header Data-Version of a new answer names.',
};

export function tooManyRequests(seconds: number): Problem {
  return {
    status: 429,
    title: 'Too many requests',
    detail:
      'The key has used up its requests or records of a minute; see the headers RateLimit and RateLimit-Policy. Try again after the time in Retry-After.',
    headers: { 'Retry-After': String(seconds) },
  };
}

/** The longest request line, in bytes (D15). */
export const MAX_REQUEST_LINE = 256 * 1024;

/** How many bytes the headers may have beside the request line. */
export const MAX_OTHER_HEADERS = 64 * 1024;

export const URI_TOO_LONG: Problem = {
  status: 414,
  title: 'Request line too long',
  detail: `A request line may have ${MAX_REQUEST_LINE / 1024} KiB and its headers ${MAX_OTHER_HEADERS / 1024}; proxies and platforms often allow 2 to 4. Name the boundary: ${BOUNDARY_FORMS}; or simplify it.`,
};

/** For bytes on a connection that are not an HTTP request. */
export const NO_REQUEST: Problem = {
  status: 400,
  title: 'Not a request',
  detail: 'What was received is not a well-formed HTTP request.',
};

export const TOO_SLOW: Problem = {
  status: 408,
  title: 'Request too slow',
  detail: 'The request was not complete in time. Send it again, faster.',
};

export const INTERNAL: Problem = {
  status: 500,
  title: 'Internal error',
  detail: 'The request could not be answered. Tell the operator the instance if it happens again.',
};

export const OVERLOADED: Problem = {
  status: 503,
  title: 'Service busy',
  detail: 'The service is busy or its data is not reachable. Try again after the time in Retry-After.',
  headers: { 'Retry-After': '2' },
};

export const NOT_READY: Problem = {
  status: 503,
  title: 'Not ready',
  detail: 'The data cannot be read at the moment. Try again after the time in Retry-After.',
  headers: { 'Retry-After': '5' },
};

export const TOOK_TOO_LONG: Problem = {
  status: 503,
  title: 'Request took too long',
  detail:
    'The request was given up at its deadline. Ask for less at once: a simpler boundary, or fewer records; or try again after the time in Retry-After.',
  headers: { 'Retry-After': '10' },
};

/** `instance` is `urn:uuid:` and the request id. */
export function writeProblem({ status, title, detail, errors }: Problem, requestId: string): string {
  const type = `urn:water-data-query-service:problem:${title.toLowerCase().replaceAll(' ', '-')}`;
  const instance = `urn:uuid:${requestId}`;
  return JSON.stringify({ type, title, status, detail, instance, ...(errors === undefined ? {} : { errors }) });
}
