// The files of the explorer, as `npm run build` left them (ADR 0031). The name of each file has the digest of its content,
// and each file is stored compressed.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findProjectDirectory } from '../../project-files';
import { ownBytes } from '../../values/bytes/own-bytes';
import type { PageCache, PageContent } from '../pipeline/service';
import { createFileContent, readOnce } from './page-files';

const EXPLORER_FOLDER = 'dist/explorer';

/** Written by tools/build/explorer-files.mjs. */
const EXPLORER_LIST = `${EXPLORER_FOLDER}/files.json`;

/** The files that the page names. The program finds the others by the names in its code. */
type ExplorerPart =
  'program' | 'style' | 'mapProgram' | 'map' | 'mapWorker' | 'mapStyle' | 'states' | 'counties' | 'nature';

/** File names by part. Files that only other files name have their own name as the key. */
export type ExplorerFiles = Readonly<Record<string, string>> & Readonly<Record<ExplorerPart, string>>;

/** Undefined when the project is not built. */
export function readExplorerFiles(): ExplorerFiles | undefined {
  const path = join(findProjectDirectory(), EXPLORER_LIST);
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly parts: ExplorerFiles }).parts; // Written by our build.
}

/** The names of chunks that parts of the program share. */
export function listExplorerChunks(files: ExplorerFiles): readonly string[] {
  return Object.entries(files).flatMap(([part, name]) => (part === name ? [name] : []));
}

/** The outlines of the states as JSON; undefined when the project is not built. */
export function readExplorerStates(): string | undefined {
  const files = readExplorerFiles();
  return files === undefined ? undefined : brotliDecompressSync(readCompressed(files.states)).toString();
}

function readCompressed(name: string): Buffer {
  return ownBytes(readFileSync(join(findProjectDirectory(), EXPLORER_FOLDER, `${name}.br`)));
}

/** Relative to the project folder, for the package of the program. The package has only the compressed files. */
export function listExplorerFilePaths(): readonly string[] {
  const names = Object.values(readExplorerFiles() ?? {});
  return [EXPLORER_LIST, ...names.map((name) => `${EXPLORER_FOLDER}/${name}.br`)];
}

/** Undefined for a name that the build did not list. */
export function findExplorerFile(name: string, pages: PageCache): PageContent | undefined {
  return readOnce(`explorer ${name}`, pages, () => {
    if (!Object.values(readExplorerFiles() ?? {}).includes(name)) return undefined;
    const brotli = readCompressed(name);
    return { ...createFileContent(name, brotliDecompressSync(brotli)), brotli };
  });
}
