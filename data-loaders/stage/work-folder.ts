// The working folder for one submission. A lock shows whether a process uses it. For a submission in the inbox, the
// folder's name is a digest of the submission and of this program, so that the next process finds what the previous
// process left. For any other load, the folder is removed when the process ends.

import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../shared/store/make-folder';
import { createProcessName, removeStaleEntries } from '../../shared/store/process-names';
import { isLocked, takeLock } from '../../shared/store/sqlite/database';
import { digestContent } from '../../shared/values/digest';
import type { Log } from './progress';

const KEPT_PREFIX = 'kept-';
const LOCK_FILE = 'lock.sqlite';

export class WorkFolder {
  private constructor(
    readonly path: string,
    private readonly lock: ReturnType<typeof takeLock>,
    /** Whether the next process can find and reuse the folder. */
    private readonly isKept: boolean,
  ) {}

  /**
   * Opens the folder of a submission. `origin` identifies its content. If a process that lost its claim still uses the
   * folder, a temporary folder is opened instead. First removes folders that dead processes left in `parent`.
   */
  static open(parent: string, origin: readonly string[], log: Log): WorkFolder {
    removeStaleFolders(parent, log);
    // Rows that another program version staged may have a different meaning. The bundle is one file that contains the
    // whole program.
    const program = digestContent(readFileSync(__filename));
    const path = join(parent, `${KEPT_PREFIX}${digestContent(JSON.stringify([...origin, program]))}`);
    makeFolder(path);
    const lock = takeLock(join(path, LOCK_FILE));
    if (lock === undefined) return WorkFolder.temporary(parent, log);
    // Marks the folder as used, even if nothing is written to it.
    utimesSync(path, new Date(), new Date());
    return new WorkFolder(path, lock, true);
  }

  /**
   * Opens a folder that is removed when its process ends. First removes folders that dead processes left in `parent`.
   */
  static temporary(parent: string, log: Log): WorkFolder {
    removeStaleFolders(parent, log);
    const path = join(parent, createProcessName());
    makeFolder(path);
    return new WorkFolder(path, takeLock(join(path, LOCK_FILE)), false);
  }

  /** Leaves the folder for the next process, or removes it if no process can reuse it. */
  close(): void {
    if (this.lock?.isOpen === true) this.lock.close();
    if (!this.isKept) rmSync(this.path, { recursive: true, force: true });
  }

  remove(): void {
    this.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Removes the folders of processes on this machine that no longer run. */
export function removeStaleFolders(parent: string, log: Log): void {
  for (const name of removeStaleEntries(parent, (path) => isLocked(join(path, LOCK_FILE)))) log(describeRemoval(name));
}

/**
 * Removes folders that no process uses and that were last used before `since`, because their submissions no longer
 * exist or are processed elsewhere.
 */
export function removeUnusedFolders(parent: string, log: Log, since?: Date): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(KEPT_PREFIX))) {
    const path = join(parent, name);
    const usedAt = statSync(path, { throwIfNoEntry: false })?.mtime;
    if (usedAt === undefined || (since !== undefined && usedAt >= since) || isLocked(join(path, LOCK_FILE))) continue;
    rmSync(path, { recursive: true, force: true });
    log(describeRemoval(name));
  }
}

function describeRemoval(name: string): string {
  return `staging folder ${name} was deleted: no loader uses it anymore`;
}
