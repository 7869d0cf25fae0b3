// Self-service keys (D56): requests for keys, and what owners can do with their keys. All state is in the store, so the
// limits apply across processes. Networks and mailboxes are counted by digests, not by their names.

import { createHmac, hash } from 'node:crypto';
import type { Challenge, Payload } from 'altcha-lib/v1/types' with { 'resolution-mode': 'import' };
import type { KeyLimits, KeyRecord, KeyRequest } from '../store/catalog-types';
import type { Store } from '../store/port';
import type { DocumentStore } from '../store/service-documents';
import { failure, type Result, success } from '../values/result';
import { type IssuedKey, makeKey } from './access-keys';
import { findSite } from './client-address';
import { changeChain, replaceKey, type Replacement, revokeReplaced } from './key-chains';
import { listParentDomains } from './mail-address';

export interface SelfServiceOptions {
  /** How the owner receives a key: by email, or instantly and with lower limits. */
  readonly kind: 'mail' | 'instant';
  /** Maximum number of requests for keys per day (UTC), from all networks together. */
  readonly keysPerDay: number;
  readonly instantLimits: KeyLimits;
}

export interface ClockAndRandom {
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Requests per hour. */
const MAX_REQUESTS_PER_NETWORK = 5;

/**
 * One site may request the daily number of keys divided by this number. An IPv6 site has 65,536 networks, each with its
 * own hourly limit.
 */
const SITES_PER_DAY = 10;

/** Emails per day. */
const MAX_MAILS_PER_MAILBOX = 3;

/** Rotations per day. Each rotation adds a key record. */
const MAX_ROTATIONS_PER_CHAIN = 20;

const CHALLENGE_MS = 600_000;

/** On average, a client tries half of the numbers, which takes a phone about a second. */
const MAX_CHALLENGE_NUMBER = 50_000;

/** How long the service keeps trying to send an email. */
export const MAIL_TRIES_MS = HOUR_MS;

/** How long the token in an email is valid after the email was sent. */
export const TOKEN_MS = HOUR_MS;

/** How long the previous key stays valid after a rotation. */
const ROTATION_OVERLAP_MS = DAY_MS;

/** The expiry time of documents that never expire. */
export const NEVER = '9999-12-31T00:00:00.000Z';

const REQUEST_ID_BYTES = 12;
const TOKEN_BYTES = 24;

/** The id of a request followed by a secret, both in base64url. */
export const TOKEN_SHAPE = /^([A-Za-z0-9_-]{16})[A-Za-z0-9_-]{32}$/;

/** A verified solution of a challenge. It may have been used before. */
interface Proof {
  readonly challenge: string;
  readonly expiresAt: string;
}

interface KeyRequestInput {
  readonly name: string;
  readonly email: string;
  readonly proof: Proof;
  /** The network of the client, as `findClientNetwork` writes it. */
  readonly network: string;
}

interface TooMany {
  readonly kind: 'too many';
  readonly secondsToWait: number;
}

export type RequestOutcome =
  | { readonly kind: 'mail follows' }
  | { readonly kind: 'issued'; readonly issued: IssuedKey }
  | { readonly kind: 'proof used' }
  | TooMany;

export type RotationOutcome = Replacement | TooMany;

export class SelfServiceKeys {
  private secret: Promise<string> | undefined;

  constructor(
    private readonly store: Pick<Store, 'keys' | 'documents'>,
    private readonly options: SelfServiceOptions,
    private readonly clockAndRandom: ClockAndRandom,
  ) {}

  async createChallenge(): Promise<Challenge> {
    const { createChallenge } = await import('altcha-lib/v1');
    const { random, now } = this.clockAndRandom;
    return createChallenge({
      algorithm: 'SHA-256',
      hmacKey: await this.readSecret(),
      maxnumber: MAX_CHALLENGE_NUMBER,
      salt: random(12).toString('hex'),
      number: random(4).readUInt32BE(0) % MAX_CHALLENGE_NUMBER,
      expires: new Date(now().getTime() + CHALLENGE_MS),
    });
  }

