// Files and folders under way are named after the process that writes them, so that what a killed process left behind
// can be told from what a living one is writing.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../values/result';

/** A new name for a file, folder or lease of this process. */
export function createProcessName(): string {
  return `${process.pid}-${randomUUID()}`;
}

/**
 * Removes the entries of a folder that dead processes left there: those named by `processName`. The process number of
 * another container means nothing here, so an entry that `isInUse` claims, by the lock of a file in it, stays.
 */
export function removeStaleEntries(folder: string, isInUse: (path: string) => boolean): readonly string[] {
  if (!existsSync(folder)) return [];
  const removed: string[] = [];
  for (const name of readdirSync(folder)) {
    const owner = parseOwner(name);
    if (owner === undefined || isProcessAlive(owner)) continue;
    const path = join(folder, name);
    if (isInUse(path)) continue;
    rmSync(path, { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}

/** Whether the process that made a name by `processName` still runs on this machine. */
export function isOwnerAlive(name: string): boolean {
  const owner = parseOwner(name);
  return owner !== undefined && isProcessAlive(owner);
}

function parseOwner(name: string): number | undefined {
  const digits = /^(\d+)-[0-9a-f-]{36}/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Whether a process runs on this machine. */
export function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but it runs.
    return hasCode(error, 'EPERM');
  }
}
