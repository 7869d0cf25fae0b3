// Writes the files of a build so that a running program never reads an incomplete file.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import process from 'node:process';

/** Leaves a file unchanged if it already has this content. `content` is a string or bytes. */
export function writeOutput(path, content) {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.new`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
}