  /** Verifies a proof without using it up: a client may send it again with a corrected request. */
  async readProof(text: string): Promise<Result<Proof>> {
    const { extractParams, verifySolution } = await import('altcha-lib/v1');
    const payload = parsePayload(text);
    if (payload === undefined || !(await verifySolution(payload, await this.readSecret(), false))) {
      return failure('is not a solution to a challenge from this service: get a challenge with GET /v1/Keys/Challenge');
    }
    const expiresAt = new Date(Number(extractParams(payload)['expires']) * 1000);
    if (expiresAt <= this.clockAndRandom.now())
      return failure('arrived more than ten minutes after its challenge: get a new one');
    return success({ challenge: payload.challenge, expiresAt: expiresAt.toISOString() });
  }

  /**
   * Checks the limit of the network, then the proof, then the daily limits of the site and of the service. A request
   * that fails one check does not count against the later limits. Whether an email may be sent is decided only when it
   * is about to be sent, so that the duration of this call reveals nothing about the mailbox.
   */
  async request({ name, email, proof, network }: KeyRequestInput): Promise<RequestOutcome> {
    const { documents, keys } = this.store;
    const now = this.clockAndRandom.now();
    const counterId = `address ${await this.digest(network)}`;
    const wait = await countInWindow(documents, counterId, [MAX_REQUESTS_PER_NETWORK, HOUR_MS], now);
    if (wait > 0) return refuseTooMany(wait);
    if (!(await this.markUsed(proof))) return { kind: 'proof used' };
    if (!(await this.countForDay(network, now))) return refuseTooMany(DAY_MS - (now.getTime() % DAY_MS));
    if (this.options.kind === 'instant') {
      const issued = makeKey(name, now.toISOString(), null, { ...this.options.instantLimits, email });
      await keys.add(issued.record);
      return { kind: 'issued', issued };
    }
    const id = this.clockAndRandom.random(REQUEST_ID_BYTES).toString('base64url');
    const askedAt = now.getTime();
    const content: KeyRequest = { name, email, askedAt, tryAt: askedAt, tries: 0, tokenHash: null };
    const expiresAt = new Date(askedAt + MAIL_TRIES_MS + TOKEN_MS).toISOString();
    await documents.change('request', [id], () => ({ id, expiresAt, content }));
    return { kind: 'mail follows' };
  }

  /** Counts an email to a mailbox. Returns false if the mailbox has reached its limit. */
  async reserveMail(email: string): Promise<boolean> {
    const { documents } = this.store;
    const domain = email.slice(email.lastIndexOf('@') + 1);
    const blocked = new Set((await documents.list('blocked')).map(({ id }) => id));
    if (listParentDomains(domain).some((parent) => blocked.has(parent))) return false;
    // Addresses that differ only in a suffix after a plus sign belong to the same mailbox.
    const mailbox = await this.digest(email.toLowerCase().replace(/^([^+@]*)\+[^@]*@/, '$1@'));
    return (
      (await countInWindow(
        documents,
        `mailbox ${mailbox}`,
        [MAX_MAILS_PER_MAILBOX, DAY_MS],
        this.clockAndRandom.now(),
      )) === 0
    );
  }

  /**
   * Creates the token for the email of a request. The token contains the id of the request. Only the digest of the
   * token is stored.
   */
  newToken(requestId: string): { readonly token: string; readonly tokenHash: string } {
    const token = `${requestId}${this.clockAndRandom.random(TOKEN_BYTES).toString('base64url')}`;
    return { token, tokenHash: hash('sha256', token) };
  }

  /** Exchanges a token for a key. Undefined if the token is wrong, used or more than an hour old. */
  async claim(token: string): Promise<IssuedKey | undefined> {
    const { documents, keys } = this.store;
    const now = this.clockAndRandom.now().toISOString();
    const [, id = ''] = TOKEN_SHAPE.exec(token) ?? [];
    let claimed: KeyRequest | undefined;
    await documents.change('request', [id], (stored) => {
      const isValid = stored?.content.tokenHash === hash('sha256', token) && now < stored.expiresAt;
      claimed = isValid ? stored.content : undefined;
      return isValid ? undefined : stored;
    });
    if (claimed === undefined) return undefined;
    const issued = makeKey(claimed.name, now, null, { email: claimed.email });
    await keys.add(issued.record);
    return issued;
  }

