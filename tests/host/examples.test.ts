// The programs of docs/examples, run as clients run them: they write the records that the service returns.

import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { type EndedProcess, PROJECT, runProgram, sendRequest, startHost, waitForEnd } from '../fixtures/host-process';
import { listenOnLoopback, startServerForTests } from '../fixtures/loopback-server';
import { describeWith, type OptionalTool, testWith } from '../fixtures/optional-tool';
import { canRun, CURL } from '../fixtures/outside-tools';
import { isSoak } from '../fixtures/soak';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

interface Client {
  readonly program: string;
  /** What the program needs, and how to install it. */
  readonly needs: string;
  readonly howToInstall: string;
  /** The program runs with the first of these commands that has the needed packages. */
  readonly interpreters: readonly (readonly string[])[];
  readonly check: readonly string[];
  /** The option for running a string instead of a file. */
  readonly textOption: readonly string[];
  /** The heading of its short example on the landing page. */
  readonly language: string;
}

const clients: readonly Client[] = [
  {
    program: 'walk.mjs',
    needs: 'node',
    howToInstall: 'Install Node.js.',
    interpreters: [[process.execPath]],
    check: ['--version'],
    textOption: ['--input-type=module', '--eval'],
    language: 'JavaScript',
  },
  {
    program: 'walk.py',
    needs: 'python3 with requests and pandas',
    howToInstall: 'Run `pip install requests pandas`.',
    interpreters: [['python3'], ['/usr/bin/python3']],
    check: ['-c', 'import requests, pandas'],
    textOption: ['-c'],
    language: 'Python',
  },
  {
    program: 'walk.R',
    needs: 'Rscript with jsonlite and curl',
    howToInstall: "Install Debian's packages r-base-core, r-cran-jsonlite and r-cran-curl.",
    interpreters: [['Rscript', '--vanilla']],
    check: ['-e', 'library(jsonlite); library(curl)'],
    textOption: ['-e'],
    language: 'R',
  },
];

/** Other lists are tested only in JavaScript, because starting Python or R would take longer than the download. */
const QUICK_WALKS = [
  ['SiteVariableAmounts', '/v1/SiteVariableAmounts?RecordCount=700', true],
  ['WaterAllocations', '/v1/SiteAllocationAmounts?StartIndex=30&RecordCount=100', true],
  ['Sites', '/v1/Sites?RecordCount=100', true],
] as const;

const folder = createTemporaryFolder();
const host = startServerForTests(() => startHost({ WATER_DATA_DIR: join(folder, 'data') }));

function getAddress(path: string): string {
  return `http://127.0.0.1:${host().port}${path}`;
}

/** A boundary so long that no link to the next page fits into a header. */
function longBoundary(): string {
  const positions = Array.from({ length: 200 }, (_, index) => `${(-125 + index * 0.1).toFixed(10)}+25`);
  return `POLYGON((${[...positions, '-95+50', '-125+50', positions[0] ?? ''].join(',')}))`;
}

/** Reads a cell like clients do: lists as JSON, booleans in any letter case, numbers by their value. */
function matches(cell: string, value: unknown): boolean {
  if (value === null) return cell === '';
  if (Array.isArray(value)) return JSON.stringify(JSON.parse(cell)) === JSON.stringify(value);
  if (typeof value === 'boolean') return cell.toLowerCase() === String(value);
  return typeof value === 'number' ? cell !== '' && Number(cell) === value : cell === value;
}

/** A short example of the landing page, completed like landing.mjs does. */
async function shownExample(language: string): Promise<string> {
  const { text } = await sendRequest(host().port, '/');
  const [, behind = ''] = text.split(`<summary>${language}</summary>`);
  const code = /<code>([^<]*)<\/code>/.exec(behind)?.[1] ?? '';
  return code
    .replaceAll(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)))
    .replaceAll('https://ADDRESS-OF-THIS-SERVICE', getAddress(''))
    .replaceAll('YOUR-KEY', host().key);
}

