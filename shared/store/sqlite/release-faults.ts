// Whether the two files of a release are whole, as far as a look at names, facts and sizes can tell.

import { existsSync } from 'node:fs';
import { releasePath } from './release-files';
import { SqliteReleaseReader } from './release-reader';

/** Why the files of a release are not whole, as the end of a sentence about it; undefined when they are. */
export function faultOfRelease(dataDirectory: string, releaseId: string): string | undefined {
  const path = releasePath(dataDirectory, releaseId);
  if (!existsSync(path)) return 'is not there';
  try {
    const reader = new SqliteReleaseReader(path);
    const fault = reader.fault();
    reader.close();
    if (reader.facts.releaseId !== releaseId) return 'is damaged: its file holds another release than its name says';
    return fault === undefined ? undefined : `is damaged: ${fault}`;
  } catch (error) {
    return `is damaged: its file cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}
