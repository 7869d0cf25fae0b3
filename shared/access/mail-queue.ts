// The mails with the tokens of keys by oneself (D56). They wait in the store, and whoever takes one first sends it: a
// process right after a request, or a timer. Nothing that a visitor wrote gets into a mail but a name that is harmless.

import type { SendMailOptions } from 'nodemailer';
import type { KeyRequest, SelfServiceRecord } from '../store/catalog-types';
import type { Store } from '../store/port';
import type { DocumentStore } from '../store/service-documents';
import { MAIL_TRIES_MS, SelfServiceKeys, type SelfServiceOptions, type ClockAndRandom, TOKEN_MS } from './self-service';

export interface MailSettings {
  /** Where the server for mail is, with a user and a password where it needs them. */
  readonly smtpUrl: string;
  readonly from: string;
  /** The address of the service in links, without a slash at the end. */
  readonly serviceUrl: string;
  /** Who answers questions; empty for nobody. */
  readonly contact: string;
}

export interface MailCounts {
  readonly sent: number;
  /** Tries that failed, of which all but those given up are tried again. */
  readonly failed: number;
  readonly givenUp: number;
  /** Mails to mailboxes that had enough of them, or in a blocked domain. */
  readonly notWanted: number;
}

/** How a mail that was taken ended. */
export type MailOutcome = keyof MailCounts;

interface MailQueueInput {
  readonly documents: DocumentStore;
  readonly keys: Pick<SelfServiceKeys, 'reserveMail' | 'newToken'>;
  readonly settings: MailSettings;
  readonly now: () => Date;
  readonly logError: (message: string, error: unknown) => void;
  readonly count: (outcome: MailOutcome) => void;
}

type TakenMail = Pick<KeyRequest, 'name' | 'email' | 'tries'>;

/** Shorter than the minute of the timer, and longer than a try takes: another process may only then try, too. */
const RETRY_MS = 50_000;

/** A server for mail that hangs is given up sooner than the next try begins. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Codes of nodemailer by which a server refuses one mail, while it may take the next. */
const OF_ONE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

class MailQueue {
  private draining: Promise<void> = Promise.resolve();

  constructor(private readonly input: MailQueueInput) {}

  /** Sends the mails that are due, one drain after the other in a process. Never rejects. */
  drain(): Promise<void> {
    this.draining = this.draining.then(() =>
      this.sendDue().catch((error: unknown) => {
        this.input.logError('mails could not be read or written', error);
      }),
    );
    return this.draining;
  }

  /** Resolves when the drains under way have ended. */
  idle(): Promise<void> {
    return this.draining;
  }

  private async sendDue(): Promise<void> {
    const { documents, now } = this.input;
    const at = now().getTime();
    const requests = await documents.list('request');
    const isOver = ({ content: { tryAt, askedAt }, expiresAt }: SelfServiceRecord<'request'>): boolean =>
      tryAt === null ? Date.parse(expiresAt) <= at : tryAt <= at && askedAt + MAIL_TRIES_MS <= at;
    for (const { id, content } of requests.filter(isOver)) await this.drop(id, content.tryAt !== null);
    const tryAtOf = ({ content }: SelfServiceRecord<'request'>): number => content.tryAt ?? Infinity;
    const due = requests.filter((request) => !isOver(request) && tryAtOf(request) <= at);
    if (due.length === 0) return;
    const server = await openServer(this.input.settings.smtpUrl);
    try {
      for (const { id } of due.sort((a, b) => tryAtOf(a) - tryAtOf(b))) if (!(await this.sendOne(id, server))) break;
    } finally {
      server.close();
    }
  }

  /** False when no mail can be sent now. */
  private async sendOne(id: string, server: Awaited<ReturnType<typeof openServer>>): Promise<boolean> {
    const { keys, count, logError } = this.input;
    const { token, tokenHash } = keys.newToken(id);
    const mail = await this.take(id, tokenHash);
    if (mail === undefined) return true;
    const { tries, email } = mail;
    if (tries === 1 && !(await keys.reserveMail(email))) {
      await this.drop(id);
      count('notWanted');
      return true;
    }
    try {
      await server.sendMail(messageOf(mail, token, this.input.settings));
    } catch (error) {
      count('failed');
      // Its message may hold the address. Errors of nodemailer have these members.
      const { code = 'no code', responseCode = '' } = error as { code?: string; responseCode?: number };
      const reason = [code, responseCode, 'at try', tries].filter((part) => part !== '');
      logError('a mail could not be sent', reason.join(' '));
      return OF_ONE_MAIL.has(code);
    }
    count('sent');
    await this.input.documents.change('request', [id], (stored) =>
      stored?.content.tokenHash === tokenHash ? { ...stored, content: { ...stored.content, tryAt: null } } : stored,
    );
    return true;
  }

