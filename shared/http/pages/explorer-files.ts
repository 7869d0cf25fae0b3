// The files of the explorer, as `npm run build` left them (ADR 0031). The name of each file has the digest of its content,
// and each file is stored compressed.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { findProjectDirectory } from '../../project-files';
import type { PageCache, PageContent } from '../pipeline/service';
import { createFileContent, readOnce } from './page-files';

/**
 * The explorer's program as `npm run build` left it (ADR 0031): each name has the digest of the content in it, and each
 * file stands beside its compressed form.
 */
const EXPLORER_FOLDER = 'dist/explorer';

/** Written by tools/build/explorer-files.mjs. */
const EXPLORER_LIST = `${EXPLORER_FOLDER}/files.json`;

/** The parts that the page itself names; the program finds the others by the names in its own code. */
type ExplorerPart =
  'program' | 'style' | 'mapProgram' | 'map' | 'mapWorker' | 'mapStyle' | 'states' | 'counties' | 'nature';

/** File names by part, and by themselves where only other files name them. */
export type ExplorerFiles = Readonly<Record<string, string>> & Readonly<Record<ExplorerPart, string>>;

/** Undefined where the project is not built. */
export function readExplorerFiles(): ExplorerFiles | undefined {
  const path = join(findProjectDirectory(), EXPLORER_LIST);
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly parts: ExplorerFiles }).parts; // Written by our build.
}

/** Names of what the parts of the program share. */
export function listExplorerChunks(files: ExplorerFiles): readonly string[] {
  return Object.entries(files).flatMap(([part, name]) => (part === name ? [name] : []));
}

/** The outlines of the states as JSON; undefined where the project is not built. */
export function readExplorerStates(): string | undefined {
  const files = readExplorerFiles();
  return files === undefined ? undefined : brotliDecompressSync(readCompressed(files.states)).toString();
}

function readCompressed(name: string): Buffer {
  return readFileSync(join(findProjectDirectory(), EXPLORER_FOLDER, `${name}.br`));
}

/** Relative to the project's folder, for a package of the program: what stands compressed is not needed plain. */
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
