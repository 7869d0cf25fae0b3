// Files under way are called after the process that writes them, so that what a killed process left can be told from what
// a living one is writing.

import { existsSync, readdirSync, rmSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

/** A name for a file or folder of this process's own. */
export function ownName(): string {
  return `${process.pid}-${randomUUID()}`;
}

/** Removes what dead processes left in a folder: entries named by `ownName`, with `suffix` behind it. */
export function removeLeftovers(folder: string, suffix: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const owner = /^(\d+)-[0-9a-f-]{36}/.exec(name)?.[1];
    if (owner === undefined || !name.endsWith(suffix) || isAlive(Number(owner))) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but it is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
