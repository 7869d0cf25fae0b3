// Keys by oneself (D56): what people ask for with a body of JSON, and what the owner of a key does with it. No answer
// may be kept by anybody, and no key or token gets into an error.

import type { ErrorObject, ValidateFunction } from 'ajv';
import { keyIdOf } from '../../access/access-keys';
import { readMailAddress, recentUse, TOKEN } from '../../access/self-service';
import type { ParameterError } from '../../query/query-values';
import type { KeyRecord } from '../../store/catalog-types';
import { headerKey, networkOf } from '../pipeline/authorize';
import { badParameters, NO_OWN_KEY, refused, ROTATED_KEY, TOKEN_GONE, tooManyKeyRequests } from '../pipeline/outcome';
import type { Outcome } from '../pipeline/outcome';
import { segmentsBehind, type Route } from '../pipeline/pipeline';
import type { AskedRequest, Service } from '../pipeline/service';

/** What a request for a key may say; `Purpose` is kept nowhere. */
export const KEY_REQUEST = {
  type: 'object',
  properties: {
    Name: { type: 'string', maxLength: 200, pattern: '\\S', description: 'whose key it is: 1 to 200 characters' },
    Email: { type: 'string', maxLength: 254, description: 'a mail address, as name@example.org' },
    Purpose: { type: 'string', maxLength: 1000, description: 'what the key is for: up to 1,000 characters' },
    Proof: { type: 'string', maxLength: 2000, description: 'an answer to a challenge of GET /v1/Keys/Challenge' },
  },
  required: ['Name', 'Email', 'Proof'],
  additionalProperties: false,
} as const;

export const KEY_CLAIM = {
  type: 'object',
  properties: {
    Token: { type: 'string', pattern: TOKEN.source, description: 'what is behind #claim= in the link of the mail' },
  },
  required: ['Token'],
  additionalProperties: false,
} as const;

type BodySchema = typeof KEY_REQUEST | typeof KEY_CLAIM;

/** By the path below /v1/Keys/. Undefined where there are no keys by oneself, and so a 404. */
const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['challenge', { access: 'open', answer: challenge }],
  ['requests', { access: 'open', methods: ['POST'], answer: requestKey }],
  ['claims', { access: 'open', methods: ['POST'], answer: claimKey }],
  ['own', { access: 'key in header', methods: ['GET', 'DELETE'], answer: ownKey }],
  ['own/rotation', { access: 'key in header', methods: ['POST'], answer: rotateKey }],
]);

export function findKeysRoute({ url }: AskedRequest, { selfService }: Service): Route | undefined {
  return selfService && ROUTES.get(segmentsBehind(2, url).join('/').toLowerCase());
}

async function challenge(_: AskedRequest, service: Service): Promise<Outcome> {
  return json(await selfServiceIn(service).keys.challenge());
}

async function requestKey(asked: AskedRequest, service: Service): Promise<Outcome> {
  const { keys, mails } = selfServiceIn(service);
  const read = await readBody(asked, KEY_REQUEST, service);
  const { body } = read;
  const email = readMailAddress(body['Email'] ?? '');
  const name = (body['Name'] ?? '').toWellFormed().replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');
  const proof = await keys.readProof(body['Proof'] ?? '');
  const errors = [...read.errors];
  if (email === undefined) addOnce(errors, 'Email', 'must be a mail address, as name@example.org');
  if (!proof.ok) addOnce(errors, 'Proof', proof.problem);
  if (errors.length > 0 || email === undefined || !proof.ok) return refused(badParameters(errors));
  const network = networkOf(asked, service);
  const outcome = await keys.request({ name: name.trim(), email, proof: proof.value, network });
  service.metrics.keyAsked(outcome.kind);
  switch (outcome.kind) {
    case 'proof used':
      return refused(badParameters([errorOf('Proof', 'was used before: ask for another challenge')]));
    case 'too many':
      return refused(tooManyKeyRequests(outcome.secondsToWait));
    case 'issued':
      return newKey(outcome.issued, service);
    case 'mail follows':
      // It begins when the answer has left, whose time so says nothing about the mailbox.
      (asked.onClosed ?? setImmediate)(() => void mails?.drain());
      return json({ Detail: 'A mail with a link to the key is on its way, unless the address gets none.' }, 202);
  }
}

