// Finds the files that mark a waiting submission as complete (D75).

import { isJunk, isMarker } from '../format/entry-names';
import { amountsFileNames, lookupFiles } from '../format/submission-files';
import { SENT_FOLDER } from './submission-origin';

/** The names of the files and folders directly in a folder. */
export interface FolderListing {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

const FILE_NAMES: ReadonlySet<string> = new Set([
  ...Object.values(lookupFiles).map(({ name }) => name),
  ...amountsFileNames,
]);

/**
 * The paths of a submission's markers: in its folder, or in its only subfolder that has any. If files of the format are
 * next to the subfolder, the subfolder is not searched.
 */
export function findMarkerPaths(
  listing: FolderListing,
  listInner: (folder: string) => FolderListing,
): readonly string[] {
  const own = listing.files.filter(isMarker);
  if (own.length > 0) return own;
  if (listing.files.some((name) => FILE_NAMES.has(name))) return [];
  const [inner = [], ...others] = listMarkedFolders(listing, listInner);
  return others.length === 0 ? inner : [];
}

/** The paths of the markers in each subfolder that has any. */
export function listMarkedFolders(
  { folders }: FolderListing,
  listInner: (folder: string) => FolderListing,
): readonly (readonly string[])[] {
  const inner = folders.filter((name) => !isJunk(name) && !name.startsWith('.') && name !== SENT_FOLDER);
  const markers = inner.map((folder) =>
    listInner(folder)
      .files.filter(isMarker)
      .map((name) => `${folder}/${name}`),
  );
  return markers.filter((paths) => paths.length > 0);
}

/** Lists a folder in a tree of files with the given paths. */
export function listFolder(paths: readonly string[], prefix = ''): FolderListing {
  const files: string[] = [];
  const folders = new Set<string>();
  for (const path of paths) {
    if (!path.startsWith(prefix)) continue;
    const [name = '', ...deeper] = path.slice(prefix.length).split('/');
    if (deeper.length === 0) files.push(name);
    else folders.add(name);
  }
  return { files, folders: [...folders] };
}
