// Keys by oneself (D56): challenges, requests within bounds, tokens, and what the owner of a key does with it. All of
// it lies in the store, so that the bounds hold over all processes. Addresses and mailboxes are counted by digests.

import { createHmac, hash } from 'node:crypto';
import type { Challenge, Payload } from 'altcha-lib/v1/types' with { 'resolution-mode': 'import' };
import {
  type KeyLimits,
  type KeyRecord,
  type KeyRequest,
  type KeyUse,
  SELF_SERVICE_KINDS,
} from '../store/catalog-types';
import type { Store } from '../store/port';
import type { DocumentStore } from '../store/service-documents';
import { failure, type Result, success } from '../values/result';
import { type IssuedKey, isUsable, makeKey, revokeKey, removePerson } from './access-keys';

export interface SelfServiceOptions {
  /** How a key is handed out: by a mail to its owner, or at once and with smaller limits. */
  readonly kind: 'mail' | 'instant';
  /** How many requests are taken on a day (UTC), from all addresses together. */
  readonly keysPerDay: number;
  readonly instantLimits: KeyLimits;
}

export interface ClockAndRandom {
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const REQUESTS_OF_ADDRESS = 5;
const MAILS_OF_MAILBOX = 3;

const CHALLENGE_MS = 600_000;

/** Half of it is tried on average, which takes a phone about a second. */
const LARGEST_NUMBER = 50_000;

/** How long a mail is tried to be sent, and how long the token in it is good after that. */
export const MAIL_TRIES_MS = HOUR_MS;
export const TOKEN_MS = HOUR_MS;

/** A former key lives on for so long after a rotation. */
const OVERLAP_MS = DAY_MS;

/** The use of a key is shown for so many days. */
const DAYS_SHOWN = 30;

const NEVER = '9999-12-31T00:00:00.000Z';

const REQUEST_ID_BYTES = 12;
const TOKEN_BYTES = 24;

/** The id of a request and a secret, both in base64. */
export const TOKEN_SHAPE = /^([A-Za-z0-9_-]{16})[A-Za-z0-9_-]{32}$/;

/** An answer to a challenge that was checked, but may have been used before. */
interface Proof {
  readonly challenge: string;
  readonly expiresAt: string;
}

interface KeyRequestInput {
  readonly name: string;
  readonly email: string;
  readonly proof: Proof;
  /** The address that asks. */
  readonly network: string;
}

export type RequestOutcome =
  | { readonly kind: 'mail follows' }
  | { readonly kind: 'issued'; readonly issued: IssuedKey }
  | { readonly kind: 'proof used' }
  | { readonly kind: 'too many'; readonly secondsToWait: number };

export class SelfServiceKeys {
  private secret: Promise<string> | undefined;

  constructor(
    private readonly store: Pick<Store, 'keys' | 'documents'>,
    private readonly options: SelfServiceOptions,
    private readonly chance: ClockAndRandom,
  ) {}

  async challenge(): Promise<Challenge> {
    const { createChallenge } = await import('altcha-lib/v1');
    const { random, now } = this.chance;
    return createChallenge({
      algorithm: 'SHA-256',
      hmacKey: await this.secretText(),
      maxnumber: LARGEST_NUMBER,
      salt: random(12).toString('hex'),
      number: random(4).readUInt32BE(0) % LARGEST_NUMBER,
      expires: new Date(now().getTime() + CHALLENGE_MS),
    });
  }

  /** The answer may be used as long as nothing else is wrong with a request, so it is not used up here. */
  async readProof(text: string): Promise<Result<Proof>> {
    const { extractParams, verifySolution } = await import('altcha-lib/v1');
    const payload = payloadOf(text);
    if (payload === undefined || !(await verifySolution(payload, await this.secretText(), false))) {
      return failure('is no answer to a challenge of this service: GET /v1/Keys/Challenge gives one');
    }
    const expiresAt = new Date(Number(extractParams(payload)['expires']) * 1000);
    if (expiresAt <= this.chance.now())
      return failure('came more than ten minutes after its challenge: ask for another');
    return success({ challenge: payload.challenge, expiresAt: expiresAt.toISOString() });
  }

