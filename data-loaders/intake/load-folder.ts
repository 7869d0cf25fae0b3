// Loads a folder, an archive or a workbook for `npm run load`. There is no claim on it, so nothing is published if its
// files have changed since the start (ADR 0052).

import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readIfExists } from '../../shared/values/result';
import type { Report } from '../format/report';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE } from '../format/submission-metadata';
import { folderFiles, singleFile, type SubmittedFiles } from '../format/submitted-files';
import { type LoadInput, loadSubmission } from '../load-submission';
import { buildRefusedReport } from '../publish/outcomes';
import { isPackage } from '../unpack/unpack-submission';
import { readFileState } from './folder-storage';

/**
 * Loads a folder or a file. If a file changes while it is read, the load is refused with a report that identifies the
 * file.
 */
export async function loadFolder(path: string, input: Omit<LoadInput, 'files' | 'beforePublish'>): Promise<Report> {
  const isFolder = statSync(path).isDirectory();
  const files = isFolder ? folderFiles(path) : singleFile(path);
  const folder = isFolder ? path : dirname(path);
  const names = isFolder ? listFilesRead(files) : [basename(path)];
  const before = readFileIdentities(folder, names);
  const findChangedFile = (): string | undefined => {
    const now = readFileIdentities(folder, names);
    return names.find((name) => now.get(name) !== before.get(name));
  };
  const publish = { isBegun: false };
  try {
    const report = await loadSubmission({
      ...input,
      files,
      beforePublish: () => {
        publish.isBegun = findChangedFile() === undefined;
        return publish.isBegun ? Promise.resolve() : Promise.reject(new Error('a file changed while it was read'));
      },
    });
    const changed = report.verdict === 'published' ? undefined : findChangedFile();
    return changed === undefined ? report : buildRefusedReport(describeChange(changed));
  } catch (error) {
    // If a file is removed or overwritten while it is read, reading can fail in many ways.
    const changed = publish.isBegun ? undefined : findChangedFile();
    if (changed === undefined) throw error;
    return buildRefusedReport(describeChange(changed));
  }
}

/** Lists the files that are read. Other files in the folder may change, because rejected rows may be written there. */
function listFilesRead(files: SubmittedFiles): readonly string[] {
  return [...submissionFiles.map(({ name }) => name), METADATA_FILE, ...files.names().filter(isPackage)];
}

function readFileIdentities(folder: string, names: readonly string[]): ReadonlyMap<string, string | undefined> {
  return new Map(names.map((name) => [name, readIfExists(() => readFileState(join(folder, name)))?.identity]));
}

function describeChange(name: string): string {
  return `${name} changed while it was read; load it again when nothing is writing to the folder anymore`;
}
