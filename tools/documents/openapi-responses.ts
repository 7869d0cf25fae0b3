// The headers of answers and the problems (D31) for the OpenAPI document. Each problem has an example from the
// service's own writer. A test compares the headers with those of real answers.

import { ASK_FOR_HEADER, buildKeyProblem, KEYS_FROM_OPERATOR } from '../../shared/http/pipeline/authorize';
import { PRECONDITION_FAILED } from '../../shared/http/pipeline/conditional-requests';
import {
  badParameters,
  INTERNAL_ERROR,
  notAcceptable,
  OVERLOADED,
  type Problem,
  tooManyRequests,
  URI_TOO_LONG,
  VERSION_GONE,
  writeProblem,
} from '../../shared/http/pipeline/outcome';
import type { OperationParameter } from '../../shared/query/operations';
import { splitQuery } from '../../shared/query/query-string';
import { readRequest } from '../../shared/query/read-request';
import { dataVersion } from '../../shared/query/version-parameters';
import { listMember, objectMember, requiredText, withDescription } from '../../shared/records/object-definition';
import type { MediaFormat } from '../../shared/values/media-types';

const limitHeaders = {
  RateLimit: buildTextHeader(
    "The key's remaining requests and records (`r`), and the seconds until its full allowance is available (`t`).",
  ),
  'RateLimit-Policy': buildTextHeader(
    'The number of requests and records (`q`) that the key may use in a number of seconds (`w`).',
  ),
};

export const problemHeaders = {
  'X-Request-Id': buildTextHeader('Identifies this request; send it to the operator if something is wrong.', {
    format: 'uuid',
  }),
  'Cache-Control': buildTextHeader('Who may cache the answer.'),
};

export const answerHeaders = {
  'Data-Version': buildTextHeader(
    'The version of the data in the answer; see the parameter DataVersion.',
    dataVersion.limits,
  ),
  'X-Total-Count': buildCountHeader('Number of matching records, over all pages.'),
  'X-Record-Count': buildCountHeader('Number of records on this page.'),
  Link: buildTextHeader(
    'The next, previous, first and last page, all of this data version, without the key; and with `rel="license"` and `rel="terms-of-service"` the terms of the data. A long query has fewer links or none.',
  ),
  'Query-Hint': buildTextHeader(
    'On an answer without records: the requested values that are not in the data, and the nearest ones that are.',
  ),
  ETag: buildTextHeader('Identifies the content of the answer; send it as If-None-Match.'),
  'Last-Modified': buildTextHeader('Publish time of the newest data in the answer.'),
  Vary: buildTextHeader('The request headers that the answer depends on.'),
  ...limitHeaders,
  ...problemHeaders,
};

/** The headers that some problems have in addition to `problemHeaders`. */
const optionalProblemHeaders: Readonly<Record<string, object>> = {
  'WWW-Authenticate': buildTextHeader('The kind of key that is required.'),
  'Retry-After': buildTextHeader('Seconds to wait before trying again.', { pattern: '^\\d+$' }),
  'Content-Range': buildTextHeader('The length of the file in bytes.'),
  ...limitHeaders,
};

/** A problem, and a sentence that says when it occurs. */
export type DescribedProblem = readonly [Problem, string];

export const TOO_LONG: DescribedProblem = [URI_TOO_LONG, 'The request line is too long, usually for its boundary.'];

const EXAMPLE_WAIT_SECONDS = 20;

const EXAMPLE_ID = 'e5952282-fd85-4422-958b-9780b3ddc95e';

/** A query with a wrong name and a wrong value. It works for every operation, because all have a parameter State. */
export const BAD_QUERY = 'Sate=UT&State=Utah';

const problemEntry = objectMember({
  parameter: withDescription(requiredText, 'Name as the operation spells it; an unknown name as sent.'),
  message: withDescription(requiredText, 'What is wrong; completes a sentence that starts with the name.'),
  value: withDescription(requiredText, 'The value that was sent, at most 200 characters; never a key.'),
});

