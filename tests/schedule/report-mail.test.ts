// The report of a submission that was sent over HTTP is mailed to its contact (D76).

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailReport, type ReportMail } from '../../data-loaders/intake/report-mail';
import { formatOrigin, ORIGIN_FILE, SENT_FOLDER } from '../../data-loaders/intake/submission-origin';
import { type MailServer, startMailServer } from '../fixtures/mail-server';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { createTickWorldMaker } from '../fixtures/tick-world';

const createWorld = createTickWorldMaker();
const ID = '20260102T030405000Z-0a1b2c3d';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.stop());

function put(root: string, metadata: object): void {
  const entry = join(root, 'waiting', ID);
  mkdirSync(entry, { recursive: true });
  writeSubmission(join(entry, SENT_FOLDER), siteAmountsSubmission);
  writeFileSync(join(entry, SENT_FOLDER, 'submission.json'), JSON.stringify(metadata));
  const origin = { organization: 'ORG_1', keyId: 'key', received: '2026-01-02T03:04:05.000Z' };
  writeFileSync(join(entry, ORIGIN_FILE), formatOrigin(origin));
}

const send = (mail: ReportMail): Promise<void> => mailReport(mail, { smtpUrl: server.url, from: 'water@example.org' });

test('a contact with an address gets the report; the subject has only name and outcome', async () => {
  const { root, tick, errors } = createWorld();
  put(root, { contact: 'data@example.org' });
  await tick({ mailReport: send });
  expect(errors).toEqual([]);
  const [mail, ...others] = server.mails.filter(({ to }) => to === 'data@example.org');
  expect(others).toEqual([]);
  expect(mail?.text).toMatch(new RegExp(`^Subject: ${ID}: Published\\r?$`, 'm'));
  expect(mail?.text).toContain('6 records');
});

test('a contact without an address gets no mail, and a failed mail changes nothing', async () => {
  const { root, tick, errors, report } = createWorld();
  const before = server.mails.length;
  put(root, { contact: 'Ask the office' });
  await tick({ mailReport: send });
  expect(server.mails.length).toBe(before);
  expect(report(`accepted/${ID}`)).toMatchObject({ verdict: 'published' });
  const other = createWorld();
  put(other.root, { contact: 'gone@example.org' });
  server.refuseRecipients((address) => address === 'gone@example.org');
  await other.tick({ mailReport: send });
  expect(other.report(`accepted/${ID}`)).toMatchObject({ verdict: 'published' });
  expect(other.errors).toHaveLength(1);
  expect(String(other.errors[0])).not.toContain('gone@example.org');
  expect(errors).toEqual([]);
});

test('the report on a submission in a shared folder is not mailed', async () => {
  const { submit, tick } = createWorld();
  const before = server.mails.length;
  const folder = submit('one');
  writeFileSync(join(folder, 'submission.json'), '{"contact":"data@example.org"}');
  await tick({ mailReport: send });
  expect(server.mails.length).toBe(before);
});
