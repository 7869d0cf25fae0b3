// The files that the build wrote for the explorer (tools/build/explorer-files.mjs). The service reads outlines from them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findProjectDirectory } from './project-files';
import { ownBytes } from './values/bytes/own-bytes';

const EXPLORER_FOLDER = 'dist/explorer';

/** Names the file of each part. */
const EXPLORER_LIST = `${EXPLORER_FOLDER}/files.json`;

/** Files that only other files name have their own name as the key. */
export type ExplorerFileNames = Readonly<Record<string, string>>;

/** Undefined when the project is not built. */
export function readExplorerFileNames(): ExplorerFileNames | undefined {
  const path = join(findProjectDirectory(), EXPLORER_LIST);
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly parts: ExplorerFileNames }).parts; // Written by our build.
}

/** Each file is stored compressed. */
export function readCompressedExplorerFile(name: string): Buffer {
  return ownBytes(readFileSync(join(findProjectDirectory(), EXPLORER_FOLDER, `${name}.br`)));
}

export function readExplorerText(name: string): string {
  return brotliDecompressSync(readCompressedExplorerFile(name)).toString();
}

/** Relative to the project folder, for the package of the program. The package has only the compressed files. */
export function listExplorerFilePaths(): readonly string[] {
  const names = Object.values(readExplorerFileNames() ?? {});
  return [EXPLORER_LIST, ...names.map((name) => `${EXPLORER_FOLDER}/${name}.br`)];
}
