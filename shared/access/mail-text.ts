// The email with the token of a self-service key (D56). The only visitor input in it is the name, in a harmless form.

import type { SendMailOptions } from 'nodemailer';
import type { KeyRequest } from '../store/catalog-types';
import { normalizeText } from '../values/fold-text';

export interface MailSettings {
  /** Address of the mail server, with user name and password if it needs them. */
  readonly smtpUrl: string;
  readonly from: string;
  /** Address of the service for links, without a trailing slash. */
  readonly serviceUrl: string;
  /** Contact for questions; empty if there is no contact. */
  readonly contact: string;
}

export function buildMessage(
  { name, email }: Pick<KeyRequest, 'name' | 'email'>,
  token: string,
  { from, serviceUrl, contact }: MailSettings,
): SendMailOptions {
  return {
    from,
    // As an object, the address is not parsed by nodemailer as a list of addresses.
    to: { name: '', address: email },
    subject: 'Your access key for the Water Data Query Service',
    text: writeText(toGreetingName(name), `${serviceUrl}/keys#claim=${token}`, { serviceUrl, contact }),
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const MAX_NAME_LENGTH = 80;

/**
 * Matches what mail programs turn into links. This includes the dots of other scripts, which browsers treat as ordinary
 * dots.
 */
const LINK = /:\/\/|www[.．。｡]|[^\s][.．。｡][^\s]/iu;

/** Makes a name safe for an email. Returns an empty string if a mail program could turn the name into a link. */
export function toGreetingName(name: string): string {
  const line = name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim();
  if (LINK.test(normalizeText(line, 'NFKC')) || LINK.test(line)) return '';
  return Array.from(line).slice(0, MAX_NAME_LENGTH).join('').trim();
}

function writeText(
  name: string,
  link: string,
  { serviceUrl, contact }: Pick<MailSettings, 'serviceUrl' | 'contact'>,
): string {
  return `Hello${name === '' ? '' : ` ${name}`},

someone, probably you, requested an access key for the Water Data Query Service at ${serviceUrl}/

Open this link within an hour to get the key. It works once:

${link}

If it was not you, ignore this email: no key is created, and your address is deleted.
${contact === '' ? '' : `\nQuestions: ${contact}\n`}`;
}
