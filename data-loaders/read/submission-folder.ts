// Finds the files of a submission in a folder as people and programs leave it (D75): skips files that operating systems
// add, enters a single subfolder, and accepts submission.json in any letter case.

import { isJunk } from '../format/entry-names';
import { submissionFiles } from '../format/submission-files';
import { METADATA_FILE } from '../format/submission-metadata';
import type { SubmittedFiles } from '../format/submitted-files';

const FILE_NAMES: readonly string[] = submissionFiles.map(({ name }) => name);

/**
 * The files of the folder. If only one subfolder has files of the format, its files are included as if they were at the
 * top.
 */
export function enterFolder(files: SubmittedFiles): SubmittedFiles {
  const inner = findInnerFolder(files);
  const paths = new Map(listNames(files).map((name) => [name, name]));
  if (inner !== undefined) {
    paths.delete(inner);
    for (const name of listNames(files, inner)) if (!paths.has(name)) paths.set(name, `${inner}/${name}`);
  }
  const metadata = findMetadata([...paths.keys()]);
  if (metadata !== undefined) {
    paths.set(METADATA_FILE, paths.get(metadata) ?? metadata);
    paths.delete(metadata);
  }
  return {
    ...files,
    names: (folder) => (folder === undefined ? [...paths.keys()] : listNames(files, folder)),
    file: (name) => {
      const file = files.file(paths.get(name) ?? name);
      return file && { ...file, name };
    },
  };
}

/** The subfolders that contain files of the format. Only for a submission that has none directly in its folder. */
export function listInnerFolders(files: SubmittedFiles): readonly string[] {
  if (FILE_NAMES.some((name) => files.file(name) !== undefined)) return [];
  return listNames(files).filter((folder) => {
    const names = listNames(files, folder);
    return FILE_NAMES.some((name) => names.includes(name));
  });
}

function findInnerFolder(files: SubmittedFiles): string | undefined {
  const [inner, ...others] = listInnerFolders(files);
  return others.length === 0 ? inner : undefined;
}

function listNames(files: SubmittedFiles, folder?: string): readonly string[] {
  return files.names(folder).filter((name) => !isJunk(name));
}

/** The only file name that differs from `submission.json` just in letter case. */
function findMetadata(names: readonly string[]): string | undefined {
  if (names.includes(METADATA_FILE)) return undefined;
  const [only, ...others] = names.filter((name) => name.toLowerCase() === METADATA_FILE);
  return others.length === 0 ? only : undefined;
}
