// An inbox in a folder of this machine or of one it shares: waiting/, accepted/, refused/, and .working/ for claims and moves. A
// submission is read where it lies. All of it must be on one file system, so that a move is a rename.

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { failure, success, type Result } from '../../shared/values/result';
import { takeClaim, type Attempts, type Clock, type HeldClaim } from './claims';
import { hasCode } from '../../shared/values/error-code';
import { FolderClaims } from './folder-claims';
import { keepReport, readKeptReport } from './folder-kept-report';
import { decideMove, finishMove, isMoveUnderWay } from './folder-move';
import {
  MARKER_FILES,
  WAITING,
  WORKING,
  type Claim,
  type Inbox,
  type KeptReport,
  type SettledAs,
  type SettleOutcome,
} from './inbox';

export function openFolderInbox(root: string, clock: Clock): Inbox {
  for (const folder of [WAITING, 'accepted', 'refused', WORKING]) mkdirSync(join(root, folder), { recursive: true });
  return new FolderInbox(root, clock);
}

class FolderInbox implements Inbox {
  private readonly claims: FolderClaims;

  constructor(
    private readonly root: string,
    private readonly clock: Clock,
  ) {
    this.claims = new FolderClaims(join(root, WORKING), clock.leaseMs);
  }

  waiting(): Promise<readonly string[]> {
    const complete = foldersOf(join(this.root, WAITING)).flatMap((name) => {
      const since = completeSince(join(this.root, WAITING, name));
      return since === undefined ? [] : [{ name, since }];
    });
    complete.sort((a, b) => a.since - b.since || (a.name < b.name ? -1 : 1));
    return Promise.resolve(complete.map(({ name }) => name));
  }

  async claim(name: string): Promise<Claim | undefined> {
    const held = await takeClaim(this.claims, name, this.clock);
    if (held === undefined) return undefined;
    try {
      if (isMoveUnderWay(this.root, name)) finishMove(this.root, name);
    } catch (error) {
      await held.release('fault');
      throw error;
    }
    if (completeSince(join(this.root, WAITING, name)) !== undefined) return new FolderClaim(this.root, name, held);
    await held.end();
    return undefined;
  }

  async finishMoves(): Promise<void> {
    for (const name of foldersOf(join(this.root, WORKING))) {
      if (isMoveUnderWay(this.root, name)) await (await this.claim(name))?.release('stop');
    }
  }
}

class FolderClaim implements Claim {
  readonly content: string;

  constructor(
    private readonly root: string,
    readonly name: string,
    private readonly held: HeldClaim,
  ) {
    this.content = this.currentContent();
  }

  get attempts(): Attempts {
    return this.held.attempts;
  }

  renew(): Promise<boolean> {
    return this.held.renew();
  }

  fetch(): Promise<Result<string>> {
    const folder = join(this.root, WAITING, this.name);
    const foreign = foreignEntry(folder);
    if (foreign === undefined) return Promise.resolve(success(folder));
    return Promise.resolve(failure(`${foreign} is neither a file nor a folder of the submission's own`));
  }

  async settle(as: SettledAs, reportFolder: string): Promise<SettleOutcome> {
    if (!(await this.held.renew())) return 'lost';
    const isChanged = this.content !== this.currentContent();
    if (!isChanged) {
      decideMove(this.root, this.name, as, reportFolder);
      finishMove(this.root, this.name);
    }
    await this.held.end();
    return isChanged ? 'changed' : 'settled';
  }

  async keepReport(report: KeptReport, reportFolder: string): Promise<boolean> {
    if (!(await this.held.renew())) return false;
    keepReport(this.root, this.name, { report, content: this.content }, reportFolder);
    return true;
  }

  keptReport(): ReturnType<Claim['keptReport']> {
    const kept = readKeptReport(this.root, this.name);
    const found = kept?.content === this.content ? { report: kept.report, folder: kept.folder } : undefined;
    return Promise.resolve(found);
  }

  release(because: 'stop' | 'fault'): Promise<void> {
    return this.held.release(because);
  }

  private currentContent(): string {
    return contentOf(join(this.root, WAITING, this.name));
  }
}

/** Real folders: a link could lead anywhere. Names with a leading dot are of programs that copy. */
function foldersOf(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
}

/** When the submission became complete, in milliseconds since 1970; undefined while it is not. */
function completeSince(folder: string): number | undefined {
  const marks = MARKER_FILES.flatMap((name) => statSync(join(folder, name), { throwIfNoEntry: false }) ?? []);
  return marks.length === 0 ? undefined : Math.min(...marks.map(({ mtimeMs }) => mtimeMs));
}

/** A link leads out of the folder; a pipe or a device would never end. */
function foreignEntry(folder: string): string | undefined {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.find((entry) => !entry.isFile() && !entry.isDirectory())?.name;
}

/** What tells one content of a folder from another without reading it. */
function contentOf(folder: string): string {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    return files.sort().map(describeFile).join('\n');
  } catch (error) {
    // Somebody takes files away at this moment.
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

function describeFile(path: string): string {
  const { size, mtimeMs, ino } = statSync(path);
  return [path, size, mtimeMs, ino].join('\t');
}
