// The local host as a child process: what it sends over the network.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { runProgram, startHost, waitUntil, type WireAnswer } from '../fixtures/host-process';
import { startServerForTests } from '../fixtures/loopback-server';
import { countCases } from '../fixtures/soak';
import { siteAmountsSubmission, writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const settings = { WATER_DATA_DIR: join(folder, 'data') };
const submission = writeSubmission(join(folder, 'submission'), siteAmountsSubmission);
const PATH = '/v1/SiteVariableAmounts';
const KIBIBYTE = 1024;
const MS_PER_CLIENT = 2000;

/** A successful start prints nothing else. */
const GREETING_LINES = 5;

/**
 * Files that may stay open: SQLite keeps a closed file for the next reader while another has a lock (two exports at
 * once), and connections.
 */
const KEPT_OPEN = 4;

const host = startServerForTests(() => startHost(settings));

const get = (path: string): Promise<WireAnswer> => host().get(path);

/** A boundary around the world with the maximum number of positions of D15, padded to `bytes`. */
function longBoundary(bytes: number): string {
  const positions = Array.from({ length: 4990 }, (_, index) => `${(-180 + index * 0.07).toFixed(12)} -85`);
  const polygon = `POLYGON((${positions.join(',')},180 85,-180 85,-180.000000000000 -85))`.replaceAll(' ', '%20');
  return polygon + '%20'.repeat(Math.ceil((bytes - polygon.length) / 3));
}

describe('before real data are published', () => {
  test('prints its addresses, the published data and how to load a submission', async () => {
    const [explorer, pages = '', docs = '', data, load] = host().consoleLines();
    expect(explorer).toMatch(/http:\/\/127\.0\.0\.1:\d+\/explore#key=wdk_/);
    for (const line of [pages, docs]) expect((await fetch(/http:\S+/.exec(line)?.[0] ?? '')).status).toBe(200);
    expect(data).toMatch(/^ {2}data {3}\d+ data sets with [\d,]+ records, made-up samples until the first real load$/);
    expect(load).toContain('npm run load -- FOLDER');
    const explored = await fetch(host().url);
    expect([explored.status, explored.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await get(PATH)).status).toBe(200);
  });
});

describe('over the wire', () => {
  test.each(['/V1/SITEVARIABLEAMOUNTS', '/v1/sitevariableamounts', '/v1/SiteVariableAmounts/'])(
    'answers on %s',
    async (path) => {
      expect((await get(`${path}?RecordCount=1`)).text).toBe((await get(`${PATH}?RecordCount=1`)).text);
    },
  );

  test('reads a boundary of 200 KiB', async () => {
    const { status, text } = await get(`${PATH}?RecordCount=1&SearchBoundary=${longBoundary(200 * KIBIBYTE)}`);
    expect({ status, start: text.slice(0, 30) }).toMatchObject({
      status: 200,
      start: expect.stringContaining('Total'),
    });
  });

  test.each([257, 300, 330, 600])('answers a request line of %i KiB with 414', async (kibibytes) => {
    const { status, headers, text } = await get(`${PATH}?SearchBoundary=${'x'.repeat(kibibytes * KIBIBYTE)}`);
    expect(status).toBe(414);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(JSON.parse(text)).toMatchObject({ status: 414, detail: expect.stringContaining('county:UT/Cache') });
    expect((await get(PATH)).status).toBe(200);
  });
});

describe('an export', () => {
  const path = `${PATH}/Export`;

  function exported(query: string, signal?: AbortSignal): Promise<Response> {
    const headers = { 'x-api-key': host().key };
    return fetch(`http://127.0.0.1:${host().port}${path}${query}`, { headers, ...(signal && { signal }) });
  }

  test('is a complete file that a worker thread makes', async () => {
    const parquet = Buffer.from(await (await exported('')).arrayBuffer());
    expect([parquet.subarray(0, 4).toString(), parquet.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1']);
    const csv = gunzipSync(await (await exported('?format=csv.gz')).arrayBuffer()).toString();
    expect(csv).toBe((await get(`${PATH}?format=csv&RecordCount=10000`)).text);
  });

  const clients = countCases(200, 0.05);

  test(
    'whose clients disconnect early leaves no slot, thread or open file in use',
    async () => {
      // Opens the files that stay open afterwards: the release, and a connection.
      await (await exported('')).arrayBuffer();
      const before = belongings();
      for (let client = 0; client < clients; client++) {
        const leaving = new AbortController();
        const answer = exported(client % 2 === 0 ? '' : '?format=csv.gz', leaving.signal);
        if (client % 3 === 0) leaving.abort();
        const status = await answer.then((one) => one.status).catch(() => 'left before the answer');
        leaving.abort();
        expect([200, 503, 'left before the answer']).toContain(status);
      }
      let status = 503;
      while (status === 503) {
        const answer = await exported('');
        ({ status } = answer);
        await answer.arrayBuffer();
      }
      expect(status).toBe(200);
      expect(host().consoleLines()).toHaveLength(GREETING_LINES);
      // Threads end some time later.
      const isMore = (): boolean => belongings().some((count, at) => count > (before[at] ?? 0) + KEPT_OPEN);
      await waitUntil(() => !isMore());
    },
    60_000 + clients * MS_PER_CLIENT,
  );
});

/** The number of threads and open files of the service, if the system reports them. */
function belongings(): readonly number[] {
  const folders = ['task', 'fd'].map((name) => `/proc/${host().process.pid ?? 0}/${name}`);
  return folders.filter((one) => existsSync(one)).map((one) => readdirSync(one).length);
}

describe('with other processes on the same data directory', () => {
  test('once another process loads data, the next request returns that data without the samples', async () => {
    expect((await runProgram('load', [submission], settings)).code).toBe(0);
    const { text, headers } = await get(PATH);
    expect(JSON.parse(text)).toMatchObject({ TotalSiteVariableAmountsCount: 6 });
    expect(JSON.parse((await get('/v1/AggregatedAmounts')).text)).toMatchObject({ TotalAggregatedAmountsCount: 0 });
    expect((await runProgram('releases', ['list'], settings)).output).toContain(String(headers['data-version']));
  });
});
