// The status of submissions that were sent over HTTP (D76): one small file for each, in the inbox itself, so that both
// the loader and the processes that answer requests can write it. The files of an organization are in one folder.

import type { SubmissionRecord } from '../../shared/http/pipeline/submission-ports';
import { digestContent } from '../../shared/values/digest';
import type { Report } from '../format/report';
import { type InboxStorage, type SettledAs } from './inbox-storage';
import type { SubmissionOrigin } from './submission-origin';

const RECORDS = '.submissions';

/** The name starts with a dot, so the folder is neither processed as a submission nor reported as unread. */
const getFolder = (organization: string): string => `${RECORDS}/${digestContent(organization)}`;
const getPath = (organization: string, id: string): string => `${getFolder(organization)}/${id}.json`;

export async function readRecord(
  storage: InboxStorage,
  organization: string,
  id: string,
): Promise<SubmissionRecord | undefined> {
  const text = await storage.readText(getPath(organization, id));
  return text === undefined ? undefined : (JSON.parse(text) as SubmissionRecord); // The record that writeRecord wrote.
}

export async function writeRecord(storage: InboxStorage, record: SubmissionRecord): Promise<void> {
  const { organization, id } = record;
  await storage.makeFolder(getFolder(organization));
  await storage.writeText(getPath(organization, id), JSON.stringify(record));
}

export async function removeRecord(storage: InboxStorage, { organization, id }: SubmissionRecord): Promise<void> {
  await storage.remove(getPath(organization, id));
}

/** The ids of an organization's submissions, newest first. */
export async function listRecordIds(storage: InboxStorage, organization: string): Promise<readonly string[]> {
  return listIds(storage, getFolder(organization));
}

/** The records of all organizations. */
export async function* listAllRecords(storage: InboxStorage): AsyncIterable<SubmissionRecord> {
  for (const folder of await storage.listNames(RECORDS)) {
    for (const id of await listIds(storage, `${RECORDS}/${folder}`)) {
      const text = await storage.readText(`${RECORDS}/${folder}/${id}.json`);
      if (text !== undefined) yield JSON.parse(text) as SubmissionRecord; // The record that writeRecord wrote.
    }
  }
}

async function listIds(storage: InboxStorage, folder: string): Promise<readonly string[]> {
  const names = await storage.listNames(folder);
  const ids = names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  return ids.sort().reverse();
}

/** The record of a submission that is waiting or being loaded. */
export function createRecord(
  id: string,
  { organization, received }: SubmissionOrigin,
  status: 'Waiting' | 'Working',
): SubmissionRecord {
  return { id, organization, received, status, finished: null, outcome: null, confirmationCode: null };
}

/** The record of a settled submission. */
export function createSettledRecord(
  id: string,
  { organization, received }: Pick<SubmissionOrigin, 'organization' | 'received'>,
  { sentence, confirmationCode }: Pick<Report, 'sentence' | 'confirmationCode'>,
  { settledAs, finished }: { readonly settledAs: SettledAs; readonly finished: string },
): SubmissionRecord {
  const status = getStatus(settledAs);
  const code = status === 'Held' ? confirmationCode : null;
  return { id, organization, received, status, finished, outcome: sentence, confirmationCode: code };
}

const STATUSES = { accepted: 'Published', refused: 'Refused', held: 'Held' } as const;

export function getStatus(settledAs: SettledAs): 'Published' | 'Refused' | 'Held' {
  return STATUSES[settledAs];
}

/** The folder of a settled submission; undefined if the submission is not settled. */
export function getSettledFolder({ id, status }: Pick<SubmissionRecord, 'id' | 'status'>): string | undefined {
  const settled = Object.entries(STATUSES).find(([, other]) => other === status);
  return settled && `${settled[0]}/${id}`;
}
