// Finds entries of the inbox that will never be processed, and explains what to do about them (D75).

import type { NotReadEntry } from '../../shared/store/catalog-types';
import { isArchive, isJunk, isMarker, isWorkbook } from '../format/entry-names';
import { isPackage } from '../unpack/unpack-submission';
import { type InboxEntry, WAITING } from './inbox-storage';
import { findMarkerPaths, listFolder, listMarkedFolders } from './markers';
import { SENT_FOLDER } from './submission-origin';

/** An entry that is not processed, with a sentence for its note and for the log. */
export interface NotRead extends Pick<NotReadEntry, 'path' | 'reason'> {
  readonly sentence: string;
}

/** Matches the name of a note, or of a partly written note. */
const NOTE_NAME = /\.not-read\.txt(?:\.draft)?$/;

/** The last line of a note. A file without it was not written by the service. */
const NOTE_END = 'The service wrote this note and will remove it when the problem is solved.';

/**
 * Programs that copy files may preserve the original times, or may take minutes. So an entry is reported only if its files are this old
 * and have not changed for this long.
 */
const OLD_MS = 60_000;
const UNCHANGED_MS = 10_000;

/** `now` is in milliseconds since 1970. */
export function findNotRead(entries: readonly InboxEntry[], now: number): readonly NotRead[] {
  return entries.flatMap((entry) => {
    const notRead = entry.path.startsWith(`${WAITING}/`) ? describeWaiting(entry) : describeOutside(entry);
    if (notRead === undefined) return [];
    return entry.kind === 'link' || isOld(entry, now) ? [{ path: entry.path, ...notRead }] : [];
  });
}

/** A time far in the future counts as old, because a clock is wrong or the time was set by hand. */
function isOld({ writtenAt, changedAt }: InboxEntry, now: number): boolean {
  return Math.abs(now - writtenAt) >= OLD_MS && Math.abs(now - changedAt) >= UNCHANGED_MS;
}

export function formatNote({ sentence }: NotRead): string {
  return `${sentence}\n${NOTE_END}\n`;
}

/** Whether a file is a note that the service wrote. */
export function isOwnNote(text: string): boolean {
  return text.trimEnd().endsWith(NOTE_END);
}

function describeWaiting(entry: InboxEntry): Omit<NotRead, 'path'> | undefined {
  const { path, kind, files } = entry;
  switch (kind) {
    case 'link':
      return {
        reason: 'link',
        sentence: `${path} is a link, and links are not read. Copy the folder itself into ${WAITING}/, and remove the link.`,
      };
    case 'other':
      return { reason: 'other', sentence: `${path} is neither a file nor a folder. Remove it.` };
    case 'file':
      return describeFile(path);
    case 'folder':
      return describeIncomplete(path, files);
  }
}

function describeFile(path: string): Omit<NotRead, 'path'> | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (isJunk(name) || NOTE_NAME.test(name)) return undefined;
  const folder = `a folder of its own in ${WAITING}/`;
  if (isPackage(name)) {
    return {
      reason: isArchive(name) ? 'archive' : 'workbook',
      sentence: `${path} is not in ${folder}, so it is not read. Make a folder ${WAITING}/${name.replace(/\.[^.]*$/, '')}, move ${name} into it, and put an empty file READY into that folder last.`,
    };
  }
  if (isArchive(name)) {
    return {
      reason: 'archive',
      sentence: `${path} is an archive that is not read; only ZIP files are. Unpack it into ${folder}, and put an empty file READY into that folder last.`,
    };
  }
  if (isWorkbook(name)) {
    return {
      reason: 'workbook',
      sentence: `${path} is a workbook that is not read; only .xlsx and .xlsm files are. Save it as an .xlsx file in ${folder}, and put an empty file READY into that folder last.`,
    };
  }
  return {
    reason: 'loose-file',
    sentence: `${path} is not in a folder of its own, so it is not read. Put all files of the submission into ${folder}, and an empty file READY last.`,
  };
}

/** The reason why a folder is incomplete; undefined if it is complete. */
function describeIncomplete(path: string, paths: readonly string[]): Omit<NotRead, 'path'> | undefined {
  const listing = listFolder(paths);
  const listInner = (folder: string): ReturnType<typeof listFolder> => listFolder(paths, `${folder}/`);
  if (findMarkerPaths(listing, listInner).length > 0) return undefined;
  // The submission is still being copied into a container (D76).
  if (paths.length > 0 && paths.every((one) => one.startsWith(`${SENT_FOLDER}/`))) return undefined;
  const marked = listMarkedFolders(listing, listInner).map(([marker = '']) => `${marker.split('/', 1)[0] ?? ''}/`);
  if (marked.length > 1) {
    return {
      reason: 'several-folders',
      sentence: `${path} has several submissions, in ${marked.join(' and ')}, so it is not read. Move each of these folders into ${WAITING}/.`,
    };
  }
  if (paths.length === 0) {
    return {
      reason: 'empty-folder',
      sentence: `${path} is empty, or the service is not allowed to read it. Put the files of the submission into it, and an empty file READY last.`,
    };
  }
  return {
    reason: 'no-marker',
    sentence: `${path} waits for a file submission.json or READY, so it is not read. When all files of the submission are in it, put an empty file READY next to them.`,
  };
}

/** Reports only entries that may be meant as submissions, because an operator may keep other files next to waiting/. */
function describeOutside({ path, kind, files }: InboxEntry): Omit<NotRead, 'path'> | undefined {
  const isMeant = kind === 'folder' ? files.some(isDataFile) : kind === 'file' && isDataFile(path);
  if (!isMeant) return undefined;
  const what = kind === 'folder' ? 'Move it into' : 'Put it into a folder of its own in';
  return {
    reason: 'outside-waiting',
    sentence: `${path} is next to ${WAITING}/, where nothing is read. ${what} ${WAITING}/.`,
  };
}

function isDataFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /\.csv$/i.test(name) || isMarker(name) || isArchive(name) || isWorkbook(name);
}