  /**
   * Replaces a key. The previous key stays valid for a day. Only one previous key stays valid, so that rotations cannot
   * multiply keys.
   */
  async rotate({ id, chainId, replaces, replacedBy }: KeyRecord): Promise<RotationOutcome> {
    const { keys, documents } = this.store;
    if (replacedBy !== null) return { kind: 'replaced before', replacedBy };
    const now = this.clockAndRandom.now();
    const wait = await countInWindow(documents, `rotation ${chainId}`, [MAX_ROTATIONS_PER_CHAIN, DAY_MS], now);
    if (wait > 0) return refuseTooMany(wait);
    const replacement = await replaceKey(keys, id, { now, overlapMs: ROTATION_OVERLAP_MS });
    if (replacement.kind === 'replaced' && replaces !== null) await revokeReplaced(keys, replaces, now.toISOString());
    return replacement;
  }

  /** Revokes a key and all other keys of its chain immediately, and deletes the owner's name. */
  async end({ id }: KeyRecord): Promise<void> {
    const { keys, documents } = this.store;
    const now = this.clockAndRandom.now().toISOString();
    await changeChain(keys, [id], (key) => ({ ...key, owner: '', email: '', revokedAt: key.revokedAt ?? now }));
    await documents.wipe();
  }

  private async markUsed({ challenge, expiresAt }: Proof): Promise<boolean> {
    let isNew = false;
    await this.store.documents.change('proof', [challenge], (stored) => {
      isNew = stored === undefined;
      return stored ?? { id: challenge, expiresAt, content: {} };
    });
    return isNew;
  }

  /**
   * Counts a key request from a site on a day (UTC). Returns false if the limit of the site or of all sites together is
   * reached.
   */
  private async countForDay(network: string, now: Date): Promise<boolean> {
    const { documents } = this.store;
    const { keysPerDay } = this.options;
    const day = now.toISOString().slice(0, 10);
    const maxPerSite = Math.max(MAX_REQUESTS_PER_NETWORK, Math.ceil(keysPerDay / SITES_PER_DAY));
    const site = await this.digest(`site ${findSite(network)}`);
    return (
      (await countOnDay(documents, `${day} ${site}`, maxPerSite, now)) &&
      (await countOnDay(documents, day, keysPerDay, now))
    );
  }

  private async digest(text: string): Promise<string> {
    return createHmac('sha256', await this.readSecret())
      .update(text)
      .digest('hex');
  }

  /** Reads the secret only once, unless reading fails. */
  private readSecret(): Promise<string> {
    this.secret ??= this.store.documents
      .change('secret', ['service'], (stored) => {
        const content = { secret: this.clockAndRandom.random(32).toString('base64url') };
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

/** Counts an event on a day. Returns false if the limit is reached. */
async function countOnDay(documents: DocumentStore, id: string, maxEvents: number, now: Date): Promise<boolean> {
  let isCounted = false;
  await documents.change('day', [id], (stored) => {
    const requests = stored?.content.requests ?? 0;
    isCounted = requests < maxEvents;
    if (!isCounted) return stored;
    return { id, expiresAt: addMilliseconds(now, DAY_MS), content: { requests: requests + 1 } };
  });
  return isCounted;
}

/**
 * Counts an event in a sliding window. Returns 0, or the milliseconds to wait if the window is full. Times in the
 * future come from another clock, or from this clock before it was corrected. They count as now, so that they block for
 * one window at most. Times more than one window ahead do not count.
 */
async function countInWindow(
  documents: DocumentStore,
  id: string,
  [maxEvents, windowMs]: readonly [maxEvents: number, windowMs: number],
  now: Date,
): Promise<number> {
  let wait = 0;
  await documents.change('recent', [id], (stored) => {
    const at = now.getTime();
    const storedTimes = stored?.content.times ?? [];
    const times = storedTimes.filter((time) => Math.abs(time - at) < windowMs).map((time) => Math.min(time, at));
    wait = times.length < maxEvents ? 0 : Math.min(...times) + windowMs - at;
    const isStored = times.length === storedTimes.length && times.every((time, index) => time === storedTimes[index]);
    if (wait > 0 && isStored) return stored;
    if (wait === 0) times.push(at);
    return { id, expiresAt: addMilliseconds(now, windowMs), content: { times } };
  });
  return wait;
}

function refuseTooMany(milliseconds: number): TooMany {
  return { kind: 'too many', secondsToWait: Math.ceil(milliseconds / 1000) };
}

function addMilliseconds(now: Date, milliseconds: number): string {
  return new Date(now.getTime() + milliseconds).toISOString();
}

/** Parses the base64 payload of the widget. Undefined for anything else. */
function parsePayload(text: string): Payload | undefined {
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
