// The operations of self-service keys (D56) for the OpenAPI document.

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
import { DESCRIPTIONS } from './openapi-descriptions';
import {
  buildResponses,
  type DescribedProblem,
  KEY_MISSING,
  KEY_PROBLEM_SENTENCE,
  problemHeaders,
} from './openapi-responses';
import { reference, type Schema } from './openapi-schemas';

export const KEYS_TAG = {
  name: 'Self-service keys',
  description: 'How people create their own keys, if the operator has enabled this.',
};

export function buildKeyPaths(): Readonly<Record<string, object>> {
  return { ...buildIssuePaths(), ...buildOwnKeyPaths() };
}

/** The operations for getting a key, in calling order. */
function buildIssuePaths(): Readonly<Record<string, object>> {
  return {
    '/v1/Keys/Challenge': {
      get: buildOpenOperation('KeyChallenge', 'Returns a puzzle to solve before requesting a key. It keeps bots out.', {
        200: buildJsonResponse('The puzzle, valid for ten minutes and one request.', 'KeyChallenge'),
      }),
    },
    '/v1/Keys/Requests': {
      post: buildOpenOperation(
        'RequestKey',
        'Requests a key. A link to it is sent by email.',
        {
          201: buildJsonResponse('The key, if the operator issues keys instantly. It is shown only once.', 'NewKey'),
          202: buildJsonResponse(
            'The same answer for every well-formed request, whether or not an email is sent.',
            'KeyRequestAccepted',
          ),
          ...buildResponses([
            describeBadBody('Email', 'must be an email address, such as name@example.org'),
            [
              tooManyKeyRequests(600),
              'Too many requests from this address in an hour, or from its network or from everyone in a day.',
            ],
          ]),
        },
        'KeyRequest',
      ),
    },
    '/v1/Keys/Claims': {
      post: buildOpenOperation(
        'ClaimKey',
        'Gets the key with the token from the email, once and within an hour.',
        {
          201: buildJsonResponse('The key. It is shown only once.', 'NewKey'),
          ...buildResponses([
            describeBadBody('Token', 'is missing'),
            [TOKEN_GONE, 'The token is wrong, was already used or has expired.'],
          ]),
        },
        'KeyClaim',
      ),
    },
  };
}

/** The operations for owners of a key. */
function buildOwnKeyPaths(): Readonly<Record<string, object>> {
  return {
    '/v1/Keys/Own': {
      get: buildKeyOperation('OwnKey', 'The owner of the key, its limits, and its usage by day.', {
        200: buildJsonResponse('Information about the key.', 'OwnKey'),
      }),
      delete: buildKeyOperation(
        'DeleteKey',
        'Revokes the key at once, with the keys that it replaced or that replaced it, and deletes the name and address.',
        {
          204: { description: 'The key was revoked.', headers: problemHeaders },
        },
      ),
    },
    '/v1/Keys/Own/Rotation': {
      post: buildKeyOperation(
        'RotateKey',
        'Replaces the key with a new one. The old one works for another 24 hours and shares its limits with the new one.',
        {
          201: buildJsonResponse('The new key. It is shown only once.', 'RotatedKey'),
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
  [
    KEY_MISSING,
    `${KEY_PROBLEM_SENTENCE} These operations accept the key only in the header X-API-Key or as a Bearer token.`,
  ],
  [KEY_NOT_STORED, `The request has the development key, which is not stored. ${OFF}`],
];

function describeBadBody(parameter: string, message: string): DescribedProblem {
  return [
    badParameters([{ parameter, message, value: '' }]),
    'The body is not JSON of this structure; all errors are listed.',
  ];
}

function buildOpenOperation(operationId: string, summary: string, ownResponses: object, body?: string): object {
  const responses = { ...ownResponses, ...buildResponses(WITHOUT_KEY) };
  const requestBody = body === undefined ? undefined : { required: true, content: toJsonContent(body) };
  const description = DESCRIPTIONS[operationId];
  return { operationId, tags: [KEYS_TAG.name], summary, description, security: [], responses, requestBody };
}

function buildKeyOperation(operationId: string, summary: string, ownResponses: object): object {
  const responses = { ...ownResponses, ...buildResponses(BY_KEY) };
  const description = DESCRIPTIONS[operationId];
  const security = [{ KeyInHeader: [] }, { KeyAsToken: [] }];
  return { operationId, tags: [KEYS_TAG.name], summary, description, security, responses };
}

function buildJsonResponse(description: string, schemaName: string): object {
  return { description, headers: problemHeaders, content: toJsonContent(schemaName) };
}

function toJsonContent(schemaName: string): object {
  return { 'application/json': { schema: reference(schemaName) } };
}

function buildObjectSchema(properties: Readonly<Record<string, object>>, description: string): Schema {
  return { type: 'object', properties, required: Object.keys(properties), description };
}

function text(description: string): object {
  return { type: 'string', description };
}

function count(description: string): object {
  return { type: 'integer', minimum: 0, description };
}

function time(description: string): object {
  return { type: 'string', format: 'date-time', description };
}

const limits = buildObjectSchema(
  { RequestsPerMinute: count('Requests.'), RecordsPerMinute: count('Records in answers.') },
  'The limits of the key.',
);

const keyMembers = {
  Key: text('The access key.'),
  Owner: text('The owner of the key.'),
  Expires: { type: ['string', 'null'], format: 'date-time', description: 'When it expires; null if it does not.' },
  Limits: limits,
};

const useOfDay = buildObjectSchema(
  {
    Day: { type: 'string', format: 'date', description: 'A day in UTC.' },
    Requests: count('Requests that were answered.'),
    Records: count('Records that were sent.'),
    Refused: count('Requests refused by a limit.'),
  },
  'The usage of one day.',
);

/** The schemas of bodies and answers of these operations, keyed by name. */
export const keySchemas: Readonly<Record<string, Schema>> = {
  KeyRequest: { ...KEY_REQUEST, description: 'A key request.' },
  KeyClaim: { ...KEY_CLAIM, description: 'The proof that the email was read.' },
  KeyChallenge: buildObjectSchema(
    {
      algorithm: text('The digest algorithm, SHA-256.'),
      challenge: text('The digest to match, in hexadecimal digits.'),
      maxnumber: count('The solution is at most this number.'),
      salt: text('The text to put before the number.'),
      signature: text("The service's signature."),
    },
    'A puzzle.',
  ),
  KeyRequestAccepted: buildObjectSchema({ Detail: text('What happens next.') }, 'The request was accepted.'),
  NewKey: buildObjectSchema(keyMembers, 'A new key.'),
  RotatedKey: buildObjectSchema(
    { ...keyMembers, FormerKeyExpires: time('When the old key expires.') },
    'The key that replaces the old one.',
  ),
  OwnKey: buildObjectSchema(
    {
      Owner: text('The owner of the key.'),
      Issued: time('When it was issued.'),
      Expires: keyMembers.Expires,
      Limits: limits,
      UseByDay: { type: 'array', items: useOfDay, description: 'The last 30 days, newest first.' },
    },
    'Information about the key.',
  ),
};