const allMembers = objectMember({
  type: withDescription(requiredText, 'Identifies the kind of problem.'),
  title: withDescription(requiredText, 'The kind of problem in a few words.'),
  status: { schema: { type: 'integer', description: 'The HTTP status.' } },
  detail: {
    schema: { type: 'string', description: 'What happened and what to do.', 'x-ms-primary-error-message': true },
  },
  instance: withDescription(requiredText, '`urn:uuid:` and the request id.'),
  errors: withDescription(listMember(problemEntry), 'For a 400: everything that is wrong with the parameters.'),
}).schema;

export const problemSchema = {
  ...allMembers,
  required: (allMembers['required'] as readonly string[]).filter((name) => name !== 'errors'), // `objectOf` sets it.
  description: 'An error (RFC 9457).',
};

export const KEY_MISSING: Problem = { ...buildKeyProblem('missing', KEYS_FROM_OPERATOR), headers: ASK_FOR_HEADER };

export const KEY_PROBLEM_SENTENCE =
  'No key, or one that is unknown, revoked or expired: `type` ends in `key-missing`, `key-unknown`, `key-revoked` or ' +
  '`key-expired`. If the request has the header `X-Requested-With`, the answer has no `WWW-Authenticate`.';

const PRECONDITION_SENTENCE =
  'The current answer does not match `If-Match`, or is newer than `If-Unmodified-Since`. Retry without that header.';

const UNAVAILABLE_SENTENCE =
  'The service is busy, its data are unreachable, the request took too long, or a release that the answer ' +
  'needs is damaged or has another format (`Data not readable`, which names it).';

/** An operation with a single format declares no formats, so no 406 is described for it. */
export function buildProblemResponses({
  parameters,
  formats,
}: {
  readonly parameters: readonly OperationParameter[];
  readonly formats?: readonly MediaFormat[];
}): Readonly<Record<string, object>> {
  const result = readRequest(parameters, splitQuery(BAD_QUERY), { slashDateOrder: 'MDY' });
  const problems: readonly DescribedProblem[] = [
    withLimitHeaders(badParameters(result.ok ? [] : result.errors), 'Invalid parameters, all listed in `errors`.'),
    [KEY_MISSING, KEY_PROBLEM_SENTENCE],
    ...(formats ? [withLimitHeaders(notAcceptable(formats), 'The header `Accept` allows none of the formats.')] : []),
    withLimitHeaders(VERSION_GONE, 'The data version in `DataVersion` is no longer available, or never existed.'),
    withLimitHeaders(PRECONDITION_FAILED, PRECONDITION_SENTENCE),
    TOO_LONG,
    withLimitHeaders(
      tooManyRequests(EXAMPLE_WAIT_SECONDS),
      'The key has reached its limit of requests or records per minute.',
    ),
    [INTERNAL_ERROR, 'A fault in the service. The answer gives no internal details.'],
    withLimitHeaders(OVERLOADED, UNAVAILABLE_SENTENCE),
  ];
  return buildResponses(problems);
}

export function omitMembers<Value extends object>(
  members: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

export function buildTextHeader(description: string, limits: object = {}): object {
  return { description, schema: { type: 'string', ...limits } };
}

function buildCountHeader(description: string): object {
  return { description, schema: { type: 'integer', minimum: 0 } };
}

/** Adds the headers of rate limits, because once the key is accepted, answers state its remaining requests. */
export function withLimitHeaders(problem: Problem, when: string): DescribedProblem {
  const limits = Object.keys(limitHeaders).map((name): [string, string] => [name, '']);
  return [{ ...problem, headers: { ...problem.headers, ...Object.fromEntries(limits) } }, when];
}

export function buildResponses(problems: readonly DescribedProblem[]): Readonly<Record<string, object>> {
  return Object.fromEntries(problems.map(([problem, when]) => [problem.status, buildResponse(problem, when)]));
}

function buildResponse(problem: Problem, description: string): object {
  const headers = Object.keys(problem.headers ?? {}).map((name) => [name, optionalProblemHeaders[name]]);
  const example: unknown = JSON.parse(writeProblem(problem, EXAMPLE_ID));
  return {
    description,
    headers: { ...problemHeaders, ...(Object.fromEntries(headers) as object) },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example } },
  };
}