  /**
   * Whoever has used an address up neither uses a proof up nor takes from the day, and a proof that was used before
   * takes nothing from the day. What becomes of a mail is decided when it is sent: this takes the same time for all.
   */
  async request({ name, email, proof, network }: KeyRequestInput): Promise<RequestOutcome> {
    const { documents, keys } = this.store;
    const now = this.chance.now();
    const address = `address ${await this.digest(network)}`;
    const wait = await takeRecent(documents, address, [REQUESTS_OF_ADDRESS, HOUR_MS], now);
    if (wait > 0) return tooMany(wait);
    if (!(await this.useUp(proof))) return { kind: 'proof used' };
    if (!(await this.takeOfDay(now))) return tooMany(DAY_MS - (now.getTime() % DAY_MS));
    if (this.options.kind === 'instant') {
      const issued = makeKey(name, now.toISOString(), null, { ...this.options.instantLimits, email });
      await keys.add(issued.record);
      return { kind: 'issued', issued };
    }
    const id = this.chance.random(REQUEST_ID_BYTES).toString('base64url');
    const askedAt = now.getTime();
    const content: KeyRequest = { name, email, askedAt, tryAt: askedAt, tries: 0, tokenHash: null };
    const expiresAt = new Date(askedAt + MAIL_TRIES_MS + TOKEN_MS).toISOString();
    await documents.change('request', [id], () => ({ id, expiresAt, content }));
    return { kind: 'mail follows' };
  }

  /** Whether one more mail may go to a mailbox. */
  async reserveMail(email: string): Promise<boolean> {
    const { documents } = this.store;
    const domain = email.slice(email.lastIndexOf('@') + 1);
    const blocked = new Set((await documents.list('blocked')).map(({ id }) => id));
    if (domainsAbove(domain).some((each) => blocked.has(each))) return false;
    // A part behind a plus leads to the same mailbox.
    const mailbox = await this.digest(email.toLowerCase().replace(/^([^+@]*)\+[^@]*@/, '$1@'));
    return (await takeRecent(documents, `mailbox ${mailbox}`, [MAILS_OF_MAILBOX, DAY_MS], this.chance.now())) === 0;
  }

  /** A token for the mail of a request, whose id is in it; only its digest is stored. */
  newToken(requestId: string): { readonly token: string; readonly tokenHash: string } {
    const token = `${requestId}${this.chance.random(TOKEN_BYTES).toString('base64url')}`;
    return { token, tokenHash: hash('sha256', token) };
  }

  /** Undefined for a token that is wrong, was used before or is more than an hour old. */
  async claim(token: string): Promise<IssuedKey | undefined> {
    const { documents, keys } = this.store;
    const now = this.chance.now().toISOString();
    const [, id = ''] = TOKEN_SHAPE.exec(token) ?? [];
    let claimed: KeyRequest | undefined;
    await documents.change('request', [id], (stored) => {
      const isGood = stored?.content.tokenHash === hash('sha256', token) && now < stored.expiresAt;
      claimed = isGood ? stored.content : undefined;
      return isGood ? undefined : stored;
    });
    if (claimed === undefined) return undefined;
    const issued = makeKey(claimed.name, now, null, { email: claimed.email });
    await keys.add(issued.record);
    return issued;
  }

  /** Makes a key take the place of another, which lives on for a day. Undefined for one that was rotated before. */
  async rotate(
    old: KeyRecord,
  ): Promise<{ readonly issued: IssuedKey; readonly previousExpiresAt: string } | undefined> {
    const { keys } = this.store;
    const now = this.chance.now();
    const issued = makeKey(old.owner, now.toISOString(), old.expiresAt, { ...old, replaces: old.id });
    await keys.add(issued.record);
    const end = new Date(now.getTime() + OVERLAP_MS).toISOString();
    const previousExpiresAt = old.expiresAt !== null && old.expiresAt < end ? old.expiresAt : end;
    const replacedBy = issued.record.id;
    await keys.change(old.id, (key) =>
      key.replacedBy === null ? { ...key, replacedBy, expiresAt: previousExpiresAt } : key,
    );
    const isFirst = (await keys.find(old.id))?.replacedBy === replacedBy;
    // Two rotations met, and the other one was first.
    if (!isFirst) await revokeKey(keys, issued.record.id, now.toISOString());
    // One key at most lives on beside the last: rotations make no more keys out of one.
    else if (old.replaces !== null) await revokeKey(keys, old.replaces, now.toISOString());
    return isFirst ? { issued, previousExpiresAt: previousExpiresAt } : undefined;
  }

  /** Ends a key and the one that it replaced, at once and without the name of its owner. */
  async end({ id, replaces }: KeyRecord): Promise<void> {
    const { keys, documents } = this.store;
    const now = this.chance.now().toISOString();
    for (const each of [id, ...(replaces === null ? [] : [replaces])]) {
      await keys.change(each, (key) => ({ ...key, owner: '', email: '', revokedAt: key.revokedAt ?? now }));
    }
    await documents.wipe();
  }

