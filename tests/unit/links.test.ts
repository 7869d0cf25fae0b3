// References in documents and code exist: files, headings, npm scripts, decisions and decision records.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT } from '../fixtures/host-process';
import { extractComments, type ProjectFile, readAllFiles, readProjectFiles } from '../fixtures/project-text';

const files = [...readAllFiles(), ...readProjectFiles(['clients'])];
const documents = files.filter(({ path }) => path.endsWith('.md'));

/**
 * Documents whose paths must exist in the project today. Released sections of the changelog are never edited, so they
 * may name files that no longer exist; paths in the documents of clients are relative to the client.
 */
const documentsWithProjectPaths = documents.filter(
  ({ path }) => path !== 'CHANGELOG.md' && !path.startsWith('clients/'),
);

const decisions = new Set(
  readProjectFiles(['docs/spec']).flatMap(({ text }) => findAll(text, /^### (?<match>D\d+)$/gm)),
);
const decisionRecords = readProjectFiles(['docs/adr'])
  .map(({ path }) => path.replace('docs/adr/', ''))
  .filter((name) => /^\d{4}-/.test(name));

/** The distinct groups named `match` of a pattern. */
function findAll(text: string, pattern: RegExp): readonly string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ({ groups }) => groups?.['match'] ?? ''))];
}

/** Each broken reference, with its file. Fails if there are no references at all. */
function findBroken(
  sources: readonly ProjectFile[],
  findReferences: (file: ProjectFile) => readonly string[],
  exists: (reference: string) => boolean,
): readonly string[] {
  const references = sources.flatMap((file) =>
    findReferences(file).map((reference) => ({ path: file.path, reference })),
  );
  expect(references).not.toEqual([]);
  return references.filter(({ reference }) => !exists(reference)).map(({ path, reference }) => `${path}: ${reference}`);
}

describe('documents', () => {
  test.each(documents.map((document) => [document.path, document] as const))(
    'the links of %s lead to files and headings that exist',
    (_, document) => {
      const links = findAll(document.text, /\]\((?!https?:|mailto:)(?<match>[^)]+)\)/g);
      expect(links.filter((link) => !leadsToTarget(document.path, link))).toEqual([]);
    },
  );

  test('name paths that exist in the project', () => {
    const paths =
      /(?<![\w./@:-])(?<match>(?:functions|shared|data-loaders|host|tools|bench|tests|docs|infra)\/[\w./-]*)/g;
    const findPaths = ({ text }: ProjectFile): readonly string[] =>
      findAll(text, paths)
        .map((path) => path.replace(/[./-]+$/, ''))
        .filter((path) => !isGenerated(path) && !isPlaceholder(path));
    const exists = (path: string): boolean =>
      existsSync(join(PROJECT, path)) || existsSync(join(PROJECT, `${path}.ts`));
    expect(findBroken(documentsWithProjectPaths, findPaths, exists)).toEqual([]);
  });
});

test('every npm script that documents and code mention is in package.json', () => {
  const packageFile: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(PROJECT, 'package.json'), 'utf8'),
  );
  const findScripts = ({ text }: ProjectFile): readonly string[] => [
    ...findAll(text, /\bnpm run (?:--silent )?(?<match>[\w:-]+)/g),
    ...findAll(text, /\bnpm (?<match>start|test)\b/g),
  ];
  expect(findBroken(files, findScripts, (script) => script in packageFile.scripts)).toEqual([]);
});

test('every decision that documents and code cite is in docs/spec', () => {
  const findDecisions = (file: ProjectFile): readonly string[] =>
    findAll(extractComments(file), /\b(?<match>D\d{1,2})\b/g);
  expect(findBroken(files, findDecisions, (decision) => decisions.has(decision))).toEqual([]);
});

test('every decision record that documents and code cite is in docs/adr', () => {
  const findRecords = (file: ProjectFile): readonly string[] =>
    findAll(extractComments(file), /\bADRs? (?<match>\d{4})\b/g);
  const numbers = new Set(decisionRecords.map((name) => name.slice(0, 4)));
  expect(findBroken(files, findRecords, (number) => numbers.has(number))).toEqual([]);
});

test('the index of decision records links to each of them', () => {
  const index = readFileSync(join(PROJECT, 'docs', 'adr', 'README.md'), 'utf8');
  const linked = findAll(index, /^\| \[\d{4}\]\((?<match>\d{4}-[\w-]+\.md)\)/gm);
  expect([...linked].sort()).toEqual([...decisionRecords].sort());
});

describe('docs/spec/where.md', () => {
  const text = readFileSync(join(PROJECT, 'docs', 'spec', 'where.md'), 'utf8');
  const rows = Array.from(text.matchAll(/^\|(?<subjects>[^|]*)\|[^|]*\|(?<places>.*)\|$/gm), ({ groups }) => ({
    decisions: groups?.['subjects'] ?? '',
    files: groups?.['places'] ?? '',
  }));

  test('has a row for every decision', () => {
    const listed = rows.flatMap((row) => readDecisionRanges(row.decisions));
    expect(listed.sort()).toEqual([...decisions].sort());
  });

  test('names existing files and folders', () => {
    const paths = rows.flatMap((row) => findAll(row.files, /`(?<match>[^`]*\/[^`]*)`/g));
    expect(paths).not.toEqual([]);
    expect(paths.filter((path) => !isFileOrFolder(path))).toEqual([]);
  });
});

/** Whether the file exists and has the heading that a fragment names. */
function leadsToTarget(documentPath: string, link: string): boolean {
  const [path = '', fragment] = link.split('#');
  const target = path === '' ? join(PROJECT, documentPath) : join(PROJECT, dirname(documentPath), path);
  if (!existsSync(target)) return false;
  if (fragment === undefined) return true;
  const headings = findAll(readFileSync(target, 'utf8'), /^#+ (?<match>.*)$/gm);
  return headings.map(toFragment).includes(fragment);
}

/** The fragment that GitHub generates for a heading. */
function toFragment(heading: string): string {
  const plain = heading.toLowerCase().replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '');
  return plain.replaceAll(' ', '-');
}

/** Whether building or running the project writes this path. */
function isGenerated(path: string): boolean {
  return /^(tests|docs|tools|host)\/(coverage|dist)\b|^docs\/(?:swagger|[0-9a-f]{8})/.test(path);
}

/** Whether a part of the path is a placeholder, as in `docs/adr/NNNN-title.md`. */
function isPlaceholder(path: string): boolean {
  return /[A-Z]{3}/.test(path);
}

function isFileOrFolder(path: string): boolean {
  const stats = statSync(join(PROJECT, path), { throwIfNoEntry: false });
  const hasExtension = /\.\w+$/.test(path);
  return hasExtension ? stats?.isFile() === true : stats?.isDirectory() === true;
}

/** `D1 to D3, D7` becomes D1, D2, D3 and D7. */
function readDecisionRanges(cell: string): readonly string[] {
  return [...cell.matchAll(/\bD(\d+)(?: to D(\d+))?/g)].flatMap(([, first, last = first]) => {
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => `D${Number(first) + index}`);
  });
}
