// Mails the report of a submission that was sent over HTTP to its contact (D76). The subject contains only the
// submission's name and outcome, because it may appear on lock screens.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readMailAddress } from '../../shared/access/mail-address';
import type { MailSettings } from '../../shared/access/mail-text';

export interface ReportMail {
  /** The submission's contact (submission.json), which may not be an email address. */
  readonly contact: string | null | undefined;
  /** The name of the submission. */
  readonly name: string;
  readonly status: string;
  /** The local folder with the files of the report. */
  readonly reportFolder: string;
}

/** In milliseconds. A mail server that does not respond must not delay the next submission. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Does nothing if the contact is not an email address. Rejects if the mail cannot be sent. */
export async function mailReport(
  { contact, name, status, reportFolder }: ReportMail,
  { smtpUrl, from }: Pick<MailSettings, 'smtpUrl' | 'from'>,
): Promise<void> {
  const to = readMailAddress(contact ?? '');
  if (to === undefined) return;
  const { createTransport } = await import('nodemailer');
  const server = createTransport({ url: smtpUrl, ...TIMEOUTS });
  try {
    await server.sendMail({
      from,
      to,
      subject: `${name}: ${status}`,
      text: readFileSync(join(reportFolder, 'report.md'), 'utf8'),
      attachments: [{ filename: 'report.html', content: readFileSync(join(reportFolder, 'report.html')) }],
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    server.close();
  }
}
