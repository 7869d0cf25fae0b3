// Creates folders. If that fails, the error states the actual reason.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '../values/result';

/**
 * Creates a folder with its parents, if it does not exist. Throws the system error. On a read-only file system Node
 * reports a missing folder (ENOENT) instead, so the first missing folder is created separately, which fails with EROFS.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    mkdirSync(findFirstMissing(path));
    mkdirSync(path, { recursive: true });
  }
}

/** Returns the first missing folder, whose parent exists. */
function findFirstMissing(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) ? path : findFirstMissing(parent);
}
