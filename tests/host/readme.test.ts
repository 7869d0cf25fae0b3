// The commands, requests and links of the README and of docs/ work: requests are sent to the real host, and their
// answers match the page.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT, runProgram, sendRequest, startHost } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

interface Example {
  readonly command: string;
  readonly shown: string;
}

/** Matches a block with one command and, right after it, the block of its output. */
const EXAMPLE = /^```sh\n(?<command>[^\n]*)\n```\n\n```(?:json|text)\n(?<shown>[^`]*\n)```$/gm;

const CURL = /^curl -H "X-API-Key: \$KEY" "http:\/\/127\.0\.0\.1:7071(?<path>\/[^"]+)"$/;

const LOAD = 'npm run load -- ';

/** Stands for one or more lines that are left out. */
const GAP = /^ *\.\.\.$/;

const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
const requestsPage = readFileSync(join(PROJECT, 'docs', 'requests.md'), 'utf8');
const addingUpPage = readFileSync(join(PROJECT, 'docs', 'adding-up.md'), 'utf8');
const gisPages = ['gis.md', 'harvesting.md', 'tiles.md'].map((page) =>
  readFileSync(join(PROJECT, 'docs', page), 'utf8'),
);
const examples = [readme, requestsPage].flatMap(findExamples);
const requests = examples.filter(({ command }) => command.startsWith('curl'));
const totals = findExamples(addingUpPage);
const loadCommands = examples.filter(({ command }) => command.startsWith(LOAD));
const folder = createTemporaryFolder();

const host = startServerForTests(() => startHost({ WATER_DATA_DIR: join(folder, 'served') }));

function findExamples(page: string): readonly Example[] {
  return [...page.matchAll(EXAMPLE)].map(({ groups }) => ({
    command: groups?.['command'] ?? '',
    shown: groups?.['shown'] ?? '',
  }));
}

/**
 * Finds the first block of shown lines that does not occur, in order, in the real text. Undefined if all blocks occur.
 */
function findFirstMissingLines(shown: string, real: string): string | undefined {
  const realLines = splitLines(real);
  const segments: string[][] = [[]];
  for (const line of splitLines(shown)) {
    if (GAP.test(line)) segments.push([]);
    else segments.at(-1)?.push(line);
  }
  let position = 0;
  for (const [index, segment] of segments.entries()) {
    if (index === 0 || segment.length > 0) {
      const starts = index === 0 ? [0] : realLines.map((_, at) => at).slice(position + 1);
      const start = starts.find((at) => segment.every((line, offset) => realLines[at + offset] === line));
      if (start === undefined) return segment.join('\n');
      position = start + segment.length;
    }
  }
  const endsWithGap = segments.at(-1)?.length === 0;
  if (endsWithGap || position === realLines.length) return undefined;
  return `end, before: ${realLines[position] ?? ''}`;
}

/** Hides request ids, which differ in each run. Release names stay: they follow from FORMAT_VERSION and the samples. */
function splitLines(text: string): readonly string[] {
  const steady = text.replaceAll(/urn:uuid:[0-9a-f-]{36}/g, 'urn:uuid:ID');
  return steady.trimEnd().split('\n');
}

/** Whether the file exists and has the heading that the fragment names. */
function isValidLink(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(PROJECT, page) : join(PROJECT, dirname(page), path);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map(makeAnchor).includes(anchor);
}

/** The anchor that GitHub generates for a heading. */
function makeAnchor(heading: string): string {
  const plain = heading.toLowerCase().replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '');
  return plain.replaceAll(' ', '-');
}

function listPages(under: string): readonly string[] {
  return readdirSync(join(PROJECT, under))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(under, name));
}

/** The paths of the requests in the pages for GIS programs, with the query that curl adds. */
function readGisPaths(): readonly string[] {
  const commands = gisPages
    .join('\n')
    .replaceAll('\\\n', '')
    .matchAll(/^curl .*$/gm);
  return Array.from(commands, ([command]) => {
    const [, path = ''] = /"\$URL([^"]+)"/.exec(command) ?? [];
    const items = [...command.matchAll(/--data-urlencode\s+"(\w+)=([^"]+)"/g)];
    const query = items.map(([, name = '', value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
    return query === '' ? path : `${path}?${query}`;
  });
}

test('the requests in the pages for GIS programs return samples', async () => {
  expect(readGisPaths()).not.toEqual([]);
  const credentials = Buffer.from(`${host().key}:`).toString('base64');
  for (const path of readGisPaths()) {
    const { status, text } = await sendRequest(host().port, path, { Authorization: `Basic ${credentials}` });
    expect([path, status]).toEqual([path, 200]);
    expect([path, /"numberMatched":0[,}]/.test(text)]).toEqual([path, false]);
  }
});

test.each([...requests, ...totals])('$command prints what the page shows', async ({ command, shown }) => {
  const path = CURL.exec(command)?.groups?.['path'];
  if (path === undefined) throw new Error(`not a request that this test can send: ${command}`);
  const { status, text } = await host().get(path);
  const answer = JSON.parse(text) as { readonly status?: number };
  expect(status).toBe(answer.status ?? 200);
  expect(findFirstMissingLines(shown, JSON.stringify(answer, null, 2))).toBeUndefined();
});

test.each(loadCommands)('$command works', async ({ command }) => {
  const [submission = '', ...options] = command.replace(LOAD, '').split(' ');
  const { code, output } = await runProgram('load', [join(PROJECT, submission), ...options], {
    WATER_DATA_DIR: join(folder, 'empty'),
  });
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/record/) });
});

test.each([
  'README.md',
  'CHANGELOG.md',
  ...listPages('docs'),
  ...listPages('docs/operating'),
  ...listPages('docs/adr'),
  ...listPages('docs/spec'),
])('the links of %s are valid', (page) => {
  const text = readFileSync(join(PROJECT, page), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !isValidLink(page, link))).toEqual([]);
});
