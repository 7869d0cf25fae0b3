// The operations of self-service keys (D56), as OpenAPI describes them.

import {
  badParameters,
  KEY_NOT_STORED,
  ROTATED_KEY,
  TOKEN_GONE,
  tooManyKeyRequests,
  tooManyRotations,
  UNKNOWN_PATH,
} from '../../shared/http/pipeline/outcome';
import { KEY_CLAIM, KEY_REQUEST } from '../../shared/http/v1/keys';
import {
  buildResponses,
  type DescribedProblem,
  KEY_MISSING,
  KEY_PROBLEM_SENTENCE,
  problemHeaders,
} from './openapi-responses';

export const KEYS_TAG = {
  name: 'Keys by oneself',
  description: 'How people create their own keys, if the operator has enabled this.',
};

export function buildKeyPaths(): Readonly<Record<string, object>> {
  return { ...buildIssuePaths(), ...buildOwnKeyPaths() };
}

/** The operations by which people get a key, in the order in which they are called. */
function buildIssuePaths(): Readonly<Record<string, object>> {
  return {
    '/v1/Keys/Challenge': {
      get: buildOpenOperation('KeyChallenge', 'A puzzle to solve before requesting a key. It keeps bots out.', {
        200: buildJsonResponse('The puzzle, valid for ten minutes and one request.', CHALLENGE),
      }),
    },
    '/v1/Keys/Requests': {
      post: buildOpenOperation(
        'RequestKey',
        'Requests a key. A link to it is sent by mail.',
        {
          201: buildJsonResponse('The key, if the operator issues keys instantly. It is shown only now.', NEW_KEY),
          202: buildJsonResponse(
            'The same answer for every well-formed request, whether or not a mail is sent.',
            ACCEPTED,
          ),
          ...buildResponses([
            describeBadBody('Email', 'must be a mail address, as name@example.org'),
            [
              tooManyKeyRequests(600),
              'Too many requests from this address in an hour, or from its network or from everyone in a day.',
            ],
          ]),
        },
        KEY_REQUEST,
      ),
    },
    '/v1/Keys/Claims': {
      post: buildOpenOperation(
        'ClaimKey',
        'Gets the key with the token from the mail, once and within an hour.',
        {
          201: buildJsonResponse('The key. It is shown only now.', NEW_KEY),
          ...buildResponses([
            describeBadBody('Token', 'is missing'),
            [TOKEN_GONE, 'The token is wrong, was already used or has expired.'],
          ]),
        },
        KEY_CLAIM,
      ),
    },
  };
}

/** The operations of people who have a key. */
function buildOwnKeyPaths(): Readonly<Record<string, object>> {
  return {
    '/v1/Keys/Own': {
      get: buildKeyOperation('OwnKey', 'The owner of the key, its limits, and its usage by day.', {
        200: buildJsonResponse('Information about the key.', OWN_KEY),
      }),
      delete: buildKeyOperation(
        'DeleteKey',
        'Ends the key at once, with the keys that it replaced or that replaced it, and deletes name and address.',
        {
          204: { description: 'The key has ended.', headers: problemHeaders },
        },
      ),
    },
    '/v1/Keys/Own/Rotation': {
      post: buildKeyOperation(
        'RotateKey',
        'Replaces the key with a new one. The old one works for another 24 hours and shares its limits with the new one.',
        {
          201: buildJsonResponse('The new key. It is shown only now.', ROTATED),
          ...buildResponses([
            [ROTATED_KEY, 'The key was already replaced by another.'],
            [tooManyRotations(3600), 'The key and its predecessors were replaced 20 times in 24 hours.'],
          ]),
        },
      ),
    },
  };
}

const OFF = 'Self-service keys are not enabled.';

const WITHOUT_KEY: readonly DescribedProblem[] = [[UNKNOWN_PATH, OFF]];

const BY_KEY: readonly DescribedProblem[] = [
  [KEY_MISSING, `${KEY_PROBLEM_SENTENCE} These operations accept the key only in the header X-API-Key.`],
  [KEY_NOT_STORED, `The development key, which is not stored. ${OFF}`],
];

function describeBadBody(parameter: string, message: string): DescribedProblem {
  return [
    badParameters([{ parameter, message, value: '' }]),
    'The body is not JSON of this structure; all errors are listed.',
  ];
}

function buildOpenOperation(operationId: string, summary: string, ownResponses: object, body?: object): object {
  const responses = { ...ownResponses, ...buildResponses(WITHOUT_KEY) };
  const requestBody = body && { required: true, content: toJsonContent(body) };
  return { operationId, tags: [KEYS_TAG.name], summary, security: [], responses, requestBody };
}

function buildKeyOperation(operationId: string, summary: string, ownResponses: object): object {
  const responses = { ...ownResponses, ...buildResponses(BY_KEY) };
  return { operationId, tags: [KEYS_TAG.name], summary, security: [{ KeyInHeader: [] }], responses };
}

function buildJsonResponse(description: string, schema: object): object {
  return { description, headers: problemHeaders, content: toJsonContent(schema) };
}

function toJsonContent(schema: object): object {
  return { 'application/json': { schema } };
}

function buildObjectSchema(properties: Readonly<Record<string, object>>): object {
  return { type: 'object', properties, required: Object.keys(properties) };
}

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };
const TIME = { type: 'string', format: 'date-time' };
const END = { type: ['string', 'null'], description: 'ISO 8601, UTC; null if it does not expire.' };

const LIMITS = buildObjectSchema({ RequestsPerMinute: COUNT, RecordsPerMinute: COUNT });
const CHALLENGE = buildObjectSchema({
  algorithm: TEXT,
  challenge: TEXT,
  maxnumber: COUNT,
  salt: TEXT,
  signature: TEXT,
});
const ACCEPTED = buildObjectSchema({ Detail: TEXT });
const KEY_MEMBERS = { Key: TEXT, Owner: TEXT, Expires: END, Limits: LIMITS };
const NEW_KEY = buildObjectSchema(KEY_MEMBERS);
const ROTATED = buildObjectSchema({ ...KEY_MEMBERS, FormerKeyExpires: TIME });
const USE_OF_DAY = buildObjectSchema({ Day: TEXT, Requests: COUNT, Records: COUNT, Refused: COUNT });
const OWN_KEY = buildObjectSchema({
  Owner: TEXT,
  Issued: TIME,
  Expires: END,
  Limits: LIMITS,
  UseByDay: { type: 'array', items: USE_OF_DAY, description: 'The last 30 days, newest first.' },
});
