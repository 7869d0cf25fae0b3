// The errors of an operation (D31), each with when it comes and an example that the service's own writer makes.

import {
  badParameters,
  INTERNAL,
  NOT_ACCEPTABLE,
  OVERLOADED,
  tooManyRequests,
  UNAUTHORIZED,
  URI_TOO_LONG,
  VERSION_GONE,
  writeProblem,
  type Problem,
} from '../../../shared/http/problem';
import type { Operation } from '../../../shared/query/operation';
import { readRequest } from '../../../shared/query/read-request';
import { splitQuery } from '../../../shared/query/query-text';
import { described, listOf, objectOf, requiredText } from '../../../shared/records/object-definition';
import { headersOfProblems, limitHeaders, problemHeaders } from './answer-headers';

/** With when it comes. */
export type DescribedProblem = readonly [Problem, string];

export const TOO_LONG: DescribedProblem = [URI_TOO_LONG, 'The request line is too long, usually for its boundary.'];

/** Seconds. */
const EXAMPLE_WAIT = 20;

const EXAMPLE_ID = 'e5952282-fd85-4422-958b-9780b3ddc95e';

/** A wrong name and a wrong value; every operation has a State. */
export const BAD_QUERY = 'Sate=UT&State=Utah';

const entry = objectOf({
  parameter: described(requiredText, 'Name as the operation spells it; an unknown one as sent.'),
  message: described(requiredText, 'What is wrong, to be read behind the name.'),
  value: described(requiredText, 'What was found, at most 200 characters of it; never a key.'),
});

const schema = objectOf({
  type: described(requiredText, 'Names the kind of problem.'),
  title: described(requiredText, 'The kind of problem in a few words.'),
  status: { schema: { type: 'integer', description: 'The HTTP status.' } },
  detail: described(requiredText, 'What to do.'),
  instance: described(requiredText, '`urn:uuid:` and the request id.'),
  errors: described(listOf(entry), 'Of a 400: everything that is wrong with the parameters.'),
}).schema;

export const problemSchema = {
  ...schema,
  required: (schema['required'] as readonly string[]).filter((name) => name !== 'errors'), // objectOf always sets it.
  description: 'An error (RFC 9457).',
};

export function problemResponses(operation: Pick<Operation, 'bindings'>): Readonly<Record<string, object>> {
  const read = readRequest(operation, splitQuery(BAD_QUERY), { slashDateOrder: 'MDY' });
  const problems: readonly DescribedProblem[] = [
    toKeyHolder(badParameters(read.ok ? [] : read.errors), 'Parameters that cannot be used, all of them in `errors`.'),
    [UNAUTHORIZED, 'No key, or one that is unknown, expired or revoked; they look the same.'],
    toKeyHolder(NOT_ACCEPTABLE, 'The header `Accept` takes none of the formats.'),
    toKeyHolder(VERSION_GONE, 'The data version in `DataVersion` is not held, or never was.'),
    TOO_LONG,
    toKeyHolder(tooManyRequests(EXAMPLE_WAIT), 'The key has used up its requests or records of a minute.'),
    [INTERNAL, 'A fault of the service; the answer says nothing of the inside.'],
    toKeyHolder(OVERLOADED, 'The service is busy, its data is not reachable, or the request took too long.'),
  ];
  return responsesOf(problems);
}

/** Once the key is accepted, the answer says what it has left. */
function toKeyHolder(problem: Problem, when: string): DescribedProblem {
  const limits = Object.keys(limitHeaders).map((name): [string, string] => [name, '']);
  return [{ ...problem, headers: { ...problem.headers, ...Object.fromEntries(limits) } }, when];
}

export function responsesOf(problems: readonly DescribedProblem[]): Readonly<Record<string, object>> {
  return Object.fromEntries(problems.map(([problem, when]) => [problem.status, responseOf(problem, when)]));
}

function responseOf(problem: Problem, description: string): object {
  const own = Object.keys(problem.headers ?? {}).map((name): [string, unknown] => [name, headersOfProblems[name]]);
  return {
    description,
    headers: { ...problemHeaders, ...Object.fromEntries(own) },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: JSON.parse(writeProblem(problem, EXAMPLE_ID)) as unknown,
      },
    },
  };
}
