// A zip whose bytes depend on its content alone: the same twice, whenever and wherever it is made.

import { zipSync, type Zippable } from 'fflate';
import type { PackageFiles } from './package-files';

/** The first moment that a zip can say. It has no time zone: local time is written as it is. */
const MTIME = new Date(1980, 0, 1);

const UNIX = 3;

/** Readable by everybody: the platform mounts the package and runs it under an account of its own. */
const READABLE_FILE = 0o100644 << 16;

export function zip(files: PackageFiles): Uint8Array {
  const names = Object.keys(files).sort();
  const entries = names.map((name) => [name, [files[name], { os: UNIX, attrs: READABLE_FILE }]]);
  return zipSync(Object.fromEntries(entries) as Zippable, { level: 9, mtime: MTIME }); // Every name is a key of files.
}
