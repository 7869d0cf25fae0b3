// The answers as OpenAPI describes them: their headers, the forms of a page beside JSON (ADR 0033), and the problems
// (D31), each with an example that the service's own writer makes. A test compares the headers with those of real
// answers.

import { ASK_FOR_HEADER, KEY_PROBLEMS } from '../../shared/http/pipeline/authorize';
import {
  badParameters,
  INTERNAL,
  notAcceptable,
  OVERLOADED,
  tooManyRequests,
  URI_TOO_LONG,
  VERSION_GONE,
  writeProblem,
  type Problem,
} from '../../shared/http/pipeline/outcome';
import type { RequestParameters } from '../../shared/query/operations';
import { dataVersion } from '../../shared/query/paging-and-format';
import { splitQuery } from '../../shared/query/query-values';
import { readRequest } from '../../shared/query/read-request';
import { described, listOf, objectOf, requiredText } from '../../shared/records/object-definition';
import { MEDIA_TYPES, type MediaForm } from '../../shared/values/media-types';

const countSchema = { type: 'integer', minimum: 0 };

const limitHeaders = {
  RateLimit: textHeader(
    'What the key has left of its requests and records (`r`), and in how many seconds nothing is missing any more (`t`).',
  ),
  'RateLimit-Policy': textHeader('How many requests and records (`q`) the key may ask for in how many seconds (`w`).'),
};

export const problemHeaders = {
  'X-Request-Id': textHeader('Names this request; tell it to the operator when something is wrong.', {
    format: 'uuid',
  }),
  'Cache-Control': textHeader('Who may keep the answer.'),
};

export const answerHeaders = {
  'Data-Version': textHeader(
    'Name of the version of the data that the answer is from; see the parameter DataVersion.',
    dataVersion.limits,
  ),
  'X-Total-Count': { description: 'How many records match, over all pages.', schema: countSchema },
  'X-Record-Count': { description: 'How many records are on this page.', schema: countSchema },
  Link: textHeader(
    'The next, previous, first and last page, all of this data version, without the key; and with `rel="license"` and `rel="terms-of-service"` the terms of the data. A long query has fewer links or none.',
  ),
  'Query-Hint': textHeader(
    'On an answer without records: which values that were asked for are not in the data, and the nearest that are.',
  ),
  ETag: textHeader('Stands for the bytes of the answer; send it as If-None-Match.'),
  'Last-Modified': textHeader('When the newest data of the answer were published.'),
  Vary: textHeader('The request headers that the answer depends on.'),
  ...limitHeaders,
  ...problemHeaders,
};

/** The headers that some problems have beside `problemHeaders`. */
const headersOfSomeProblems: Readonly<Record<string, object>> = {
  'WWW-Authenticate': textHeader('Names the kind of key that is needed.'),
  'Retry-After': textHeader('Seconds after which to try again.', { pattern: '^\\d+$' }),
  'Content-Range': textHeader('How many bytes the file has.'),
  ...limitHeaders,
};

const csvSchema = {
  type: 'string',
  description:
    "One row for each record: the organization, the record's members, then what its place, variable, method, water source and uses add. " +
    'Lists stand in one cell, joined with `|` (`\\|` and `\\\\` within an item). A text cell that a spreadsheet would run as a formula ' +
    'begins with an apostrophe; remove one leading apostrophe to undo it.',
};

const featureSchema = {
  type: 'object',
  required: ['type', 'id', 'geometry', 'properties'],
  properties: {
    type: { const: 'Feature' },
    id: { type: 'string', description: 'The same for the same record and place, through publishes.' },
    geometry: { type: ['object', 'null'], description: 'Longitude, then latitude, WGS 84; null without a place.' },
    properties: { type: 'object', description: "The record's members, its organization and its place." },
  },
};

const geojsonSchema = collectionOf(
  featureSchema,
  'A feature for each record and place: a right with three sites has three.',
  'records',
);

/** The forms of a page beside JSON. */
export const otherContents: Readonly<Record<string, object>> = {
  [MEDIA_TYPES.csv]: { schema: csvSchema },
  [MEDIA_TYPES.geojson]: { schema: geojsonSchema },
};

const placeCsvSchema = {
  type: 'string',
  description:
    'One row for each place: the organization, then the members of the place, then each member of its series as a list in ' +
    'one cell, in the same order in each. Lists and apostrophes are as in the table of records.',
};

const placeFeatureSchema = {
  ...featureSchema,
  properties: {
    ...featureSchema.properties,
    id: { type: 'string', description: 'The organization, `~`, and the identifier of the place.' },
    geometry: {
      type: ['object', 'null'],
      description: 'Longitude, then latitude, WGS 84; null where it lies nowhere.',
    },
    properties: { type: 'object', description: 'The columns of the table; lists are lists.' },
  },
};