  /** Undefined when another process has taken it. A token is good only in the mail that was sent last. */
  private async take(id: string, tokenHash: string): Promise<TakenMail | undefined> {
    const { documents, now } = this.input;
    const at = now().getTime();
    let taken: TakenMail | undefined;
    await documents.change('request', [id], (stored) => {
      taken = undefined;
      if (stored === undefined || stored.content.tryAt === null || stored.content.tryAt > at) return stored;
      const { name, email, tries } = stored.content;
      taken = { name, email, tries: tries + 1 };
      const content = { ...stored.content, tokenHash, tries: tries + 1, tryAt: at + RETRY_MS };
      return { ...stored, content, expiresAt: new Date(at + TOKEN_MS).toISOString() };
    });
    return taken;
  }

  private async drop(id: string, isGivenUp = false): Promise<void> {
    const { documents, count, logError } = this.input;
    await documents.change('request', [id], () => undefined);
    await documents.wipe();
    if (!isGivenUp) return;
    count('givenUp');
    logError('a mail was given up', 'it could not be sent for an hour');
  }
}

export interface SelfService {
  readonly kind: SelfServiceOptions['kind'];
  readonly keys: SelfServiceKeys;
  /** Undefined where no mail is sent. */
  readonly mails: MailQueue | undefined;
}

/** Keys by oneself over a store, and the queue of their mails; undefined where the settings have none. */
export function createSelfService(
  settings: { readonly selfService: SelfServiceOptions | undefined; readonly mail: MailSettings | undefined },
  store: Pick<Store, 'keys' | 'documents'>,
  parts: ClockAndRandom & Pick<MailQueueInput, 'logError' | 'count'>,
): SelfService | undefined {
  const { selfService: options, mail } = settings;
  if (options === undefined) return undefined;
  const keys = new SelfServiceKeys(store, options, parts);
  const { now, logError, count } = parts;
  const queue = { documents: store.documents, keys, now, logError, count };
  return { kind: options.kind, keys, mails: mail && new MailQueue({ ...queue, settings: mail }) };
}

/** Loaded with the first mail: most starts send none. */
async function openServer(url: string) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, pool: true, maxConnections: 1, ...TIMEOUTS });
}

function messageOf(
  { name, email }: TakenMail,
  token: string,
  { from, serviceUrl, contact }: MailSettings,
): SendMailOptions {
  return {
    from,
    // An object is never read as a list of addresses.
    to: { name: '', address: email },
    subject: 'Your access key for the Water Data Query Service',
    text: textOf(toGreetingName(name), `${serviceUrl}/keys#claim=${token}`, { serviceUrl, contact }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const MOST_OF_NAME = 80;

/** Mail programs make links of these: also with the dots of other scripts, of which browsers make plain ones. */
const LINK = /:\/\/|www[.．。｡]|[^\s][.．。｡][^\s]/iu;

/** The name as a mail may have it; empty when it is left out. */
export function toGreetingName(name: string): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return LINK.test(line.normalize('NFKC')) || LINK.test(line)
    ? ''
    : Array.from(line).slice(0, MOST_OF_NAME).join('').trim();
}

function textOf(
  name: string,
  link: string,
  { serviceUrl, contact }: Pick<MailSettings, 'serviceUrl' | 'contact'>,
): string {
  return `Hello${name === '' ? '' : ` ${name}`},

somebody, probably you, has asked for an access key to the Water Data Query Service at ${serviceUrl}/

Open this page within an hour to get the key. It works once:

${link}

If it was not you, there is nothing to do: without this page no key is made, and your address is deleted.
${contact === '' ? '' : `\nQuestions: ${contact}\n`}`;
}
