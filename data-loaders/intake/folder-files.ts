// The files of a folder as they are now, by which a change of a submission is noticed while it is read (ADR 0052).

import { lstatSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface FileState {
  /** Below the folder. */
  readonly path: string;
  /** Changes with the file: size, times in nanoseconds, inode. No program can set the time of a file's last change. */
  readonly identity: string;
  /** When the file was written, or got its name, in milliseconds since 1970. */
  readonly changedAt: number;
}

/** All files below the folder, sorted by path; throws ENOENT when one is taken away at this moment. */
export function fileStatesBelow(folder: string): readonly FileState[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory());
  const paths = entries.map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return paths.sort().map((path) => fileState(folder, path));
}

/** Throws ENOENT when there is no such file. A link counts as what it leads to. */
export function fileState(folder: string, path: string): FileState {
  const file = join(folder, path);
  const found = statSync(file, { bigint: true, throwIfNoEntry: false }) ?? lstatSync(file, { bigint: true });
  const { size, mtimeNs, ctimeNs, ino } = found;
  const changedAt = Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n);
  return { path, identity: [size, mtimeNs, ctimeNs, ino].join(' '), changedAt };
}