/** The forms of a page of places beside JSON. */
export const placeContents: Readonly<Record<string, object>> = {
  [MEDIA_TYPES.csv]: { schema: placeCsvSchema },
  [MEDIA_TYPES.geojson]: {
    schema: collectionOf(placeFeatureSchema, 'A feature for each place.', 'places'),
  },
};

/** A problem, and the sentence that says when it comes. */
export type DescribedProblem = readonly [Problem, string];

export const TOO_LONG: DescribedProblem = [URI_TOO_LONG, 'The request line is too long, usually for its boundary.'];

const EXAMPLE_WAIT_SECONDS = 20;

const EXAMPLE_ID = 'e5952282-fd85-4422-958b-9780b3ddc95e';

/** A query with a wrong name and a wrong value for every operation: all of them have a State. */
export const BAD_QUERY = 'Sate=UT&State=Utah';

const problemEntry = objectOf({
  parameter: described(requiredText, 'Name as the operation spells it; an unknown one as sent.'),
  message: described(requiredText, 'What is wrong, to be read behind the name.'),
  value: described(requiredText, 'What was found, at most 200 characters of it; never a key.'),
});

const allMembers = objectOf({
  type: described(requiredText, 'Names the kind of problem.'),
  title: described(requiredText, 'The kind of problem in a few words.'),
  status: { schema: { type: 'integer', description: 'The HTTP status.' } },
  detail: described(requiredText, 'What to do.'),
  instance: described(requiredText, '`urn:uuid:` and the request id.'),
  errors: described(listOf(problemEntry), 'Of a 400: everything that is wrong with the parameters.'),
}).schema;

export const problemSchema = {
  ...allMembers,
  required: (allMembers['required'] as readonly string[]).filter((name) => name !== 'errors'), // objectOf sets it.
  description: 'An error (RFC 9457).',
};

const NO_GOOD_KEY =
  'No key, or one that is unknown, revoked or expired: `type` ends in `key-missing`, `key-unknown`, `key-revoked` or ' +
  '`key-expired`. To a request with the header `X-Requested-With` there is no `WWW-Authenticate`.';

const BUSY_OR_UNREADABLE =
  'The service is busy, its data is not reachable, the request took too long, or a release that the answer would be ' +
  'read from is damaged or of another format (`Data not readable`, which names it).';

export function problemResponses(
  operation: RequestParameters & { readonly formats: readonly MediaForm[] },
): Readonly<Record<string, object>> {
  const read = readRequest(operation, splitQuery(BAD_QUERY), { slashDateOrder: 'MDY' });
  const problems: readonly DescribedProblem[] = [
    toKeyHolder(badParameters(read.ok ? [] : read.errors), 'Parameters that cannot be used, all of them in `errors`.'),
    [{ ...KEY_PROBLEMS.missing, headers: ASK_FOR_HEADER }, NO_GOOD_KEY],
    toKeyHolder(notAcceptable(operation.formats), 'The header `Accept` takes none of the formats.'),
    toKeyHolder(VERSION_GONE, 'The data version in `DataVersion` is not held, or never was.'),
    TOO_LONG,
    toKeyHolder(tooManyRequests(EXAMPLE_WAIT_SECONDS), 'The key has used up its requests or records of a minute.'),
    [INTERNAL, 'A fault of the service; the answer says nothing of the inside.'],
    toKeyHolder(OVERLOADED, BUSY_OR_UNREADABLE),
  ];
  return responsesOf(problems);
}

function collectionOf(feature: object, description: string, counted: string): object {
  return {
    type: 'object',
    description,
    required: ['type', 'numberMatched', 'numberReturned', 'features'],
    properties: {
      type: { const: 'FeatureCollection' },
      numberMatched: { ...countSchema, description: `How many ${counted} match, over all pages.` },
      numberReturned: { ...countSchema, description: `How many ${counted} are on this page.` },
      features: { type: 'array', items: feature },
    },
  };
}

export function without(members: Readonly<Record<string, object>>, names: readonly string[]): Record<string, object> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

export function textHeader(description: string, limits: object = {}): object {
  return { description, schema: { type: 'string', ...limits } };
}

/** Adds the limit headers: once the key is accepted, the answer says what the key has left. */
export function toKeyHolder(problem: Problem, when: string): DescribedProblem {
  const limits = Object.keys(limitHeaders).map((name): [string, string] => [name, '']);
  return [{ ...problem, headers: { ...problem.headers, ...Object.fromEntries(limits) } }, when];
}

export function responsesOf(problems: readonly DescribedProblem[]): Readonly<Record<string, object>> {
  return Object.fromEntries(problems.map(([problem, when]) => [problem.status, responseOf(problem, when)]));
}

function responseOf(problem: Problem, description: string): object {
  const headers = Object.keys(problem.headers ?? {}).map((name) => [name, headersOfSomeProblems[name]]);
  const example: unknown = JSON.parse(writeProblem(problem, EXAMPLE_ID));
  return {
    description,
    headers: { ...problemHeaders, ...(Object.fromEntries(headers) as object) },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example } },
  };
}
