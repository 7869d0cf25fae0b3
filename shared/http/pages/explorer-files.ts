// The files of the explorer that `npm run build` wrote (ADR 0031). The name of each file contains the digest of its
// content, and each file is stored compressed.

import { brotliDecompressSync } from 'node:zlib';
import {
  type ExplorerFileNames,
  readCompressedExplorerFile,
  readExplorerFileNames,
  readExplorerText,
} from '../../explorer-build';
import type { PageCache, PageContent } from '../pipeline/service';
import { createFileContent, readOnce } from './page-files';

/** The files that the page names. The program itself names the others. */
type ExplorerPart =
  | 'program'
  | 'style'
  | 'mapProgram'
  | 'map'
  | 'mapShared'
  | 'mapWorker'
  | 'mapStyle'
  | 'states'
  | 'nature'
  | 'briefProgram'
  | 'briefStyle'
  | StatePart;

/** Parts with a file for each state, by that of one state, which all builds have. */
type StatePart = 'counties-UT' | 'water-UT';

/** File names by part. */
export type ExplorerFiles = ExplorerFileNames & Readonly<Record<ExplorerPart, string>>;

/** Undefined when the project is not built. */
export function readExplorerFiles(): ExplorerFiles | undefined {
  return readExplorerFileNames() as ExplorerFiles | undefined; // The build writes all parts.
}

/** The name of the file that a part has for each state, with `{state}` in place of its abbreviation. */
export function getStateTemplate(files: ExplorerFiles, part: StatePart): string {
  return files[part].replace('-UT-', '-{state}-');
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

/** Undefined if the build did not list the name. */
export function findExplorerFile(name: string, pages: PageCache): PageContent | undefined {
  return readOnce(`explorer ${name}`, pages, () => {
    if (!Object.values(readExplorerFiles() ?? {}).includes(name)) return undefined;
    const brotli = readCompressedExplorerFile(name);
    return { ...createFileContent(name, brotliDecompressSync(brotli)), brotli };
  });
}
