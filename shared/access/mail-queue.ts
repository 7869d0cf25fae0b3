// The queue of emails with tokens for self-service keys (D56). Emails wait in the store. The first process to claim an
// email sends it, right after the request or from a timer.

import type { KeyRequest, SelfServiceRecord } from '../store/catalog-types';
import type { DocumentStore } from '../store/service-documents';
import { buildMessage, type MailSettings } from './mail-text';
import { MAIL_TRIES_MS, type SelfServiceKeys, TOKEN_MS } from './self-service-keys';

export interface MailCounts {
  readonly sent: number;
  /** Failed attempts, including those that will be retried. */
  readonly failed: number;
  readonly givenUp: number;
  /** Emails that are not sent because their mailbox got too many or their domain is blocked. */
  readonly notWanted: number;
}

/** What happened to a claimed email. */
export type MailOutcome = keyof MailCounts;

export interface MailQueueInput {
  readonly documents: DocumentStore;
  readonly keys: Pick<SelfServiceKeys, 'reserveMail' | 'newToken'>;
  readonly settings: MailSettings;
  readonly now: () => Date;
  readonly logError: (message: string, error: unknown) => void;
  readonly count: (outcome: MailOutcome) => void;
}

type ClaimedMail = Pick<KeyRequest, 'name' | 'email' | 'tries'>;

/**
 * How long a claim lasts before another process may try. Longer than an attempt takes, and shorter than the minute
 * between runs of the timer.
 */
const RETRY_MS = 50_000;

/** The longest possible time until a request expires, with a margin for clocks that differ. */
const MAX_EXPIRY_MS = 1.5 * (MAIL_TRIES_MS + TOKEN_MS);

/** In milliseconds. An attempt with a server that hangs times out before the next attempt starts. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Error codes of nodemailer for problems with a single email. The server may accept the next one. */
const SINGLE_MAIL_ERRORS = new Set(['EENVELOPE', 'EMESSAGE']);

export class MailQueue {
  private draining: Promise<void> = Promise.resolve();

  constructor(private readonly input: MailQueueInput) {}

  /** Sends the emails that are due. Drains of one process run one after the other. Never rejects. */
  drain(): Promise<void> {
    this.draining = this.draining.then(() =>
      this.sendDue().catch((error: unknown) => {
        this.input.logError('queued emails could not be read or written', error);
      }),
    );
    return this.draining;
  }

  /** Resolves when all drains that have started are finished. */
  idle(): Promise<void> {
    return this.draining;
  }

  private async sendDue(): Promise<void> {
    const { documents, now } = this.input;
    const at = now().getTime();
    const requests = await documents.list('request');
    for (const request of requests) {
      if (isOver(request, at)) await this.drop(request.id, request.content.tryAt !== null);
    }
    const due = requests
      .filter((request) => !isOver(request, at) && getTryTime(request) <= at)
      .sort((a, b) => getTryTime(a) - getTryTime(b));
    if (due.length === 0) return;
    const server = await openServer(this.input.settings.smtpUrl);
    try {
      for (const { id } of due) {
        const canContinue = await this.sendOne(id, server);
        if (!canContinue) break;
      }
    } finally {
      server.close();
    }
  }

  /** Sends one email. Returns false if no email can be sent now. */
  private async sendOne(id: string, server: Awaited<ReturnType<typeof openServer>>): Promise<boolean> {
    const { keys, count, logError } = this.input;
    const { token, tokenHash } = keys.newToken(id);
    const mail = await this.claim(id, tokenHash);
    if (mail === undefined) return true;
    const { tries, email } = mail;
    if (tries === 1 && !(await keys.reserveMail(email))) {
      await this.drop(id);
      count('notWanted');
      return true;
    }
    try {
      await server.sendMail(buildMessage(mail, token, this.input.settings));
    } catch (error) {
      count('failed');
      // The error message may contain the address, so only the codes from nodemailer are logged.
      const { code = 'no code', responseCode = '' } = error as { code?: string; responseCode?: number };
      const reason = [code, responseCode, 'at try', tries].filter((part) => part !== '');
      logError('an email could not be sent', reason.join(' '));
      return SINGLE_MAIL_ERRORS.has(code);
    }
    count('sent');
    await this.input.documents.change('request', [id], (stored) =>
      stored?.content.tokenHash === tokenHash ? { ...stored, content: { ...stored.content, tryAt: null } } : stored,
    );
    return true;
  }

  /**
   * Claims an email, with a new token that replaces the token of an earlier attempt. Undefined if another process has
   * already claimed the email.
   */
  private async claim(id: string, tokenHash: string): Promise<ClaimedMail | undefined> {
    const { documents, now } = this.input;
    const at = now().getTime();
    let claimed: ClaimedMail | undefined;
    await documents.change('request', [id], (stored) => {
      claimed = undefined;
      if (stored === undefined || stored.content.tryAt === null || stored.content.tryAt > at) return stored;
      const { name, email, tries } = stored.content;
      claimed = { name, email, tries: tries + 1 };
      const content = { ...stored.content, tokenHash, tries: tries + 1, tryAt: at + RETRY_MS };
      return { ...stored, content, expiresAt: new Date(at + TOKEN_MS).toISOString() };
    });
    return claimed;
  }

  private async drop(id: string, isGivenUp = false): Promise<void> {
    const { documents, count, logError } = this.input;
    await documents.change('request', [id], () => undefined);
    await documents.wipe();
    if (!isGivenUp) return;
    count('givenUp');
    logError('gave up on sending an email', 'it could not be sent within an hour');
  }
}

/**
 * Whether the request is over: its email was sent and the token has expired, or sending has failed for too long. An
 * expiry too far in the future also counts. It was written while the clock was ahead, and would otherwise keep the name
 * and address for that long.
 */
function isOver({ content: { tryAt, askedAt }, expiresAt }: SelfServiceRecord<'request'>, now: number): boolean {
  if (Date.parse(expiresAt) - now > MAX_EXPIRY_MS) return true;
  if (tryAt === null) return Date.parse(expiresAt) <= now;
  return tryAt <= now && askedAt + MAIL_TRIES_MS <= now;
}

/** In milliseconds; infinite if the email was sent. */
function getTryTime({ content }: SelfServiceRecord<'request'>): number {
  return content.tryAt ?? Infinity;
}

/** Loads nodemailer with the first email, because most processes send none. */
async function openServer(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, pool: true, maxConnections: 1, ...TIMEOUTS });
}
