// What the tools for layers do not see: folders, not files, that import each other.

import { dirname, join } from 'node:path';
import { sourceFiles, type ProjectFile } from '../fixtures/project-text';

const files = sourceFiles();
const paths = new Set(files.map(({ path }) => path));

/** The folders from which a folder imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function importsOf({ path, text }: ProjectFile): readonly string[] {
  const specifiers = [...text.matchAll(/(?:from|import\() ?'(\.[^']+?)(?:\.js)?'/g)].map(
    ([, specifier = '']) => specifier,
  );
  return specifiers
    .flatMap((specifier) => ['.ts', '.tsx'].map((ending) => `${join(dirname(path), specifier)}${ending}`))
    .filter((target) => paths.has(target));
}

function folderGraph(): Graph {
  const graph = new Map<string, Set<string>>();
  for (const file of files) {
    const folder = dirname(file.path);
    const targets = graph.get(folder) ?? new Set<string>();
    graph.set(folder, targets);
    for (const target of importsOf(file)) if (dirname(target) !== folder) targets.add(dirname(target));
  }
  return graph;
}

/** A chain of imports from a folder back to itself; undefined when there is none. */
function cycleFrom(start: string, graph: Graph): readonly string[] | undefined {
  const seen = new Set<string>();
  const ways: (readonly string[])[] = [[start]];
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of graph.get(way.at(-1) ?? start) ?? []) {
      if (next === start) return [...way, start];
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

const graph = folderGraph();

test('all source is read, and its imports are found', () => {
  expect(files.length).toBeGreaterThan(200);
  expect(graph.get('shared/http')).toContain('shared/query');
  expect(graph.get('functions')).toContain('shared/http/pages');
});

test('no two folders import each other, a folder and its own subfolder neither', () => {
  const pairs = [...graph].flatMap(([folder, targets]) =>
    [...targets]
      .filter((target) => folder < target && graph.get(target)?.has(folder))
      .map((target) => [folder, target]),
  );
  expect(pairs).toEqual([]);
});

test('no chain of imports leads from a folder back to it', () => {
  expect([...graph.keys()].map((folder) => cycleFrom(folder, graph)).filter((way) => way !== undefined)).toEqual([]);
});
