// Everything that the code and the documents cite exists: decisions, decision records, documents and their sections,
// paths, npm commands, and the tests that a decision record names as its check. And what the tools for layers do not
// see: folders, not files, that import each other.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { allFiles, commentsOf, type ProjectFile, projectFiles, sourceFiles } from '../fixtures/project-text';

const files = allFiles();
const records = readdirSync(join(PROJECT, 'docs', 'adr')).filter((name) => /^\d{4}-/.test(name));
const numbers = records.map((name) => name.slice(0, 4));
const decisions = new Set(
  projectFiles(['docs/spec']).flatMap(({ text }) =>
    [...text.matchAll(/^### (D\d+)$/gm)].map(([, decision = '']) => decision),
  ),
);

/** Where a document that is cited by its name alone may lie. */
const DOCUMENT_FOLDERS = ['.', 'docs', 'docs/spec', 'docs/adr'];

/** Documents of a submission's report, and of the inbox. */
const NOT_DOCUMENTS = new Set(['report.md']);

const PATH = /(?<![\w./@:-])(?:functions|shared|data-loaders|host|tools|bench|tests|docs|infra)\/[\w./-]*/g;

/** Written when the project is built or run. */
const MADE_PATHS = /^(tests|docs|tools|host)\/(coverage|dist)\b|^docs\/(?:swagger|[0-9a-f]{8})/;

/** Citations in the comments of all files for which `exists` is false, each with its file. */
function unfulfilled(
  cited: (file: ProjectFile) => readonly string[],
  exists: (name: string, file: ProjectFile) => boolean,
): readonly string[] {
  return files.flatMap((file) =>
    [...new Set(cited(file))].filter((name) => !exists(name, file)).map((name) => `${file.path}: ${name}`),
  );
}

function documentPath(name: string, { path }: Pick<ProjectFile, 'path'>): string | undefined {
  const candidates = [...DOCUMENT_FOLDERS, dirname(path)].map((folder) => join(folder, name));
  return candidates.find((candidate) => existsSync(join(PROJECT, candidate)));
}

test('every decision that is cited is one of the specification', () => {
  expect(decisions.size).toBe(67);
  const cited = (file: ProjectFile): readonly string[] => [...commentsOf(file).matchAll(/\bD\d{1,2}\b/g)].map(String);
  expect(files.filter((file) => cited(file).length > 0).length).toBeGreaterThan(100);
  expect(unfulfilled(cited, (decision) => decisions.has(decision))).toEqual([]);
});

describe('docs/spec/where.md', () => {
  const rows = [
    ...readFileSync(join(PROJECT, 'docs', 'spec', 'where.md'), 'utf8').matchAll(/^\|([^|]*)\|[^|]*\|(.*)\|$/gm),
  ];

  test('has a row for every decision', () => {
    const listed = rows.flatMap(([, cell = '']) =>
      [...cell.matchAll(/\bD(\d+)(?: to D(\d+))?/g)].flatMap(([, first, last = first]) =>
        Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `D${Number(first) + index}`),
      ),
    );
    expect(listed.sort()).toEqual([...decisions].sort());
  });

  test('names files and folders that exist', () => {
    const named = rows.flatMap(([, , cell = '']) =>
      [...cell.matchAll(/`([^`]*\/[^`]*)`/g)].map(([, path = '']) => path),
    );
    expect(named.length).toBeGreaterThan(decisions.size);
    const isThere = (path: string): boolean => {
      const found = statSync(join(PROJECT, path), { throwIfNoEntry: false });
      return /\.\w+$/.test(path) ? found?.isFile() === true : found?.isDirectory() === true;
    };
    expect(named.filter((path) => !isThere(path))).toEqual([]);
  });
});

test('every decision record that is cited exists', () => {
  const cited = (file: ProjectFile): readonly string[] =>
    [...commentsOf(file).matchAll(/\bADRs? (\d{4})\b/g)].map(([, number = '']) => number);
  expect(files.filter((file) => cited(file).length > 0).length).toBeGreaterThan(50);
  expect(unfulfilled(cited, (number) => numbers.includes(number))).toEqual([]);
});

test('the index of decision records lists each with its title, and nothing else', () => {
  const index = readFileSync(join(PROJECT, 'docs', 'adr', 'README.md'), 'utf8');
  const listed = [...index.matchAll(/^\| \[\d{4}\]\((\d{4}-[\w-]+\.md)\) +\| (.*?) *\|$/gm)];
  expect(listed.map(([, name]) => name).sort()).toEqual(records);
  for (const [, name = '', title = ''] of listed) {
    const [, heading = ''] = /^# \d{4}\. (.*)$/m.exec(readFileSync(join(PROJECT, 'docs', 'adr', name), 'utf8')) ?? [];
    // A title may stand behind a status, within a sentence.
    expect(title).toContain(heading.slice(1));
  }
});

test('every document that is cited exists', () => {
  const cited = (file: ProjectFile): readonly string[] =>
    [...commentsOf(file).matchAll(/(?<![\w*`$}{/-]\/|[\w*-])[\w./-]+\.md\b/g)]
      .map(([name]) => name)
      .filter((name) => !NOT_DOCUMENTS.has(name) && !name.includes('//'));
  expect(unfulfilled(cited, (name, file) => documentPath(name, file) !== undefined)).toEqual([]);
});

test('every section that is cited beside a document exists in it', () => {
  const cited = (file: ProjectFile): readonly string[] =>
    [...commentsOf(file).matchAll(/(?<name>[\w./-]+\.md), (?:section )?(?<section>\d\b|"[^"\n]+")/g)].map(
      ({ groups }) => `${groups?.['name'] ?? ''}, ${groups?.['section'] ?? ''}`,
    );
  expect(files.filter((file) => cited(file).length > 0).length).toBeGreaterThan(20);
  const exists = (citation: string, file: ProjectFile): boolean => {
    const [name = ''] = citation.split(', ');
    const section = citation.slice(name.length + 2);
    const path = documentPath(name, file);
    if (path === undefined) return false;
    const headings = [...readFileSync(join(PROJECT, path), 'utf8').matchAll(/^#+ (.*)$/gm)].map(
      ([, title = '']) => title,
    );
    return headings.some((title) =>
      section.startsWith('"') ? `"${title}"` === section : title.startsWith(`${section}. `),
    );
  };
  expect(unfulfilled(cited, exists)).toEqual([]);
});

test('every path of the project that is cited exists', () => {
  const cited = (file: ProjectFile): readonly string[] =>
    [...commentsOf(file).matchAll(PATH)]
      .map(([path]) => path.replace(/[./-]+$/, ''))
      .filter((path) => !MADE_PATHS.test(path) && !/[A-Z]{3}/.test(path));
  expect(
    unfulfilled(cited, (path) => existsSync(join(PROJECT, path)) || existsSync(join(PROJECT, `${path}.ts`))),
  ).toEqual([]);
});

test('every npm command that is cited is a script of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const cited = (file: ProjectFile): readonly string[] =>
    [...file.text.matchAll(/\bnpm (?:run (?:--silent )?(?<script>[\w:-]+)|(?<own>start|test)\b)/g)].map(
      ({ groups }) => groups?.['script'] ?? groups?.['own'] ?? '',
    );
  expect(files.filter((file) => cited(file).length > 0).length).toBeGreaterThan(20);
  expect(unfulfilled(cited, (script) => script in scripts)).toEqual([]);
});

test.each(records)('the tests that %s names as its check have the names that it quotes', (record) => {
  const text = readFileSync(join(PROJECT, 'docs', 'adr', record), 'utf8').split('## Compliance')[1] ?? '';
  const named = [...text.matchAll(/`(?<path>tests\/[\w./-]+\.ts)`|"(?<title>[^"]+)"/g)].map(
    ({ groups }) => groups ?? {},
  );
  expect(text).not.toBe('');
  let path: string | undefined;
  const missing = named.flatMap(({ path: next, title }) => {
    path = next ?? path;
    if (title === undefined || path === undefined) return [];
    const source = words(readFileSync(join(PROJECT, path), 'utf8'));
    return title.split('...').every((part) => source.includes(words(part))) ? [] : [`${path}: ${title}`];
  });
  expect(missing).toEqual([]);
});

/** The words of a name, without the signs that only a program or only a sentence has. */
function words(text: string): string {
  return text.replaceAll(/[\s\\'"`.…]+/g, ' ').trim();
}

const sources = sourceFiles();
const paths = new Set(sources.map(({ path }) => path));

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
  for (const file of sources) {
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
  expect(sources.length).toBeGreaterThan(200);
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
