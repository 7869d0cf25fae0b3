// The explorer files that `npm run build` has written (ADR 0031). Each file has the digest of its content in its name,
// and is stored compressed.

import { brotliDecompressSync } from 'node:zlib';
import {
  type ExplorerFileNames,
  readCompressedExplorerFile,
  readExplorerFileNames,
  readExplorerText,
} from '../../explorer-build';
import type { PageCache, PageContent } from '../pipeline/service';
import { createFileContent, readOnce } from './page-files';

/** The files that the page refers to. The program itself refers to the others. */
type ExplorerPart =
  | 'program'
  | 'style'
  | 'map'
  | 'mapShared'
  | 'mapWorker'
  | 'states'
  | 'nature'
  | 'briefProgram'
  | 'briefStyle'
  | StatePart;

/** Parts with one file per state. They are identified by the file of one state, which every build contains. */
type StatePart = 'counties-UT' | 'water-UT';

/** File names by part. */
export type ExplorerFiles = ExplorerFileNames & Readonly<Record<ExplorerPart, string>>;

/** Undefined if the project has not been built. */
export function readExplorerFiles(): ExplorerFiles | undefined {
  return readExplorerFileNames() as ExplorerFiles | undefined; // The build writes all parts.
}

/** Returns the file name of a part, with `{state}` in place of the state's abbreviation. */
export function getStateTemplate(files: ExplorerFiles, part: StatePart): string {
  return files[part].replace('-UT-', '-{state}-');
}

/** Returns the outlines of the states as JSON; undefined if the project has not been built. */
export function readExplorerStates(): string | undefined {
  const files = readExplorerFiles();
  return files === undefined ? undefined : readExplorerText(files.states);
}

/** Undefined unless the build listed the name. */
export function findExplorerFile(name: string, pages: PageCache): PageContent | undefined {
  return readOnce(`explorer ${name}`, pages, () => {
    if (!Object.values(readExplorerFiles() ?? {}).includes(name)) return undefined;
    const brotli = readCompressedExplorerFile(name);
    return { ...createFileContent(name, brotliDecompressSync(brotli)), brotli };
  });
}