  private async useUp({ challenge, expiresAt }: Proof): Promise<boolean> {
    let isNew = false;
    await this.store.documents.change('proof', [challenge], (stored) => {
      isNew = stored === undefined;
      return stored ?? { id: challenge, expiresAt, content: {} };
    });
    return isNew;
  }

  private async takeOfDay(now: Date): Promise<boolean> {
    const id = now.toISOString().slice(0, 10);
    let isTaken = false;
    await this.store.documents.change('day', [id], (stored) => {
      const requests = stored?.content.requests ?? 0;
      isTaken = requests < this.options.keysPerDay;
      if (!isTaken) return stored;
      return { id, expiresAt: after(now, DAY_MS), content: { requests: requests + 1 } };
    });
    return isTaken;
  }

  private async digest(text: string): Promise<string> {
    return createHmac('sha256', await this.secretText())
      .update(text)
      .digest('hex');
  }

  /** Asked for again when it could not be had. */
  private secretText(): Promise<string> {
    this.secret ??= this.store.documents
      .change('secret', ['service'], (stored) => {
        const content = { secret: this.chance.random(32).toString('base64url') };
        return stored ?? { id: 'service', expiresAt: NEVER, content };
      })
      .then(([stored]) => stored?.content.secret ?? '')
      .catch((error: unknown) => {
        this.secret = undefined;
        throw error;
      });
    return this.secret;
  }
}

/** The use of a key, by day, the last one first. */
export async function readRecentUse(
  { usage }: Pick<Store, 'usage'>,
  id: string,
  now: Date,
): Promise<readonly KeyUse[]> {
  const days = Array.from({ length: DAYS_SHOWN }, (_, ago) => after(now, -ago * DAY_MS).slice(0, 10));
  return usage.listForKey(id, days);
}

/** Deletes what has expired, and the names of owners whose keys no longer live. */
export async function deleteExpired({ keys, documents }: Pick<Store, 'keys' | 'documents'>, now: Date): Promise<void> {
  for (const key of await keys.list()) {
    const isNamed = key.email !== null && `${key.email}${key.owner}` !== '';
    if (isNamed && !isUsable(key, now)) await keys.change(key.id, removePerson);
  }
  const at = now.toISOString();
  for (const kind of SELF_SERVICE_KINDS) {
    const expired = (await documents.list(kind)).filter(({ expiresAt }) => expiresAt <= at);
    const ids = expired.map(({ id }) => id);
    // It may have been renewed since it was read.
    await documents.change(kind, ids, (stored) => (stored && stored.expiresAt > at ? stored : undefined));
  }
  await documents.wipe();
}

/** No mail goes to a blocked domain and those below it. */
export function blockDomain(documents: DocumentStore, domain: string): Promise<unknown> {
  const id = domain.toLowerCase();
  return documents.change('blocked', [id], () => ({ id, expiresAt: NEVER, content: {} }));
}

/** Counts one more in a window that moves, and says how many milliseconds it must wait where there are enough. */
async function takeRecent(
  documents: DocumentStore,
  id: string,
  [most, windowMs]: readonly [most: number, windowMs: number],
  now: Date,
): Promise<number> {
  let wait = 0;
  await documents.change('recent', [id], (stored) => {
    const times = (stored?.content.times ?? []).filter((time) => time > now.getTime() - windowMs);
    const [first = 0] = times;
    wait = times.length < most ? 0 : first + windowMs - now.getTime();
    if (wait > 0) return stored;
    return { id, expiresAt: after(now, windowMs), content: { times: [...times, now.getTime()] } };
  });
  return wait;
}

function tooMany(milliseconds: number): RequestOutcome {
  return { kind: 'too many', secondsToWait: Math.ceil(milliseconds / 1000) };
}

function after(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}

const MAIL_ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

/** The longest address (RFC 5321). */
const LONGEST_ADDRESS = 254;

/** Undefined for a text that is none, or none that every mail server takes. */
export function readMailAddress(text: string): string | undefined {
  const address = text.trim();
  return address.length <= LONGEST_ADDRESS && MAIL_ADDRESS.test(address) ? address : undefined;
}

/** A domain and those that it lies in: `a.b.org`, `b.org`, `org`. */
function domainsAbove(domain: string): readonly string[] {
  const labels = domain.toLowerCase().split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** The base64 payload of the widget; undefined for anything else. */
function payloadOf(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString());
    return isPayload(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPayload(value: unknown): value is Payload {
  if (typeof value !== 'object' || value === null) return false;
  const { algorithm, challenge, number, salt, signature } = value as Readonly<Record<string, unknown>>;
  const areTexts = [challenge, salt, signature].every((member) => typeof member === 'string');
  return algorithm === 'SHA-256' && areTexts && Number.isSafeInteger(number);
}
