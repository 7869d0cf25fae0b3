// Opens a submission: checks its files and reads its metadata.

import { failure, type Result, success } from '../../shared/values/result';
import { isReadyFile } from '../format/entry-names';
import type { SubmissionFindings } from '../format/findings';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE, readMetadata, type SubmissionMetadata } from '../format/submission-metadata';
import { type SubmittedFiles } from '../format/submitted-files';
import { findSimilarFiles } from './file-names';
import { checkFileStarts } from './file-starts';

const READ_FILES: ReadonlySet<string> = new Set([...submissionFiles.map(({ name }) => name), METADATA_FILE]);

/** Notes the files that are not read, and reads the metadata. Fails with why the submission is refused. */
export async function openSubmission(
  files: SubmittedFiles,
  findings: SubmissionFindings,
): Promise<Result<SubmissionMetadata>> {
  for (const note of files.notes ?? []) findings.note(note);
  const notRead = files.names().filter((name) => !READ_FILES.has(name) && !isReadyFile(name));
  for (const name of notRead.sort()) {
    const similar = findSimilarFiles(name, files);
    const advice = similar.length === 0 ? '' : ` If it is meant as ${similar.join(' or ')}, give it that name.`;
    findings.note(`${name} is not a file of the format and was not read.${advice}`);
  }
  const refusal = await checkFileStarts(files);
  if (refusal !== undefined) return failure(refusal);
  const read = await readMetadata(files);
  if (!read.ok) return read;
  const { metadata, unknown } = read.value;
  if (unknown.length > 0) {
    findings.note(`${METADATA_FILE}: members that are not known and not read: ${unknown.join(', ')}.`);
  }
  return success(metadata);
}
