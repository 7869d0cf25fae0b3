// Keys by oneself (D56): what people ask for with a body of JSON, and what the owner of a key does with it. No answer
// may be kept by anybody, and no key or token gets into an error.

import { readKeyId } from '../../access/access-keys';
import { readRecentUse } from '../../access/key-usage';
import { readMailAddress } from '../../access/mail-address';
import { TOKEN_SHAPE } from '../../access/self-service-keys';
import type { ParameterError } from '../../query/query-values';
import type { KeyRecord } from '../../store/catalog-types';
import { getClientNetwork, getHeaderKey } from '../pipeline/authorize';
import {
  badParameters,
  KEY_NOT_STORED,
  type Outcome,
  refuse,
  ROTATED_KEY,
  TOKEN_GONE,
  tooManyKeyRequests,
} from '../pipeline/outcome';
import { readPathSegments, type Route } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';

interface BodyMember {
  readonly type: 'string';
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly description: string;
}

/** As JSON Schema has it. */
interface BodySchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, BodyMember>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** What a request for a key may say; `Purpose` is kept nowhere. */
export const KEY_REQUEST: BodySchema = {
  type: 'object',
  properties: {
    Name: { type: 'string', maxLength: 200, pattern: '\\S', description: 'whose key it is: 1 to 200 characters' },
    Email: { type: 'string', maxLength: 254, description: 'a mail address, as name@example.org' },
    Purpose: { type: 'string', maxLength: 1000, description: 'what the key is for: up to 1,000 characters' },
    Proof: { type: 'string', maxLength: 2000, description: 'an answer to a challenge of GET /v1/Keys/Challenge' },
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
      description: 'what is behind #claim= in the link of the mail',
    },
  },
  required: ['Token'],
  additionalProperties: false,
};

/** By the path below /v1/Keys/. Undefined where there are no keys by oneself, and so a 404. */
const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['challenge', { access: 'open', answer: challenge }],
  ['requests', { access: 'open', methods: ['POST'], answer: requestKey }],
  ['claims', { access: 'open', methods: ['POST'], answer: claimKey }],
  ['own', { access: 'key in header', methods: ['GET', 'DELETE'], answer: ownKey }],
  ['own/rotation', { access: 'key in header', methods: ['POST'], answer: rotateKey }],
]);

export function findKeysRoute({ url }: HttpRequest, { selfService }: Service): Route | undefined {
  return selfService && ROUTES.get(readPathSegments(2, url).map(encodeURIComponent).join('/').toLowerCase());
}

async function challenge(_: HttpRequest, service: Service): Promise<Outcome> {
  return json(await selfServiceIn(service).keys.createChallenge());
}

async function requestKey(asked: HttpRequest, service: Service): Promise<Outcome> {
  const { keys, mails } = selfServiceIn(service);
  const { body, errors: found } = await readBody(asked, KEY_REQUEST);
  const email = readMailAddress(body['Email'] ?? '');
  const name = (body['Name'] ?? '').toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  const proof = await keys.readProof(body['Proof'] ?? '');
  const errors = [...found];
  if (email === undefined) addOnce(errors, 'Email', 'must be a mail address, as name@example.org');
  if (!proof.ok) addOnce(errors, 'Proof', proof.problem);
  if (errors.length > 0 || email === undefined || !proof.ok) return refuse(badParameters(errors));
  const network = getClientNetwork(asked, service);
  const outcome = await keys.request({ name: name.trim(), email, proof: proof.value, network });
  service.metrics.keyRequests.inc({ outcome: outcome.kind });
  switch (outcome.kind) {
    case 'proof used':
      return refuse(badParameters([errorOf('Proof', 'was used before: ask for another challenge')]));
    case 'too many':
      return refuse(tooManyKeyRequests(outcome.secondsToWait));
    case 'issued':
      return newKey(outcome.issued, service);
    case 'mail follows':
      // It begins when the answer has left, whose time so says nothing about the mailbox.
      (asked.onClosed ?? setImmediate)(() => void mails?.drain());
      return json({ Detail: 'A mail with a link to the key is on its way, unless the address gets none.' }, 202);
  }
}

async function claimKey(asked: HttpRequest, service: Service): Promise<Outcome> {
  const { body, errors } = await readBody(asked, KEY_CLAIM);
  if (errors.length > 0) return refuse(badParameters(errors));
  const issued = await selfServiceIn(service).keys.claim(body['Token'] ?? '');
  return issued === undefined ? refuse(TOKEN_GONE) : newKey(issued, service);
}

