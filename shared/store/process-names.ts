// Names of unfinished files and folders. They contain the id of the process that writes them, so that the remains of a
// killed process can be distinguished from what a running process is writing.

import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../values/result';

/** Returns a new name for a file, folder or lease of this process. */
export function createProcessName(): string {
  return `${process.pid}-${randomUUID()}`;
}

/**
 * Removes the entries that dead processes left in a folder, recognized by the process id in their names. The ids of
 * processes in other containers are unknown here, so entries also stay if `isInUse` returns true because a file in them
 * is locked. Returns the removed names.
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

/** Whether the process that created a name still runs on this machine. */
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
    // A process of another user cannot be signaled, but it runs.
    return hasCode(error, 'EPERM');
  }
}
