// An inbox of submissions in any storage (submissions.md, 5): which submissions are complete, who works on one, and how
// one moves with its report to accepted/, refused/ or held/. A kill at any point loses nothing and doubles nothing.

import type { InboxLocation } from '../../shared/settings';
import type { CatalogState } from '../../shared/store/catalog-types';
import type { Result } from '../../shared/values/result';
import type { SubmittedFiles } from '../format/submitted-files';
import { openBlobStorage } from './blob-storage';
import { type ClaimLease, type Clock, takeLease } from './claims';
import { FolderStorage } from './folder-storage';
import { type Content, getReportPath, getWorkPath, type InboxStorage, type SettledAs } from './inbox-storage';

/** The catalog state that a publish is about to make, by which one finds out later whether it was made. */
export type ExpectedState = Pick<CatalogState, 'version' | 'since'>;

const getSavedRecordPath = (name: string): string => getWorkPath(name, 'kept.json');
const getSavedFilesPath = (name: string): string => getWorkPath(name, 'kept');

interface SavedReport {
  readonly state: ExpectedState;
  /** The content of the submission that it reports on. */
  readonly content: string;
  /** A local folder with the report's files. */
  readonly folder: string;
}

/** Says that a saved report is whole, and on which content of the submission it reports. */
type SavedRecord = Pick<SavedReport, 'content'> & { readonly report: ExpectedState };

/** The inbox that the setting SUBMISSIONS_INBOX names. */
export async function openInbox(location: InboxLocation, clock: Clock, quietMs = 0): Promise<Inbox> {
  if (location.kind === 'folder') return new Inbox(new FolderStorage(location.folder), clock, quietMs);
  return new Inbox(await openBlobStorage(location), clock, quietMs);
}

export class Inbox {
  constructor(
    private readonly storage: InboxStorage,
    private readonly clock: Clock,
    /** How long no file of a submission must have changed before somebody may claim it. */
    private readonly quietMs = 0,
  ) {}

  /** Names of complete submissions, claimed ones among them; the one that has waited longest comes first. */
  async listWaiting(): Promise<readonly string[]> {
    const completeSince = new Map<string, number>();
    for await (const { name, modifiedAt } of this.storage.listMarkers()) {
      completeSince.set(name, Math.min(completeSince.get(name) ?? modifiedAt, modifiedAt));
    }
    const complete = [...completeSince].sort(([a, first], [b, second]) => first - second || (a < b ? -1 : 1));
    return complete.map(([name]) => name);
  }

  /** Undefined when somebody works on the submission or has just changed it, or when it is not waiting any more. */
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

  /** A file whose time lies far ahead is not waited for: its clock is wrong, or somebody set the time by hand. */
  private isQuiet({ changedAt }: Content): boolean {
    return Math.abs(this.clock.now().getTime() - changedAt) >= this.quietMs;
  }

  /** Ends the moves of processes that were killed in the middle of one. */
  async finishMoves(): Promise<void> {
    for (const name of await this.storage.listDecidedMoves()) await (await this.claim(name))?.lease.release('stop');
  }
}

/** The right to work on one submission. */
export class Claim {
  constructor(
    private readonly storage: InboxStorage,
    readonly name: string,
    /** Tells this content of the submission from any other without reading it. */
    readonly content: string,
    readonly lease: ClaimLease,
  ) {}

  /** As the storage's `submittedFiles`. */
  async files(): Promise<Result<SubmittedFiles>> {
    return this.storage.openSubmission(this.name, this.content);
  }

  /** Whether what waits is not what was claimed. */
  async isChanged(): Promise<boolean> {
    return this.content !== (await this.storage.readContent(this.name))?.text;
  }

  /**
   * Moves the submission with the files of `reportFolder`, and ends the claim. Moves nothing when the claim is `lost`,
   * and when what waits has `changed` at most the report, if it is of what is published.
   */
  async settle(as: SettledAs, reportFolder: string, isPublished = false): Promise<'settled' | 'lost' | 'changed'> {
    if (!(await this.lease.renew())) return 'lost';
    const isChanged = await this.isChanged();
    if (!isChanged || isPublished) await this.move(this.content, as, reportFolder);
    await this.lease.end();
    return isChanged ? 'changed' : 'settled';
  }

  /** Moves the report on a content that was published by a loader that ended before it could, and that has changed. */
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

  /** Saves a report of what is about to be published (ADR 0018). False when the claim is lost. */
  async saveReport(state: ExpectedState, reportFolder: string): Promise<boolean> {
    const { storage, name, content, lease } = this;
    if (!(await lease.renew())) return false;
    await forgetReport(storage, name);
    await storage.copyIn(reportFolder, getSavedFilesPath(name));
    const record: SavedRecord = { report: state, content };
    await storage.writeText(getSavedRecordPath(name), JSON.stringify(record));
    return true;
  }

  /** The report that was saved last, perhaps on another content. */
  async savedReport(workFolder: string): Promise<SavedReport | undefined> {
    const { storage, name } = this;
    const text = await storage.readText(getSavedRecordPath(name));
    if (text === undefined) return undefined;
    const { report: state, content } = JSON.parse(text) as SavedRecord; // Written by saveReport.
    return { state, content, folder: await storage.copyOut(getSavedFilesPath(name), workFolder) };
  }
}

/** Only for the holder of the claim. The decision goes last: while it stands, the next claim finishes the move. */
async function finishMove(storage: InboxStorage, name: string): Promise<void> {
  const decision = await storage.carryOutMove(name);
  if (decision === undefined) return;
  await storage.remove(getReportPath(name));
  await forgetReport(storage, name);
  await storage.remove(decision);
}

/** The record that says that the files are whole goes first. */
async function forgetReport(storage: InboxStorage, name: string): Promise<void> {
  await storage.remove(getSavedRecordPath(name));
  await storage.remove(getSavedFilesPath(name));
}
