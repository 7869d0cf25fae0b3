// The files of the explorer's program, as `npm run build` left them in dist/explorer (ADR 0091). Each name has the
// digest of the content in it, and each file stands beside its compressed form.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDirectory } from '../../project-files';
import type { PageCache, PageContent } from '../pipeline/service';
import { readPageFile } from './page-files';

const FOLDER = 'dist/explorer';

/** Written by tools/build-explorer.mjs. */
const LIST = `${FOLDER}/files.json`;

/** The parts that the page itself names; the program finds the others by the names in its own code. */
type ExplorerPart = 'program' | 'style' | 'mapProgram' | 'map' | 'mapWorker' | 'mapStyle' | 'states' | 'counties';

/** File names by part, and by themselves where only other files name them. */
export type ExplorerFiles = Readonly<Record<string, string>> & Readonly<Record<ExplorerPart, string>>;

/** Undefined where the project is not built. */
export function explorerFiles(): ExplorerFiles | undefined {
  const path = join(projectDirectory(), LIST);
  if (!existsSync(path)) return undefined;
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly parts: ExplorerFiles }).parts; // Written by our build.
}

/** Names of what the parts of the program share. */
export function explorerChunks(files: ExplorerFiles): readonly string[] {
  return Object.entries(files).flatMap(([part, name]) => (part === name ? [name] : []));
}

/** The path of the outlines of the states; undefined where the project is not built. */
export function explorerStates(): string | undefined {
  const files = explorerFiles();
  return files === undefined ? undefined : join(projectDirectory(), FOLDER, files.states);
}

/** Relative to the project's folder, for a package of the program. */
export function explorerFilePaths(): readonly string[] {
  const names = Object.values(explorerFiles() ?? {});
  return [LIST, ...names.flatMap((name) => [`${FOLDER}/${name}`, `${FOLDER}/${name}.br`])];
}

/** Undefined for a name that the build did not list. A file stays in the cache once it is read. */
export function explorerFile(name: string, pages: PageCache): PageContent | undefined {
  const key = `explorer ${name}`;
  const cached = pages.get(key);
  if (cached !== undefined) return cached;
  if (!Object.values(explorerFiles() ?? {}).includes(name)) return undefined;
  const brotli = readFileSync(join(projectDirectory(), FOLDER, `${name}.br`));
  const file = { ...readPageFile(`${FOLDER}/${name}`), brotli };
  pages.set(key, file, file.body.length + brotli.length);
  return file;
}
