// The files of the explorer, as `npm run build` left them (ADR 0031). The name of each file has the digest of its content,
// and each file is stored compressed.

import { brotliDecompressSync } from 'node:zlib';
import {
  type ExplorerFileNames,
  readCompressedExplorerFile,
  readExplorerFileNames,
  readExplorerText,
} from '../../explorer-build';
import type { PageCache, PageContent } from '../pipeline/service';
import { createFileContent, readOnce } from './page-files';

/** The files that the page names. The program finds the others by the names in its code. */
type ExplorerPart =
  'program' | 'style' | 'mapProgram' | 'map' | 'mapWorker' | 'mapStyle' | 'states' | 'nature' | 'counties-UT';

/** File names by part. */
export type ExplorerFiles = ExplorerFileNames & Readonly<Record<ExplorerPart, string>>;

/** Undefined when the project is not built. */
export function readExplorerFiles(): ExplorerFiles | undefined {
  return readExplorerFileNames() as ExplorerFiles | undefined; // Our build writes all parts.
}

/** The name of the file with the counties of a state, with `{state}` in place of its abbreviation. */
export function getCountiesTemplate(files: ExplorerFiles): string {
  return files['counties-UT'].replace('counties-UT', 'counties-{state}');
}

/** The names of chunks that parts of the program share. */
export function listExplorerChunks(files: ExplorerFiles): readonly string[] {
  return Object.entries(files).flatMap(([part, name]) => (part === name ? [name] : []));
}

/** The outlines of the states as JSON; undefined when the project is not built. */
export function readExplorerStates(): string | undefined {
  const files = readExplorerFiles();
  return files === undefined ? undefined : readExplorerText(files.states);
}

/** Undefined for a name that the build did not list. */
export function findExplorerFile(name: string, pages: PageCache): PageContent | undefined {
  return readOnce(`explorer ${name}`, pages, () => {
    if (!Object.values(readExplorerFiles() ?? {}).includes(name)) return undefined;
    const brotli = readCompressedExplorerFile(name);
    return { ...createFileContent(name, brotliDecompressSync(brotli)), brotli };
  });
}