async function ownKey(asked: HttpRequest, service: Service): Promise<Outcome> {
  const { store, access, now } = service;
  const key = await ownRecord(asked, service);
  if (key === undefined) return refuse(KEY_NOT_STORED);
  if (asked.method === 'DELETE') {
    await selfServiceIn(service).keys.end(key);
    return { kind: 'no body', status: 204, headers: NOT_KEPT };
  }
  // What this process has counted is then in the answer.
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
    Limits: limitsOf(key, service),
    UseByDay: useByDay,
  });
}

async function rotateKey(asked: HttpRequest, service: Service): Promise<Outcome> {
  const key = await ownRecord(asked, service);
  if (key === undefined) return refuse(KEY_NOT_STORED);
  const rotated = await selfServiceIn(service).keys.rotate(key);
  if (rotated === undefined) return refuse(ROTATED_KEY);
  return newKey(rotated.issued, service, { FormerKeyExpires: rotated.previousExpiresAt });
}

/** The record of a key that was found to be good. The development key has none. */
function ownRecord({ headers }: HttpRequest, { store }: Service): Promise<KeyRecord | undefined> {
  return store.keys.find(readKeyId(getHeaderKey({ headers })));
}

function newKey(
  { key, record }: { readonly key: string; readonly record: KeyRecord },
  service: Service,
  more: object = {},
): Outcome {
  const limits = limitsOf(record, service);
  return json({ Key: key, Owner: record.owner, Expires: record.expiresAt, Limits: limits, ...more }, 201);
}

function limitsOf(key: KeyRecord, { access }: Service): object {
  const { requestsPerMinute, recordsPerMinute } = access.limits.getQuotas(key);
  return { RequestsPerMinute: requestsPerMinute, RecordsPerMinute: recordsPerMinute };
}

const NOT_KEPT = { 'Cache-Control': 'no-store' };

function json(value: object, status?: 201 | 202): Outcome {
  const body = Buffer.from(JSON.stringify(value));
  return { kind: 'answer', status, body, contentType: 'application/json', headers: NOT_KEPT };
}

function selfServiceIn({ selfService }: Service): NonNullable<Service['selfService']> {
  if (selfService === undefined) throw new Error('a route of keys by oneself was found without them');
  return selfService;
}

/** Bounds a body. */
const MOST_BYTES = 8192;

interface ReadBody {
  /** The members that are texts, whatever else is wrong. */
  readonly body: Readonly<Partial<Record<string, string>>>;
  readonly errors: readonly ParameterError[];
}

/** All that is wrong with a body, at once. */
async function readBody({ readBody: read }: HttpRequest, { properties, required }: BodySchema): Promise<ReadBody> {
  const bytes = read === undefined ? Buffer.alloc(0) : await read();
  if (bytes === undefined || bytes.length > MOST_BYTES) return unreadable('must have at most 8 KiB');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return unreadable('must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unreadable('must be a JSON object');
  const given = new Map<string, unknown>(Object.entries(value));
  const names = Object.keys(properties);
  const unknown = [...given.keys()].filter((name) => !names.includes(name));
  const errors = [
    ...unknown.map((name) => errorOf(name.slice(0, 100), `is not known; members are ${names.join(', ')}`)),
    ...Object.entries(properties).flatMap(([name, member]) => {
      const text = given.get(name);
      if (text === undefined) return required.includes(name) ? errorOf(name, `is missing: ${member.description}`) : [];
      return isTextOf(text, member) ? [] : errorOf(name, `must be ${member.description}`);
    }),
  ];
  const texts = [...given].flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []));
  return { body: Object.fromEntries(texts), errors };
}

function isTextOf(value: unknown, { maxLength = Infinity, pattern = '' }: BodyMember): boolean {
  return typeof value === 'string' && Array.from(value).length <= maxLength && new RegExp(pattern, 'u').test(value);
}

function unreadable(message: string): ReadBody {
  return { body: {}, errors: [errorOf('body', message)] };
}

function addOnce(errors: ParameterError[], parameter: string, message: string): void {
  if (!errors.some((error) => error.parameter === parameter || error.parameter === 'body')) {
    errors.push(errorOf(parameter, message));
  }
}

/** Values are not repeated: they are names, addresses and tokens. */
function errorOf(parameter: string, message: string): ParameterError {
  return { parameter, message, value: '' };
}
