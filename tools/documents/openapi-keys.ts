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
  description: 'How people get a key without asking anybody, where the operator has switched that on.',
};

export function buildKeyPaths(): Readonly<Record<string, object>> {
  return { ...buildIssuePaths(), ...buildOwnKeyPaths() };
}

/** The operations by which people get a key, in the order in which they are called. */
function buildIssuePaths(): Readonly<Record<string, object>> {
  return {
    '/v1/Keys/Challenge': {
      get: buildOpenOperation('KeyChallenge', 'A puzzle whose answer a request for a key needs: it keeps robots out.', {
        200: buildJsonResponse('The puzzle, good for ten minutes and one request.', CHALLENGE),
      }),
    },
    '/v1/Keys/Requests': {
      post: buildOpenOperation(
        'RequestKey',
        'Asks for a key. A mail brings the link to it.',
        {
          201: buildJsonResponse('The key, where the operator gives keys at once. It is shown only now.', NEW_KEY),
          202: buildJsonResponse(
            'The same for every request that is well-formed, whether a mail goes out or not.',
            ACCEPTED,
          ),
          ...buildResponses([
            describeBadBody('Email', 'must be a mail address, as name@example.org'),
            [
              tooManyKeyRequests(600),
              'Too many from this address in an hour, or from its network or from all in a day.',
            ],
          ]),
        },
        KEY_REQUEST,
      ),
    },
    '/v1/Keys/Claims': {
      post: buildOpenOperation(
        'ClaimKey',
        'Takes the key with the token of the mail, once and within an hour.',
        {
          201: buildJsonResponse('The key. It is shown only now.', NEW_KEY),
          ...buildResponses([
            describeBadBody('Token', 'is missing'),
            [TOKEN_GONE, 'The token is wrong, was used or is too old.'],
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
      get: buildKeyOperation('OwnKey', 'Whose key it is, its limits, and its use by day.', {
        200: buildJsonResponse('What is known of the key.', OWN_KEY),
      }),
      delete: buildKeyOperation(
        'DeleteKey',
        'Ends the key at once, with the keys that it replaced and that replaced it, and deletes name and address.',
        {
          204: { description: 'The key has ended.', headers: problemHeaders },
        },
      ),
    },
    '/v1/Keys/Own/Rotation': {
      post: buildKeyOperation(
        'RotateKey',
        'Makes a new key in its place. The old one lives for 24 hours more, and shares its limits with the new one.',
        {
          201: buildJsonResponse('The new key. It is shown only now.', ROTATED),
          ...buildResponses([
            [ROTATED_KEY, 'Another key has taken its place already.'],
            [tooManyRotations(3600), 'The key and those before it were replaced 20 times in 24 hours.'],
          ]),
        },
      ),
    },
  };
}

const OFF = 'Keys by oneself are not switched on.';

const WITHOUT_KEY: readonly DescribedProblem[] = [[UNKNOWN_PATH, OFF]];

const BY_KEY: readonly DescribedProblem[] = [
  [KEY_MISSING, `${KEY_PROBLEM_SENTENCE} These operations take the key in the header X-API-Key alone.`],
  [KEY_NOT_STORED, `The development key, which is not stored. ${OFF}`],
];

function describeBadBody(parameter: string, message: string): DescribedProblem {
  return [badParameters([{ parameter, message, value: '' }]), 'The body is no JSON of this form: all that is wrong.'];
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
const END = { type: ['string', 'null'], description: 'ISO 8601, UTC; null for no end.' };

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
  UseByDay: { type: 'array', items: USE_OF_DAY, description: 'Of the last 30 days, the last one first.' },
});