async function claimKey(asked: AskedRequest, service: Service): Promise<Outcome> {
  const { body, errors } = await readBody(asked, KEY_CLAIM, service);
  if (errors.length > 0) return refused(badParameters(errors));
  const issued = await selfServiceIn(service).keys.claim(body['Token'] ?? '');
  return issued === undefined ? refused(TOKEN_GONE) : newKey(issued, service);
}

async function ownKey(asked: AskedRequest, service: Service): Promise<Outcome> {
  const { store, access, now } = service;
  const key = await ownRecord(asked, service);
  if (key === undefined) return refused(NO_OWN_KEY);
  if (asked.method === 'DELETE') {
    await selfServiceIn(service).keys.end(key);
    return { kind: 'no content', headers: NOT_KEPT };
  }
  // What this process has counted is then in the answer.
  await access.flush();
  const uses = await recentUse(store, key.id, now());
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

async function rotateKey(asked: AskedRequest, service: Service): Promise<Outcome> {
  const key = await ownRecord(asked, service);
  if (key === undefined) return refused(NO_OWN_KEY);
  const rotated = await selfServiceIn(service).keys.rotate(key);
  if (rotated === undefined) return refused(ROTATED_KEY);
  return newKey(rotated.issued, service, { FormerKeyExpires: rotated.formerUntil });
}

/** The record of a key that was found to be good. The development key has none. */
function ownRecord({ headers }: AskedRequest, { store }: Service): Promise<KeyRecord | undefined> {
  return store.keys.find(keyIdOf(headerKey({ headers })));
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
  const { requestsPerMinute, recordsPerMinute } = access.quotasOf(key);
  return { RequestsPerMinute: requestsPerMinute, RecordsPerMinute: recordsPerMinute };
}

const NOT_KEPT = { 'Cache-Control': 'no-store' };

function json(value: object, status?: 201 | 202): Outcome {
  const body = Buffer.from(JSON.stringify(value));
  const coded = { body, contentType: 'application/json', headers: NOT_KEPT };
  return { kind: 'answer', ...coded, ...(status === undefined ? {} : { status }) };
}

function selfServiceIn({ selfService }: Service): NonNullable<Service['selfService']> {
  if (selfService === undefined) throw new Error('a route of keys by oneself was found without them');
  return selfService;
}

interface ReadBody {
  /** The members that are texts, whatever else is wrong. */
  readonly body: Readonly<Partial<Record<string, string>>>;
  readonly errors: readonly ParameterError[];
}

/** All that is wrong with a body, at once. */
async function readBody(asked: AskedRequest, schema: BodySchema, service: Service): Promise<ReadBody> {
  const bytes = asked.readBody === undefined ? Buffer.alloc(0) : await asked.readBody();
  if (bytes === undefined) return unreadable('must have at most 8 KiB');
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return unreadable('must be JSON');
  }
  const validate = await validatorOf(schema, service);
  validate(value);
  const errors = (validate.errors ?? []).map((error) => bodyError(error, schema));
  const unique = new Map(errors.map((error) => [error.parameter, error]));
  const members: readonly (readonly [string, unknown])[] = Object.entries(value ?? {});
  const texts = members.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text] as const] : []));
  return { body: Object.fromEntries(texts), errors: [...unique.values()] };
}

function unreadable(message: string): ReadBody {
  return { body: {}, errors: [errorOf('body', message)] };
}

/** A schema is compiled once, which takes longer than all else of a request. */
async function validatorOf(schema: BodySchema, { validators }: Service): Promise<ValidateFunction> {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const { Ajv } = await import('ajv');
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  validators.set(schema, validate);
  return validate;
}

function bodyError({ instancePath, keyword, params }: ErrorObject, schema: BodySchema): ParameterError {
  // As Ajv declares these members for the two keywords.
  const { missingProperty: missing, additionalProperty: unknown } = params as Readonly<Record<string, string>>;
  const name = keyword === 'required' ? missing : keyword === 'additionalProperties' ? unknown : instancePath.slice(1);
  const members: Readonly<Partial<Record<string, { readonly description: string }>>> = schema.properties;
  if (name === undefined || name === '') return errorOf('body', 'must be a JSON object');
  const declared = members[name];
  if (declared === undefined) {
    return errorOf(name.slice(0, 100), `is not known; members are ${Object.keys(schema.properties).join(', ')}`);
  }
  return errorOf(
    name,
    keyword === 'required' ? `is missing: ${declared.description}` : `must be ${declared.description}`,
  );
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
