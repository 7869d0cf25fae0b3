// The folder of a submission: which of its files are read.

import { readdirSync } from 'node:fs';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE } from '../format/submission-metadata';

const READ_FILES: ReadonlySet<string> = new Set([...submissionFiles.map(({ name }) => name), METADATA_FILE, 'READY']);

/** Files that are listed in the report and not read. */
export function filesNotRead(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !READ_FILES.has(name))
    .sort();
}
