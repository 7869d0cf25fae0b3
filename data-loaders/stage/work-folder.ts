// The folder in which one submission is worked on. It is called after what it is made from, so that the next to work on the same
// submission finds what the last one left; a lock tells whether somebody is working in it now.

import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { processName, removeLeftovers } from '../../shared/store/process-names';
import { isLocked, takeLock } from '../../shared/store/sqlite/database';
import { digestNameOf } from '../../shared/values/digest';
import { programStamp } from './program-stamp';
import { STAGING_FILE } from './staging-database';

const KEPT_PREFIX = 'kept-';
const LOCK_FILE = 'lock.sqlite';

export class WorkFolder {
  private constructor(
    readonly path: string,
    /** Undefined for a folder that nobody else can want. */
    private readonly lock: DatabaseSync | undefined,
  ) {}

  /**
   * `origin` says what is worked on, and changes when that does. Where somebody who lost the claim is still at work in the folder, the
   * result is another one, which is not kept. What dead processes left in `parent` is removed first.
   */
  static open(parent: string, origin: readonly string[]): WorkFolder {
    removeFoldersOfTheDead(parent);
    const path = join(parent, `${KEPT_PREFIX}${digestNameOf(JSON.stringify([...origin, programStamp()]))}`);
    mkdirSync(path, { recursive: true });
    const lock = takeLock(join(path, LOCK_FILE));
    if (lock === undefined) return new WorkFolder(join(parent, processName()), undefined);
    // From now on it counts as used, however little is written to it.
    utimesSync(path, new Date(), new Date());
    return new WorkFolder(path, lock);
  }

  /** Leaves it to the next one. */
  close(): void {
    if (this.lock === undefined) rmSync(this.path, { recursive: true, force: true });
    else if (this.lock.isOpen) this.lock.close();
  }

  /** Instead of closing it. */
  remove(): void {
    this.close();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** Removes the folders that processes of this machine left when they died. */
export function removeFoldersOfTheDead(parent: string): void {
  removeLeftovers(parent, (path) => isLocked(join(path, STAGING_FILE)));
}

/** Later than any file is. */
const END_OF_TIME = new Date(8.64e15);

/** Removes folders that nobody works in or has worked in since: their submissions are gone, or are worked on elsewhere. */
export function removeUnusedFolders(parent: string, since = END_OF_TIME): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(KEPT_PREFIX))) {
    const path = join(parent, name);
    const usedAt = statSync(path, { throwIfNoEntry: false })?.mtime;
    if (usedAt === undefined || usedAt >= since || isLocked(join(path, LOCK_FILE))) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
