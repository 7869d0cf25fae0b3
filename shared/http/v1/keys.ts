// Self-service keys (D56): people request a key with a JSON body, and the owner of a key can show, replace or delete
// it. No answer may be cached, and no error may contain a key or a token.

import { readKeyId } from '../../access/access-keys';
import { readRecentUse } from '../../access/key-usage';
import { readMailAddress } from '../../access/mail-address';
import { readOwnerName } from '../../access/owner-name';
import { TOKEN_SHAPE } from '../../access/self-service-keys';
import type { ParameterError } from '../../query/query-values';
import type { KeyRecord } from '../../store/catalog-types';
import { buildKeyProblem, describeKeySource, getClientNetwork, getHeaderKey } from '../pipeline/authorize';
import {
  badParameters,
  KEY_NOT_STORED,
  type Outcome,
  refuse,
  ROTATED_KEY,
  TOKEN_GONE,
  tooManyKeyRequests,
  tooManyRotations,
} from '../pipeline/outcome';
import { readPathSegments } from '../pipeline/pipeline';
import type { Route } from '../pipeline/route';
import type { HttpRequest, Service } from '../pipeline/service';

interface BodyMember {
  /** Optional members also accept null, because programs send null for values that are not set. */
  readonly type: 'string' | readonly ['string', 'null'];
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description: string;
}

/** The JSON Schema of a body. */
interface BodySchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, BodyMember>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** The members of a key request. `Purpose` is not stored. */
export const KEY_REQUEST: BodySchema = {
  type: 'object',
  properties: {
    Name: {
      type: 'string',
      maxLength: 200,
      pattern: '\\S',
      description: 'the name of the owner: 1 to 200 characters, not all of them invisible',
    },
    Email: { type: 'string', maxLength: 254, description: 'an email address, such as name@example.org' },
    Purpose: {
      type: ['string', 'null'],
      maxLength: 1000,
      description: 'what the key will be used for: up to 1,000 characters',
    },
    Proof: { type: 'string', maxLength: 2000, description: 'a solution to a challenge from GET /v1/Keys/Challenge' },
  },
  required: ['Name', 'Email', 'Proof'],
  additionalProperties: false,
};

export const KEY_CLAIM: BodySchema = {
  type: 'object',
  properties: {
    Token: {
      type: 'string',
      pattern: TOKEN_SHAPE.source,
      description: 'the text after #claim= in the link in the email',
    },
  },
  required: ['Token'],
  additionalProperties: false,
};

/** Keyed by path, relative to /v1/Keys/. If self-service keys are off, no route is found, so the answer is a 404. */
const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['challenge', { access: 'open', answer: challenge }],
  ['requests', { access: 'open', methods: ['POST'], answer: requestKey }],
  ['claims', { access: 'open', methods: ['POST'], answer: claimKey }],
  ['own', { access: 'key in header', methods: ['GET', 'DELETE'], answer: describeOwnKey }],
  ['own/rotation', { access: 'key in header', methods: ['POST'], answer: rotateKey }],
]);

export function findKeysRoute({ url }: HttpRequest, { selfService }: Service): Route | undefined {
  return selfService && ROUTES.get(readPathSegments(2, url).map(encodeURIComponent).join('/').toLowerCase());
}

async function challenge(_: HttpRequest, service: Service): Promise<Outcome> {
  return json(await getSelfService(service).keys.createChallenge());
}

async function requestKey(request: HttpRequest, service: Service): Promise<Outcome> {
  const { keys, mails } = getSelfService(service);
  const { body, errors: found } = await readBody(request, KEY_REQUEST);
  const email = readMailAddress(body['Email'] ?? '');
  const name = readOwnerName(body['Name'] ?? '');
  const proof = await keys.readProof(body['Proof'] ?? '');
  const errors = [...found];
  if (name === undefined) addErrorOnce(errors, 'Name', `must be ${KEY_REQUEST.properties['Name']?.description}`);
  if (email === undefined) addErrorOnce(errors, 'Email', 'must be an email address, such as name@example.org');
  if (!proof.ok) addErrorOnce(errors, 'Proof', proof.problem);
  if (errors.length > 0 || name === undefined || email === undefined || !proof.ok) return refuse(badParameters(errors));
  const network = getClientNetwork(request, service);
  const outcome = await keys.request({ name, email, proof: proof.value, network });
  service.metrics.keyRequests.inc({ outcome: outcome.kind });
  switch (outcome.kind) {
    case 'proof used':
      return refuse(badParameters([createError('Proof', 'was already used: get a new challenge')]));
    case 'too many':
      return refuse(tooManyKeyRequests(outcome.secondsToWait));
    case 'issued':
      return answerWithKey(outcome.issued, service);
    case 'mail follows':
      // Starts after the answer has been sent, so that the timing of the answer reveals nothing about the mailbox.
      (request.onClosed ?? setImmediate)(() => void mails?.drain());
      return json({ Detail: 'If this address can receive mail, an email with a link to the key is on its way.' }, 202);
  }
}

async function claimKey(request: HttpRequest, service: Service): Promise<Outcome> {
  const { body, errors } = await readBody(request, KEY_CLAIM);
  if (errors.length > 0) return refuse(badParameters(errors));
  const issued = await getSelfService(service).keys.claim(body['Token'] ?? '');
  return issued === undefined ? refuse(TOKEN_GONE) : answerWithKey(issued, service);
}

