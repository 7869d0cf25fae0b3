// The headers of answers and the problems (D31) as OpenAPI describes them; each problem has an example that the
// service's own writer makes. A test compares the headers with those of real answers.

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
    'What the key has left of its requests and records (`r`), and in how many seconds nothing is missing any more (`t`).',
  ),
  'RateLimit-Policy': buildTextHeader(
    'How many requests and records (`q`) the key may ask for in how many seconds (`w`).',
  ),
};

export const problemHeaders = {
  'X-Request-Id': buildTextHeader('Names this request; tell it to the operator when something is wrong.', {
    format: 'uuid',
  }),
  'Cache-Control': buildTextHeader('Who may keep the answer.'),
};

export const answerHeaders = {
  'Data-Version': buildTextHeader(
    'Name of the version of the data that the answer is from; see the parameter DataVersion.',
    dataVersion.limits,
  ),
  'X-Total-Count': buildCountHeader('How many records match, over all pages.'),
  'X-Record-Count': buildCountHeader('How many records are on this page.'),
  Link: buildTextHeader(
    'The next, previous, first and last page, all of this data version, without the key; and with `rel="license"` and `rel="terms-of-service"` the terms of the data. A long query has fewer links or none.',
  ),
  'Query-Hint': buildTextHeader(
    'On an answer without records: which values that were asked for are not in the data, and the nearest that are.',
  ),
  ETag: buildTextHeader('Stands for the bytes of the answer; send it as If-None-Match.'),
  'Last-Modified': buildTextHeader('When the newest data of the answer were published.'),
  Vary: buildTextHeader('The request headers that the answer depends on.'),
  ...limitHeaders,
  ...problemHeaders,
};

/** The headers that some problems have beside `problemHeaders`. */
const optionalProblemHeaders: Readonly<Record<string, object>> = {
  'WWW-Authenticate': buildTextHeader('Names the kind of key that is needed.'),
  'Retry-After': buildTextHeader('Seconds after which to try again.', { pattern: '^\\d+$' }),
  'Content-Range': buildTextHeader('How many bytes the file has.'),
  ...limitHeaders,
};

/** A problem, and the sentence that says when it comes. */
export type DescribedProblem = readonly [Problem, string];

export const TOO_LONG: DescribedProblem = [URI_TOO_LONG, 'The request line is too long, usually for its boundary.'];

const EXAMPLE_WAIT_SECONDS = 20;

const EXAMPLE_ID = 'e5952282-fd85-4422-958b-9780b3ddc95e';

/** A query with a wrong name and a wrong value for every operation: all of them have a State. */
export const BAD_QUERY = 'Sate=UT&State=Utah';

const problemEntry = objectMember({
  parameter: withDescription(requiredText, 'Name as the operation spells it; an unknown one as sent.'),
  message: withDescription(requiredText, 'What is wrong, to be read behind the name.'),
  value: withDescription(requiredText, 'What was found, at most 200 characters of it; never a key.'),
});

const allMembers = objectMember({
  type: withDescription(requiredText, 'Names the kind of problem.'),
  title: withDescription(requiredText, 'The kind of problem in a few words.'),
  status: { schema: { type: 'integer', description: 'The HTTP status.' } },
  detail: withDescription(requiredText, 'What to do.'),
  instance: withDescription(requiredText, '`urn:uuid:` and the request id.'),
  errors: withDescription(listMember(problemEntry), 'Of a 400: everything that is wrong with the parameters.'),
}).schema;

export const problemSchema = {
  ...allMembers,
  required: (allMembers['required'] as readonly string[]).filter((name) => name !== 'errors'), // objectOf sets it.
  description: 'An error (RFC 9457).',
};

export const KEY_MISSING: Problem = { ...buildKeyProblem('missing', KEYS_FROM_OPERATOR), headers: ASK_FOR_HEADER };

export const KEY_PROBLEM_SENTENCE =
  'No key, or one that is unknown, revoked or expired: `type` ends in `key-missing`, `key-unknown`, `key-revoked` or ' +
  '`key-expired`. To a request with the header `X-Requested-With` there is no `WWW-Authenticate`.';

const PRECONDITION_SENTENCE =
  'The answer is not the one that `If-Match` names, or is newer than `If-Unmodified-Since`. Ask without it.';

const UNAVAILABLE_SENTENCE =
  'The service is busy, its data is not reachable, the request took too long, or a release that the answer would be ' +
  'read from is damaged or of another format (`Data not readable`, which names it).';

/** An operation that has one form names no formats: to it no form is not acceptable. */
export function buildProblemResponses({
  parameters,
  formats,
}: {
  readonly parameters: readonly OperationParameter[];
  readonly formats?: readonly MediaFormat[];
}): Readonly<Record<string, object>> {
  const result = readRequest(parameters, splitQuery(BAD_QUERY), { slashDateOrder: 'MDY' });
  const problems: readonly DescribedProblem[] = [
    withLimitHeaders(
      badParameters(result.ok ? [] : result.errors),
      'Parameters that cannot be used, all of them in `errors`.',
    ),
    [KEY_MISSING, KEY_PROBLEM_SENTENCE],
    ...(formats ? [withLimitHeaders(notAcceptable(formats), 'The header `Accept` takes none of the formats.')] : []),
    withLimitHeaders(VERSION_GONE, 'The data version in `DataVersion` is not held, or never was.'),
    withLimitHeaders(PRECONDITION_FAILED, PRECONDITION_SENTENCE),
    TOO_LONG,
    withLimitHeaders(tooManyRequests(EXAMPLE_WAIT_SECONDS), 'The key has used up its requests or records of a minute.'),
    [INTERNAL_ERROR, 'A fault of the service; the answer says nothing of the inside.'],
    withLimitHeaders(OVERLOADED, UNAVAILABLE_SENTENCE),
  ];
  return buildResponses(problems);
}

export function omitMembers(
  members: Readonly<Record<string, object>>,
  names: readonly string[],
): Record<string, object> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

export function buildTextHeader(description: string, limits: object = {}): object {
  return { description, schema: { type: 'string', ...limits } };
}

function buildCountHeader(description: string): object {
  return { description, schema: { type: 'integer', minimum: 0 } };
}

/** Adds the limit headers: once the key is accepted, the answer says what the key has left. */
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