/** The header and the address in the curl command, as a shell passes them on. */
async function curlLine(): Promise<{ readonly header: string; readonly address: string }> {
  const words = [...(await shownExample('curl')).matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
  expect(words[0]).toBe('curl');
  const header = words[words.indexOf('-H') + 1] ?? '';
  const address = words.find((word) => word.startsWith('http')) ?? '';
  return { header, address };
}

test('the curl command on the landing page is a request that returns records', async () => {
  const { header, address } = await curlLine();
  const [name = '', value = ''] = header.split(': ');
  const { status, text } = await sendRequest(host().port, address.slice(getAddress('').length), { [name]: value });
  expect(status).toBe(200);
  expect(JSON.parse(text).Organizations[0].SiteVariableAmounts).toHaveLength(100);
});

testWith(CURL, 'the curl command of the landing page returns records when a shell runs it', async () => {
  const { code, output } = await waitForEnd(spawn('sh', ['-c', await shownExample('curl')]));
  expect(code).toBe(0);
  expect(JSON.parse(output).Organizations[0].SiteVariableAmounts).toHaveLength(100);
});

for (const { program, needs, howToInstall, interpreters, check, textOption, language } of clients) {
  const interpreter = interpreters.find(([command = '', ...args]) => canRun(command, ...args, ...check));
  const tool: OptionalTool = { name: needs, howToInstall, isAvailable: () => interpreter !== undefined };

  describeWith(tool, program, () => {
    async function run(address: string, key: string): Promise<EndedProcess & { readonly file: string }> {
      const [command = '', ...args] = interpreter ?? [];
      const file = join(folder, `${program}.csv`);
      const environment = { PATH: process.env['PATH'] ?? '', WATER_KEY: key, LANG: 'C.UTF-8' };
      const path = join(PROJECT, 'docs', 'examples', program);
      return { ...(await waitForEnd(spawn(command, [...args, path, address, file], { env: environment }))), file };
    }

    test.each([
      ['AggregatedAmounts', `/v1/AggregatedAmounts?RecordCount=500&SearchBoundary=${longBoundary()}`, false],
      ['Totals', '/v1/SiteVariableAmounts/Totals?GroupBy=SiteUUID&GroupBy=Year&RecordCount=400', true],
      ...(program === 'walk.mjs' || isSoak ? QUICK_WALKS : []),
    ] as const)('writes the %s of every page', async (list, path, isLinked) => {
      const { code, errors, file } = await run(getAddress(path), host().key);
      expect({ code, errors }).toMatchObject({ code: 0 });
      const rows = parse<Record<string, string>>(readFileSync(file), { columns: true });
      expect((await host().get(path)).headers['link']?.includes('rel="next"') ?? false).toBe(isLinked);
      const { text } = await host().get(path.replace(/RecordCount=\d+/, 'RecordCount=10000'));
      const { Organizations, Totals } = JSON.parse(text);
      const records = (Totals ??
        Organizations.flatMap((organization: Record<string, object[]>) =>
          organization[list]?.map((record) => {
            const { OrganizationUUID, OrganizationName } = organization;
            return { OrganizationUUID, OrganizationName, ...record };
          }),
        )) as Record<string, unknown>[]; // Both members are lists of objects.
      expect(records.length).toBeGreaterThan(200);
      expect(rows).toHaveLength(records.length);
      expect(Object.keys(rows[0] ?? {})).toEqual(Object.keys(records[0] ?? {}));
      const wrong = records.flatMap((record, index) =>
        Object.entries(record)
          .filter(([member, value]) => !matches(rows[index]?.[member] ?? 'no cell', value))
          .map(([member, value]) => ({ index, member, value, cell: rows[index]?.[member] })),
      );
      expect(wrong).toEqual([]);
    });

    test('has a short example on the landing page that prints records', async () => {
      const [command = '', ...args] = interpreter ?? [];
      const environment = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8' };
      const shown = [...args, ...textOption, await shownExample(language)];
      const { code, output, errors } = await waitForEnd(spawn(command, shown, { env: environment }));
      expect({ code, errors }).toMatchObject({ code: 0 });
      expect(output).toContain('SAMPLE_UT_S');
    });

    test('reports an invalid query and an unknown key', async () => {
      const bad = await run(getAddress('/v1/SiteVariableAmounts?Sate=UT&HUC8=1'), host().key);
      expect(bad.code).toBe(1);
      expect(bad.errors).toContain('did you mean State?');
      expect(bad.errors).toContain('HUC8 must be exactly 8 digits');
      const keyless = await run(getAddress('/v1/SiteVariableAmounts'), 'wdk_unknown');
      expect(keyless.code).toBe(1);
      expect(keyless.errors).toContain('HTTP 401: Key unknown');
    });

    test('waits for a busy service as long as Retry-After demands, then tries again', async () => {
      const statuses = [429, 503, 200];
      const times: number[] = [];
      const server = createServer((_, response) => {
        times.push(performance.now());
        answerWith(statuses.shift() ?? 500, response);
      });
      const { port, stop } = await listenOnLoopback(server);
      try {
        const { code, file } = await run(`http://127.0.0.1:${port}/v1/SiteVariableAmounts`, 'key');
        expect(code).toBe(0);
        expect(readFileSync(file, 'utf8')).toContain('753.2000122070309');
        expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
      } finally {
        await stop();
      }
    });

    test('waits until the date in Retry-After, and reports when something other than the service answers', async () => {
      const times: number[] = [];
      const server = createServer((_, response) => {
        times.push(Date.now());
        if (times.length === 1) {
          const inThreeSeconds = new Date(Date.now() + 3000).toUTCString();
          response.writeHead(503, { 'Retry-After': inThreeSeconds, 'Content-Type': 'text/html' });
          response.end('<title>Busy</title>');
        } else {
          response.writeHead(200, { 'Content-Type': 'text/html' });
          response.end('<!DOCTYPE html><title>Sign in</title>');
        }
      });
      const { port, stop } = await listenOnLoopback(server);
      try {
        const { code, errors } = await run(`http://127.0.0.1:${port}/v1/SiteVariableAmounts`, 'key');
        expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('a proxy may be in between') });
        expect(errors).toContain(`127.0.0.1:${port}`);
        expect(errors).toContain('Sign in');
        expect(times).toHaveLength(2);
        expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1900);
      } finally {
        await stop();
      }
    });
  });
}