async function describeOwnKey(request: HttpRequest, service: Service): Promise<Outcome> {
  const { store, access, now } = service;
  const key = await findOwnRecord(request, service);
  if (key === undefined) return refuse(KEY_NOT_STORED);
  if (request.method === 'DELETE') {
    await getSelfService(service).keys.end(key);
    return { kind: 'no body', status: 204, headers: NO_STORE };
  }
  // Makes the answer include the counts of this process.
  await access.usage.flush();
  const uses = await readRecentUse(store, key.id, now());
  const useByDay = uses.map(({ day, requests, records, refused: beyond }) => {
    return { Day: day, Requests: requests, Records: records, Refused: beyond };
  });
  const { owner, issuedAt, expiresAt } = key;
  return json({
    Owner: owner,
    Issued: issuedAt,
    Expires: expiresAt,
    Limits: describeLimits(key, service),
    UseByDay: useByDay,
  });
}

async function rotateKey(request: HttpRequest, service: Service): Promise<Outcome> {
  const key = await findOwnRecord(request, service);
  if (key === undefined) return refuse(KEY_NOT_STORED);
  const outcome = await getSelfService(service).keys.rotate(key);
  switch (outcome.kind) {
    case 'replaced':
      return answerWithKey(outcome.issued, service, { FormerKeyExpires: outcome.previousExpiresAt });
    case 'replaced before':
      return refuse(ROTATED_KEY);
    case 'ended':
      return refuse(buildKeyProblem('revoked', describeKeySource(service)));
    case 'too many':
      return refuse(tooManyRotations(outcome.secondsToWait));
  }
}

/** Finds the record of a key that was already accepted. The development key has no record. */
function findOwnRecord({ headers }: HttpRequest, { store }: Service): Promise<KeyRecord | undefined> {
  return store.keys.find(readKeyId(getHeaderKey({ headers })));
}

function answerWithKey(
  { key, record }: { readonly key: string; readonly record: KeyRecord },
  service: Service,
  more: object = {},
): Outcome {
  const limits = describeLimits(record, service);
  return json({ Key: key, Owner: record.owner, Expires: record.expiresAt, Limits: limits, ...more }, 201);
}

function describeLimits(key: KeyRecord, { access }: Service): object {
  const { requestsPerMinute, recordsPerMinute } = access.limits.getQuotas(key);
  return { RequestsPerMinute: requestsPerMinute, RecordsPerMinute: recordsPerMinute };
}

const NO_STORE = { 'Cache-Control': 'no-store' };

function json(value: object, status?: 201 | 202): Outcome {
  const body = Buffer.from(JSON.stringify(value));
  return { kind: 'answer', status, body, contentType: 'application/json', headers: NO_STORE };
}

function getSelfService({ selfService }: Service): NonNullable<Service['selfService']> {
  if (selfService === undefined)
    throw new Error('a self-service key route was matched, but self-service keys are turned off');
  return selfService;
}

/** The maximum length of a body in bytes. */
const MAX_BODY_BYTES = 8192;

interface ReadBody {
  /** Contains the string members, even if other members are invalid. */
  readonly body: Readonly<Partial<Record<string, string>>>;
  readonly errors: readonly ParameterError[];
}

/** Reads a body and collects all of its errors. */
async function readBody({ readBody: read }: HttpRequest, { properties, required }: BodySchema): Promise<ReadBody> {
  const bytes = read === undefined ? Buffer.alloc(0) : await read(MAX_BODY_BYTES);
  if (bytes === undefined) return refuseBody('must have at most 8 KiB');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return refuseBody('must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuseBody('must be a JSON object');
  const sentMembers = new Map<string, unknown>(Object.entries(value));
  const names = Object.keys(properties);
  const unknown = [...sentMembers.keys()].filter((name) => !names.includes(name));
  const errors = [
    ...unknown.map((name) => createError(name.slice(0, 100), `is not a member; the members are ${names.join(', ')}`)),
    ...Object.entries(properties).flatMap(([name, member]) => {
      // Generated clients send null for members that are not set.
      const text = sentMembers.get(name) ?? undefined;
      if (text === undefined)
        return required.includes(name) ? createError(name, `is missing: ${member.description}`) : [];
      return isValidMember(text, member) ? [] : createError(name, `must be ${member.description}`);
    }),
  ];
  const texts = [...sentMembers].flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []));
  return { body: Object.fromEntries(texts), errors };
}

function isValidMember(value: unknown, { maxLength = Infinity, pattern = '' }: BodyMember): boolean {
  return typeof value === 'string' && Array.from(value).length <= maxLength && new RegExp(pattern, 'u').test(value);
}

function refuseBody(message: string): ReadBody {
  return { body: {}, errors: [createError('body', message)] };
}

function addErrorOnce(errors: ParameterError[], parameter: string, message: string): void {
  if (!errors.some((error) => error.parameter === parameter || error.parameter === 'body')) {
    errors.push(createError(parameter, message));
  }
}

/** Errors do not repeat values, because these are names, email addresses and tokens. */
function createError(parameter: string, message: string): ParameterError {
  return { parameter, message, value: '' };
}
