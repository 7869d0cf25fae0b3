// Dependencies between folders point one way (docs/architecture.md, "Folders"): `npm run layers` checks files, this file
// checks folders.

import { dirname, join } from 'node:path';
import { type ProjectFile, readSourceFiles } from '../fixtures/project-text';

/** The folders from which each folder imports. */
type FolderGraph = ReadonlyMap<string, ReadonlySet<string>>;

const sources = readSourceFiles();
const sourcePaths = new Set(sources.map(({ path }) => path));
const graph = buildFolderGraph();

test('reads the sources and finds their imports', () => {
  expect(graph.get('shared/http')).toContain('shared/query');
  expect(graph.get('functions')).toContain('shared/http/pages');
});

test('no two folders import each other, not even a folder and its own subfolder', () => {
  const pairs = [...graph].flatMap(([folder, imported]) =>
    [...imported]
      .filter((other) => folder < other && graph.get(other)?.has(folder))
      .map((other) => `${folder} <-> ${other}`),
  );
  expect(pairs).toEqual([]);
});

test('no chain of imports leads from a folder back to it', () => {
  const cycles = [...graph.keys()].map(findCycle).filter((cycle) => cycle !== undefined);
  expect(cycles).toEqual([]);
});

function buildFolderGraph(): FolderGraph {
  const folders = new Map<string, Set<string>>();
  for (const file of sources) {
    const folder = dirname(file.path);
    const imported = folders.get(folder) ?? new Set<string>();
    folders.set(folder, imported);
    for (const path of findImports(file)) {
      if (dirname(path) !== folder) imported.add(dirname(path));
    }
  }
  return folders;
}

/** The paths of the project's own files that a file imports. */
function findImports({ path, text }: ProjectFile): readonly string[] {
  const specifiers = Array.from(
    text.matchAll(/(?:from|import\() ?'(\.[^']+?)(?:\.js)?'/g),
    ([, specifier = '']) => specifier,
  );
  return specifiers
    .flatMap((specifier) => ['.ts', '.tsx'].map((ending) => `${join(dirname(path), specifier)}${ending}`))
    .filter((candidate) => sourcePaths.has(candidate));
}

/** The shortest chain of imports from a folder back to it, found breadth-first; undefined if there is none. */
function findCycle(start: string): readonly string[] | undefined {
  const visited = new Set<string>();
  const queue: (readonly string[])[] = [[start]];
  for (let chain = queue.shift(); chain !== undefined; chain = queue.shift()) {
    for (const next of graph.get(chain.at(-1) ?? start) ?? []) {
      if (next === start) return [...chain, start];
      if (!visited.has(next)) queue.push([...chain, next]);
      visited.add(next);
    }
  }
  return undefined;
}
