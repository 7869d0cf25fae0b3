// Files under way are called after the process that writes them, so that what a killed process left can be told from what
// a living one is writing.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { hasCode } from '../values/error-code';
import { isLocked } from './sqlite/sqlite-module';

/** A name for a file or folder of this process's own. */
export function ownName(): string {
  return `${process.pid}-${randomUUID()}`;
}

/**
 * Removes what dead processes left in a folder: entries named by `ownName`. A process of another container has a number that
 * means nothing here, so the lock of the entry's database, if it has one, counts too; `databaseOf` says where that lies.
 */
export function removeLeftovers(folder: string, databaseOf: (path: string) => string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const owner = ownerOf(name);
    if (owner === undefined || isAlive(owner)) continue;
    const path = join(folder, name);
    const database = databaseOf(path);
    if (existsSync(database) && isLocked(database)) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

/** Whether the process that made a name by `ownName` is there. */
export function isOwnerAlive(name: string): boolean {
  const owner = ownerOf(name);
  return owner !== undefined && isAlive(owner);
}

function ownerOf(name: string): number | undefined {
  const digits = /^(\d+)-[0-9a-f-]{36}/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Of this machine. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but it is there.
    return hasCode(error, 'EPERM');
  }
}
