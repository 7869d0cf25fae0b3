// An inbox of submissions in any storage (submissions.md, 5): which submissions are complete, which loader works on
// which submission, and how a submission is moved with its report to accepted/, refused/ or held/. If the process is
// killed at any point, nothing is lost or processed twice.

import type { InboxLocation } from '../../shared/settings';
import type { CatalogState } from '../../shared/store/catalog-types';
import { hasCode, type Result } from '../../shared/values/result';
import type { Report } from '../format/report';
import type { SubmittedFiles } from '../format/submitted-files';
import { openBlobStorage } from './blob-storage';
import { type ClaimLease, type Clock, takeLease } from './claims';
import { FolderStorage } from './folder-storage';
import {
  type Awaitable,
  type Content,
  getReportPath,
  getWorkPath,
  type InboxStorage,
  NOTE_SUFFIX,
  type SettledAs,
  WAITING,
} from './inbox-storage';
import { findNotRead, formatNote, isOwnNote, type NotRead } from './not-read';
import { ORIGIN_FILE, parseOrigin, type SubmissionOrigin } from './submission-origin';
import { createRecord, createSettledRecord, writeRecord } from './submission-records';

/** The catalog state that a publish is about to make current. It shows later whether the publish succeeded. */
export type ExpectedState = Pick<CatalogState, 'version' | 'since'>;

const getSavedRecordPath = (name: string): string => getWorkPath(name, 'kept.json');
const getSavedFilesPath = (name: string): string => getWorkPath(name, 'kept');

interface SavedReport {
  readonly state: ExpectedState;
  /** The content of the submission that the report describes. */
  readonly content: string;
  /** A local folder with the report's files. */
  readonly folder: string;
}

/** Marks a saved report as complete, and identifies the content of the submission that the report describes. */
type SavedRecord = Pick<SavedReport, 'content'> & { readonly report: ExpectedState };

/** Opens the inbox that the setting SUBMISSIONS_INBOX specifies. */
export async function openInbox(location: InboxLocation, clock: Clock, quietMs = 0): Promise<Inbox> {
  return new Inbox(await openInboxStorage(location), clock, quietMs);
}

export function openInboxStorage(location: InboxLocation): Awaitable<InboxStorage> {
  return location.kind === 'folder' ? new FolderStorage(location.folder) : openBlobStorage(location);
}

export class Inbox {
  constructor(
    private readonly storage: InboxStorage,
    private readonly clock: Clock,
    /** How long the files of a submission must be unchanged before it may be claimed, in milliseconds. */
    private readonly quietMs = 0,
  ) {}

  /** Names of complete submissions, including claimed ones. The submission that has waited longest comes first. */
  async listWaiting(): Promise<readonly string[]> {
    const completeSince = new Map<string, number>();
    for await (const { name, modifiedAt } of this.storage.listMarkers()) {
      completeSince.set(name, Math.min(completeSince.get(name) ?? modifiedAt, modifiedAt));
    }
    const complete = [...completeSince].sort(([a, first], [b, second]) => first - second || (a < b ? -1 : 1));
    return complete.map(([name]) => name);
  }

  /** Entries of the inbox that will not be processed (D75). A note next to each entry says what to do. */
  async noteNotRead(): Promise<readonly NotRead[]> {
    const { storage, clock } = this;
    const entries = await storage.listEntries();
    const notRead = findNotRead(entries, clock.now().getTime());
    const paths = new Set(entries.map(({ path }) => path));
    const texts = new Map(notRead.map((one) => [one.path + NOTE_SUFFIX, formatNote(one)]));
    for (const [path, text] of texts) if (!paths.has(path)) await writeNote(storage, path, text);
    for (const { path, kind } of entries) {
      if (kind !== 'file' || !path.endsWith(NOTE_SUFFIX)) continue;
      const note = await storage.readText(path);
      if (note === undefined || note === texts.get(path) || !isOwnNote(note)) continue;
      const text = texts.get(path);
      if (text === undefined) await storage.remove(path);
      else await storage.writeText(path, text);
    }
    return notRead;
  }

  /**
   * Undefined if another loader works on the submission, if the submission changed recently, or if it is no longer
   * waiting.
   */
  async claim(name: string): Promise<Claim | undefined> {
    const { storage, clock } = this;
    const lease = await takeLease({ storage, name, clock });
    if (lease === undefined) return undefined;
    let content: Content | undefined;
    try {
      await finishMove(storage, name);
      content = await storage.readContent(name);
    } catch (error) {
      await lease.release('fault');
      throw error;
    }
    if (content === undefined) await lease.end();
    else if (this.isQuiet(content)) return new Claim(storage, name, content.text, lease);
    else await lease.release('stop');
    return undefined;
  }

  /** A file time far in the future does not delay the submission: a clock is wrong, or the time was set by hand. */
  private isQuiet({ changedAt }: Content): boolean {
    return Math.abs(this.clock.now().getTime() - changedAt) >= this.quietMs;
  }

