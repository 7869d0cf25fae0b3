// What the tools for layers do not see: folders, not files, that import each other, names that are exported twice, and
// files that a program left at the top.

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { sourceFiles, type ProjectFile } from '../fixtures/project-text';

const files = sourceFiles();
const paths = new Set(files.map(({ path }) => path));

/** The folders from which a folder imports. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

function importsOf({ path, text }: ProjectFile): readonly string[] {
  const specifiers = [...text.matchAll(/(?:from|import\() ?'(\.[^']+?)(?:\.js)?'/g)].map(([, specifier = '']) => specifier);
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

test('every exported name is exported once', () => {
  const exported = new Map<string, string[]>();
  for (const { path, text } of files) {
    const declared = text.matchAll(
      /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
    );
    for (const [, name = ''] of declared) exported.set(name, [...(exported.get(name) ?? []), path]);
  }
  expect(exported.size).toBeGreaterThan(500);
  expect([...exported].filter(([, places]) => new Set(places).size > 1)).toEqual([]);
});

test('no file hands on what another one exports', () => {
  const barrels = files.filter(({ text }) => /^export (?:\*|(?:type )?\{[^}]*\}) from /m.test(text));
  expect(barrels.map(({ path }) => path)).toEqual([]);
});

/** What stands at the top beside folders: documents and settings. */
const AT_THE_TOP = /^(\.[\w.-]+|(README|CHANGELOG)\.md|LICENSE|[\w.-]+\.(json|mjs|js))$/;

/** Who has the project without its history cannot tell what is kept. */
const testOfKept = existsSync(join(PROJECT, '.git')) ? test : test.skip;

testOfKept('nothing that a program left lies at the top', () => {
  const kept = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' }).split('\n');
  const top = kept.filter((path) => path !== '' && !path.includes('/'));
  expect(top).toContain('package.json');
  expect(top.filter((path) => !AT_THE_TOP.test(path))).toEqual([]);
});
