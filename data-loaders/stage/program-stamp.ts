// What tells this program from the one before an update: rows that another program staged may mean something else.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { digestName, startDigest } from '../../shared/values/digest';

/** Of a bundle the one file is all of the program. */
const IS_BUNDLED = !/^program-stamp\.[jt]s$/.test(basename(__filename));

/** All of the program that reading a submission can depend on. */
const FOLDERS = [join(__dirname, '..'), join(__dirname, '..', '..', 'shared')];

/** Changes when a file of the loaders or of the library does. */
export function programStamp(): string {
  const digest = startDigest();
  const files = IS_BUNDLED ? [__filename] : FOLDERS.flatMap(programFiles);
  for (const path of files) digest.update(path).update(readFileSync(path));
  return digestName(digest);
}

function programFiles(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.(js|ts|json)$/.test(name))
    .map((name) => join(folder, name))
    .sort();
}