/** Only a 429 asks the client to wait a second. */
function answerWith(status: number, response: ServerResponse): void {
  const record = { SiteUUID: 'S1', Amount: 753.2000122070309 };
  const organization = { OrganizationUUID: 'ORG_1', OrganizationName: 'Office', SiteVariableAmounts: [record] };
  const page = { TotalSiteVariableAmountsCount: 1, Organizations: [organization] };
  const problem = { title: 'Busy', detail: 'Wait.' };
  response.writeHead(status, { 'Retry-After': status === 429 ? '1' : '0', 'Data-Version': '0' });
  response.end(JSON.stringify(status === 200 ? page : problem));
}

/** The first of these commands whose Python has the packages that the file examples need. */
const pythons = [process.env['PYTHON_FOR_FILES'] ?? 'python3', '/usr/bin/python3'];
const python = pythons.find((command) => canRun(command, '-c', 'import duckdb, geopandas, pyarrow, requests'));

const PYTHON_FOR_FILES: OptionalTool = {
  name: 'python3 with duckdb, geopandas, pyarrow and requests',
  howToInstall: 'Run `pip install duckdb geopandas pyarrow requests`; PYTHON_FOR_FILES may name the interpreter.',
  isAvailable: () => python !== undefined,
};

testWith(
  PYTHON_FOR_FILES,
  'pyarrow, DuckDB and geopandas read the same records from files as the API returns',
  async () => {
    expect(await runProgram('releases', ['files'], { WATER_DATA_DIR: join(folder, 'data') })).toMatchObject({
      code: 0,
    });
    const program = join(PROJECT, 'bench', 'check-files.py');
    const environment = { PATH: process.env['PATH'] ?? '', WATER_KEY: host().key, LANG: 'C.UTF-8' };
    const { code, output, errors } = await waitForEnd(
      spawn(python ?? '', [program, getAddress('')], { env: environment }),
    );
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output.match(/places are the same/g)).toHaveLength(6);
  },
);

testWith(PYTHON_FOR_FILES, 'increment.py turns the previous file into the new one', async () => {
  const environment = { PATH: process.env['PATH'] ?? '', WATER_KEY: host().key, LANG: 'C.UTF-8' };
  const key = { 'X-API-Key': host().key };
  const { headers, text } = await sendRequest(host().port, '/v1/Downloads', key);
  const downloads: readonly { DataSet: string; Files: { Path: string }[] }[] = JSON.parse(text).Downloads;
  const path = downloads.find(({ DataSet }) => DataSet === 'SiteVariableAmounts')?.Files[0]?.Path ?? '';
  const earlierFile = join(folder, 'former.parquet');
  const later = join(folder, 'later.parquet');
  writeFileSync(earlierFile, Buffer.from(await (await fetch(getAddress(path), { headers: key })).arrayBuffer()));
  const program = join(PROJECT, 'docs', 'examples', 'increment.py');
  const version = String(headers['data-version']);
  const args = [program, getAddress('/v1/SiteVariableAmounts'), version, earlierFile, later];
  const { code, output } = await waitForEnd(spawn(python ?? '', args, { env: environment }));
  expect([code, output]).toEqual([0, expect.stringMatching(/^0 removed, 0 added or changed, \d+ records/)]);
});
