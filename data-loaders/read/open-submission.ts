// Opens a submission: checks its files and reads its metadata.

import { failure, type Result, success } from '../../shared/values/result';
import { isArchive, isReadyFile, isWorkbook } from '../format/entry-names';
import type { SubmissionFindings } from '../format/findings';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE, readMetadata, type SubmissionMetadata } from '../format/submission-metadata';
import { type SubmittedFiles } from '../format/submitted-files';
import { findSameName, findSimilarFiles } from './file-names';
import { checkFileStarts } from './file-starts';

const READ_FILES: ReadonlySet<string> = new Set([...submissionFiles.map(({ name }) => name), METADATA_FILE]);

/** Notes the files that are not read, and reads the metadata. A failure gives the reason for refusing the submission. */
export async function openSubmission(
  files: SubmittedFiles,
  findings: SubmissionFindings,
): Promise<Result<SubmissionMetadata>> {
  for (const note of files.notes ?? []) findings.note(note);
  const notRead = files.names().filter((name) => !READ_FILES.has(name) && !isReadyFile(name));
  for (const name of notRead.sort()) {
    findings.note(`${name} was ignored: only the files listed in the guide are read.${adviseIgnored(name, files)}`);
  }
  const refusal = await checkFileStarts(files);
  if (refusal !== undefined) return failure(refusal);
  const read = await readMetadata(files);
  if (!read.ok) return read;
  const { metadata, unknown } = read.value;
  if (unknown.length > 0) {
    findings.note(`${METADATA_FILE}: unknown members that were not read: ${unknown.join(', ')}.`);
  }
  return success(metadata);
}

/** Advice about a file that is not read, as a sentence with a leading space; empty if there is none. */
function adviseIgnored(name: string, files: SubmittedFiles): string {
  if (isWorkbook(name)) return ' Save each sheet as CSV.';
  if (isArchive(name)) return ' Unpack it, and send the files that are in it.';
  const same = findSameName(name, files);
  if (same !== undefined) return ` ${same} was read. If the newer rows are in ${name}, rename it to ${same}.`;
  const similar = findSimilarFiles(name, files);
  return similar.length === 0 ? '' : ` If it is meant as ${similar.join(' or ')}, give it that name.`;
}
