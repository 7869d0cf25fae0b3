// The files that the build wrote for the explorer (tools/build/explorer-files.mjs). The service reads outlines from them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findProjectDirectory } from './project-files';
import { ownBytes } from './values/bytes/own-bytes';

const EXPLORER_FOLDER = 'dist/explorer';

/** The list with the file name of each part. */
const EXPLORER_LIST = `${EXPLORER_FOLDER}/files.json`;

/** A file that only other files refer to is keyed by its own name. */
export type ExplorerFileNames = Readonly<Record<string, string>>;

/** Undefined if the project is not built. */
export function readExplorerFileNames(): ExplorerFileNames | undefined {
  const path = join(findProjectDirectory(), EXPLORER_LIST);
  if (!existsSync(path)) return undefined;
  // The build wrote this file.
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly parts: ExplorerFileNames }).parts;
}

/** Each file is stored compressed. */
export function readCompressedExplorerFile(name: string): Buffer {
  return ownBytes(readFileSync(join(findProjectDirectory(), EXPLORER_FOLDER, `${name}.br`)));
}

export function readExplorerText(name: string): string {
  return brotliDecompressSync(readCompressedExplorerFile(name)).toString();
}

/**
 * Returns paths relative to the project folder, for packaging the program. The package contains only the compressed
 * files.
 */
export function listExplorerFilePaths(): readonly string[] {
  const names = Object.values(readExplorerFileNames() ?? {});
  return [EXPLORER_LIST, ...names.map((name) => `${EXPLORER_FOLDER}/${name}.br`)];
}