  /** Finishes the moves that killed processes left unfinished. */
  async finishMoves(): Promise<void> {
    for (const name of await this.storage.listDecidedMoves()) await (await this.claim(name))?.lease.release('stop');
  }
}

/** The right to work on one submission. */
export class Claim {
  constructor(
    private readonly storage: InboxStorage,
    readonly name: string,
    /** Identifies the submission's current content without reading it. */
    readonly content: string,
    readonly lease: ClaimLease,
  ) {}

  /** Who sent the submission, if it was sent over HTTP (D76). */
  async readOrigin(): Promise<SubmissionOrigin | undefined> {
    const text = await this.storage.readText(`${WAITING}/${this.name}/${ORIGIN_FILE}`);
    return text === undefined ? undefined : parseOrigin(text);
  }

  /** Records that a loader is working on a submission that was sent over HTTP. */
  async noteWork(origin: SubmissionOrigin): Promise<void> {
    await writeRecord(this.storage, createRecord(this.name, origin, 'Working'));
  }

  /**
   * Records the outcome of a submission that was sent over HTTP. Called before the move, so that repeating the move
   * after a kill also records the outcome.
   */
  async noteOutcome(origin: SubmissionOrigin, report: Report, as: SettledAs, finished: string): Promise<void> {
    await writeRecord(this.storage, createSettledRecord(this.name, origin, report, { settledAs: as, finished }));
  }

  /** Opens the submission's files. */
  async files(): Promise<Result<SubmittedFiles>> {
    return this.storage.openSubmission(this.name, this.content);
  }

  /** Whether the waiting submission is no longer the claimed one. */
  async isChanged(): Promise<boolean> {
    return this.content !== (await this.storage.readContent(this.name))?.text;
  }

  /**
   * Moves the submission with the files of `reportFolder`, and ends the claim. If the claim is `lost`, moves nothing.
   * If the waiting submission has `changed`, moves only the report, and only if the submission was published.
   */
  async settle(as: SettledAs, reportFolder: string, isPublished = false): Promise<'settled' | 'lost' | 'changed'> {
    if (!(await this.lease.renew())) return 'lost';
    const isChanged = await this.isChanged();
    if (!isChanged || isPublished) await this.move(this.content, as, reportFolder);
    await this.lease.end();
    return isChanged ? 'changed' : 'settled';
  }

  /**
   * Moves the report about content that a loader published. The loader ended before it could move the report, and the
   * submission has changed since then.
   */
  async deliver({ content, folder }: SavedReport): Promise<void> {
    await this.move(content, 'accepted', folder);
  }

  private async move(content: string, as: SettledAs, reportFolder: string): Promise<void> {
    const { storage, name } = this;
    await storage.remove(getReportPath(name));
    await storage.copyIn(reportFolder, getReportPath(name));
    await storage.decideMove(name, content, as);
    await finishMove(storage, name);
  }

  /** Saves the report of a publish that is about to happen (ADR 0018). Returns false if the claim is lost. */
  async saveReport(state: ExpectedState, reportFolder: string): Promise<boolean> {
    const { storage, name, content, lease } = this;
    if (!(await lease.renew())) return false;
    await forgetReport(storage, name);
    await storage.copyIn(reportFolder, getSavedFilesPath(name));
    const record: SavedRecord = { report: state, content };
    await storage.writeText(getSavedRecordPath(name), JSON.stringify(record));
    return true;
  }

  /** The last saved report, which may describe other content. */
  async savedReport(workFolder: string): Promise<SavedReport | undefined> {
    const { storage, name } = this;
    const text = await storage.readText(getSavedRecordPath(name));
    if (text === undefined) return undefined;
    const { report: state, content } = JSON.parse(text) as SavedRecord; // The record that saveReport wrote.
    return { state, content, folder: await storage.copyOut(getSavedFilesPath(name), workFolder) };
  }
}

/** If the note cannot be written, or if the name plus the suffix is too long, the message is only in the log. */
async function writeNote(storage: InboxStorage, path: string, text: string): Promise<void> {
  try {
    await storage.writeText(path, text);
  } catch (error) {
    if (!hasCode(error, 'ENAMETOOLONG', 'EACCES', 'EPERM', 'EROFS')) throw error;
  }
}

/**
 * Only the holder of the claim may call this. The decision is removed last: as long as it exists, the next claim
 * finishes the move.
 */
async function finishMove(storage: InboxStorage, name: string): Promise<void> {
  const decision = await storage.carryOutMove(name);
  if (decision === undefined) return;
  await storage.remove(getReportPath(name));
  await forgetReport(storage, name);
  await storage.remove(decision);
}

/** Removes the record first, because it marks the files as complete. */
async function forgetReport(storage: InboxStorage, name: string): Promise<void> {
  await storage.remove(getSavedRecordPath(name));
  await storage.remove(getSavedFilesPath(name));
}
