// The folder of a submission: which of its files are read, and what its submission.json says.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { failure, success, type Result } from '../../shared/values/result';
import { submissionFiles } from './submission-files';

export interface SubmissionMetadata {
  readonly mode: 'replace' | 'merge';
  readonly contact?: string;
  readonly note?: string;
}

const METADATA_FILE = 'submission.json';

const DEFAULT_METADATA: SubmissionMetadata = { mode: 'replace' };

const READ_FILES: ReadonlySet<string> = new Set([...submissionFiles.map(({ name }) => name), METADATA_FILE, 'READY']);

const isMetadata = new Ajv().compile<SubmissionMetadata>({
  type: 'object',
  properties: { mode: { enum: ['replace', 'merge'] }, contact: { type: 'string' }, note: { type: 'string' } },
});

/** Files that are listed in the report and not read. */
export function filesNotRead(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !READ_FILES.has(name))
    .sort();
}

export function readMetadata(folder: string): Result<SubmissionMetadata> {
  const path = join(folder, METADATA_FILE);
  if (!existsSync(path)) return success(DEFAULT_METADATA);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch {
    return failure(`${METADATA_FILE} is not readable as JSON`);
  }
  if (!isMetadata(content)) return failure(`${METADATA_FILE} does not fit: its mode must be "replace" or "merge"`);
  return success({ ...DEFAULT_METADATA, ...content });
}
