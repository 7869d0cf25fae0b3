// The README and docs/ say what the programs do: example requests are sent to the real host and their answers compared,
// the tables of parameters and settings are those of the declarations, and whatever a page refers to exists.

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

/** Stands for one or more lines that are left out. */
const GAP = /^ *\.\.\.$/;

const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8');
const requestsPage = readFileSync(join(PROJECT, 'docs', 'requests.md'), 'utf8');
const addingUpPage = readFileSync(join(PROJECT, 'docs', 'adding-up.md'), 'utf8');
const gisPage = readFileSync(join(PROJECT, 'docs', 'gis.md'), 'utf8');
const examples = [readme, requestsPage].flatMap(examplesOf);
const requests = examples.filter(({ command }) => command.startsWith('curl'));
const totals = examplesOf(addingUpPage);
const folder = createTemporaryFolder();

const host = startServerForTests(() => startHost({ WATER_DATA_DIR: join(folder, 'served') }));

function examplesOf(page: string): readonly Example[] {
  return [...page.matchAll(EXAMPLE)].map(({ groups }) => ({
    command: groups?.['command'] ?? '',
    shown: groups?.['shown'] ?? '',
  }));
}

/** The first of the shown lines that are missing from the real ones in this order; undefined when none is. */
function firstMissing(shown: string, real: string): string | undefined {
  const realLines = linesOf(real);
  const segments: string[][] = [[]];
  for (const line of linesOf(shown)) {
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

/** Without request ids, which are new each time. Release names stay: they follow FORMAT_VERSION and the samples. */
function linesOf(text: string): readonly string[] {
  const steady = text.replaceAll(/urn:uuid:[0-9a-f-]{36}/g, 'urn:uuid:ID');
  return steady.trimEnd().split('\n');
}

/** Whether the file is there and, behind a hash, the heading in it. */
function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(PROJECT, page) : join(PROJECT, dirname(page), path);
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map(anchorOf).includes(anchor);
}

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  const plain = heading.toLowerCase().replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '');
  return plain.replaceAll(' ', '-');
}

function pages(under: string): readonly string[] {
  return readdirSync(join(PROJECT, under))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(under, name));
}

/** The paths that the commands of docs/gis.md ask, with what curl puts behind them. */
function gisPaths(): readonly string[] {
  const commands = gisPage.replaceAll('\\\n', '').matchAll(/^curl .*$/gm);
  return Array.from(commands, ([command]) => {
    const [, path = ''] = /"\$URL([^"]+)"/.exec(command) ?? [];
    const items = [...command.matchAll(/--data-urlencode\s+"(\w+)=([^"]+)"/g)];
    const query = items.map(([, name = '', value = '']) => `${name}=${encodeURIComponent(value)}`).join('&');
    return query === '' ? path : `${path}?${query}`;
  });
}

test('the requests of docs/gis.md find samples', async () => {
  expect(gisPaths()).toHaveLength(7);
  const credentials = Buffer.from(`${host().key}:`).toString('base64');
  for (const path of gisPaths()) {
    const { status, text } = await sendRequest(host().port, path, { Authorization: `Basic ${credentials}` });
    expect([path, status]).toEqual([path, 200]);
    expect([path, /"numberMatched":0[,}]/.test(text)]).toEqual([path, false]);
  }
});

test.each([...requests, ...totals])('answers as the page shows: $command', async ({ command, shown }) => {
  const path = CURL.exec(command)?.groups?.['path'];
  if (path === undefined) throw new Error(`not a request that this test can send: ${command}`);
  const { status, text } = await host().get(path);
  const answer = JSON.parse(text) as { readonly status?: number };
  expect(status).toBe(answer.status ?? 200);
  expect(firstMissing(shown, JSON.stringify(answer, null, 2))).toBeUndefined();
});

test('a load prints the report that the README shows', async () => {
  const loads = examples.filter(({ command }) => command.startsWith('npm run load -- '));
  expect(loads).toHaveLength(1);
  for (const { command, shown } of loads) {
    const [submission = '', ...options] = command.replace('npm run load -- ', '').split(' ');
    const { code, output } = await runProgram('load', [join(PROJECT, submission), ...options], {
      WATER_DATA_DIR: join(folder, 'empty'),
    });
    expect(code).toBe(0);
    expect(firstMissing(shown, output)).toBeUndefined();
  }
});

test.each(['README.md', 'CHANGELOG.md', ...pages('docs'), ...pages('docs/adr'), ...pages('docs/spec')])(
  'the links of %s lead somewhere',
  (page) => {
    const text = readFileSync(join(PROJECT, page), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links.filter((link) => !leadsSomewhere(page, link))).toEqual([]);
  },
);
