// The operations of the inbox for HTTP (D76): submitting, reporting the status, and confirming a held submission. The
// process may be killed at any moment, so a submission appears in the inbox either completely or not at all.

import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type {
  ReportFormat,
  SentFile,
  StoredFile,
  SubmissionDesk,
  SubmissionList,
  SubmissionRecord,
} from '../../shared/http/pipeline/submission-ports';
import type { InboxLocation } from '../../shared/settings';
import { isReadyFile } from '../format/entry-names';
import type { Report } from '../format/report';
import { LEASE_MS, takeLease } from './claims';
import { openInboxStorage } from './inbox';
import { type InboxStorage, WORKING } from './inbox-storage';
import {
  createSubmissionId,
  formatOrigin,
  isSubmissionId,
  ORIGIN_FILE,
  SENT_FOLDER,
  type SubmissionOrigin,
} from './submission-origin';
import {
  createRecord,
  createSettledRecord,
  getSettledFolder,
  listRecordIds,
  readRecord,
  removeRecord,
  writeRecord,
} from './submission-records';

const MAX_LISTED = 100;

/** If a record is older than this and has no entry, its process was killed before it created the entry. */
const ORPHAN_MS = 60_000;

/** The report in Markdown if the format is text. */
const REPORT_FILES: Readonly<Record<ReportFormat, string>> = {
  json: 'report.json',
  html: 'report.html',
  text: 'report.md',
};

export async function openDesk(location: InboxLocation, now: () => Date): Promise<SubmissionDesk> {
  return new InboxDesk(await openInboxStorage(location), now);
}

class InboxDesk implements SubmissionDesk {
  constructor(
    private readonly storage: InboxStorage,
    private readonly now: () => Date,
  ) {}

  async submit(
    sender: Pick<SubmissionOrigin, 'organization' | 'keyId'>,
    files: readonly SentFile[],
    workFolder: string,
  ): Promise<SubmissionRecord> {
    const received = this.now().toISOString();
    const origin: SubmissionOrigin = { ...sender, received };
    const id = createSubmissionId(received, randomBytes(4));
    const entry = join(workFolder, 'entry');
    mkdirSync(join(entry, SENT_FOLDER), { recursive: true });
    for (const { name, path } of files) {
      if (!isReadyFile(name)) renameSync(path, join(entry, SENT_FOLDER, name));
    }
    writeFileSync(join(entry, ORIGIN_FILE), formatOrigin(origin));
    const record = createRecord(id, origin, 'Waiting');
    // The record is written first, because the loader may claim the entry and write its own record as soon as the entry
    // exists.
    await writeRecord(this.storage, record);
    await this.storage.deliver(entry, id, ORIGIN_FILE);
    return record;
  }

  async list(organization: string): Promise<SubmissionList> {
    const ids = await listRecordIds(this.storage, organization);
    const listed = await Promise.all(ids.slice(0, MAX_LISTED).map((id) => this.find(organization, id)));
    const submissions = listed.filter((record) => record !== undefined);
    return { total: ids.length - (listed.length - submissions.length), submissions };
  }

  async find(organization: string, id: string): Promise<SubmissionRecord | undefined> {
    if (!isSubmissionId(id)) return undefined;
    const record = await readRecord(this.storage, organization, id);
    return record?.status === 'Waiting' ? this.findWaiting(record) : record;
  }

  /**
   * Corrects a record that a killed process left behind: its entry was never created, or its confirmation was not
   * carried out.
   */
  private async findWaiting(record: SubmissionRecord): Promise<SubmissionRecord | undefined> {
    const { storage } = this;
    const { organization, id } = record;
    if ((await storage.readContent(id)) !== undefined) return record;
    const current = await readRecord(storage, organization, id);
    if (current?.status !== 'Waiting') return current;
    const held = await storage.readText(`held/${id}/${REPORT_FILES.json}`);
    if (held !== undefined) {
      const report = JSON.parse(held) as Report; // The report that writeReport wrote.
      return createSettledRecord(id, record, report, { settledAs: 'held', finished: record.received });
    }
    if (this.now().getTime() - Date.parse(record.received) < ORPHAN_MS) return record;
    await removeRecord(storage, record);
    return undefined;
  }

  async readReport(record: SubmissionRecord, format: ReportFormat): Promise<string | undefined> {
    const folder = getSettledFolder(record);
    return folder === undefined ? undefined : this.storage.readText(`${folder}/${REPORT_FILES[format]}`);
  }

  async findRows(record: SubmissionRecord): Promise<{ readonly rejected: boolean; readonly warned: boolean }> {
    const folder = getSettledFolder(record);
    const names = folder === undefined ? [] : await this.storage.listNames(folder);
    const has = (kind: string): boolean => names.some((name) => name.endsWith(`.${kind}.csv`));
    return { rejected: has('rejected'), warned: has('warned') };
  }

  async listRows(record: SubmissionRecord, kind: 'rejected' | 'warned'): Promise<readonly StoredFile[]> {
    const folder = getSettledFolder(record);
    if (folder === undefined) return [];
    const names = (await this.storage.listNames(folder)).filter((name) => name.endsWith(`.${kind}.csv`));
    const files: StoredFile[] = [];
    for (const name of names.sort()) {
      const file = await this.storage.openFile(`${folder}/${name}`);
      if (file !== undefined) files.push({ name, bytes: file.size, read: () => Readable.from(file.bytes(0)) });
    }
    return files;
  }

  async confirm(record: SubmissionRecord, code: string): Promise<'confirmed' | 'wrong code' | 'not held' | 'busy'> {
    const { storage, now } = this;
    const { organization, id } = record;
    const name = `confirm-${id}`;
    const lease = await takeLease({ storage, name, clock: { now, leaseMs: LEASE_MS } });
    if (lease === undefined) return 'busy';
    try {
      const current = await this.find(organization, id);
      if (current?.status !== 'Held') return 'not held';
      if (current.confirmationCode !== code) return 'wrong code';
      const origin: SubmissionOrigin = { organization, keyId: '', received: current.received, confirm: code };
      await writeRecord(storage, createRecord(id, origin, 'Waiting'));
      await storage.returnToWaiting(`held/${id}`, id, { name: ORIGIN_FILE, text: formatOrigin(origin) });
      return 'confirmed';
    } finally {
      await lease.end();
      await storage.remove(`${WORKING}/${name}`);
    }
  }
}
