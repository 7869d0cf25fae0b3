// The package for Azure Functions, unpacked without node_modules and run behind a stand-in for the platform's worker.

import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { runInProcess } from '../../data-loaders/intake/run-in-process';
import { httpFunctions } from '../../functions/http-functions';
import { timerFunctions } from '../../functions/timer-functions';
import { makeKey } from '../../shared/access/access-keys';
import { OPENAPI_FILE, pageFilePaths } from '../../shared/http/pages/page-files';
import { readSettings } from '../../shared/settings';
import { openEmbeddedStore } from '../../shared/store/sqlite/embedded-store';
import { requestFrom, unpack, zip } from '../../tools/package/package-files';
import { startCosmosEmulator } from '../fixtures/cosmos-emulator';
import { PROJECT, startProgram, waitForEnd } from '../fixtures/host-process';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { TEST_NOW } from '../fixtures/test-service';

/**
 * About 1.1 MB of it are the files of the explorer, which include the outlines and waters of all states. The packages of
 * Node would add tens of megabytes.
 */
const SMALL = 4 * 1000 * 1000;

/** esbuild computes for several seconds and shares the machine with other tests. */
const BUNDLING_MS = 180_000;
const TIME_ZONE_FAR_AWAY = 'Pacific/Kiritimati';

const folder = createTemporaryFolder();
const app = join(folder, 'app');
const environment = {
  SELF_SERVICE_KEYS: 'mail',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'keys@example.org',
  WATER_DATA_DIR: join(folder, 'data'),
  LOADER_QUIET_SECONDS: '0',
  SUBMISSIONS_INBOX: join(folder, 'inbox'),
};
const { key, record } = makeKey('tester', TEST_NOW.toISOString(), null);

let zipped: Uint8Array;
let files: Readonly<Record<string, Uint8Array>>;

beforeAll(async () => {
  const path = join(folder, 'package.zip');
  const made = await waitForEnd(startProgram('package', ['--out', path], {}));
  if (made.code !== 0) throw new Error(made.errors);
  zipped = readFileSync(path);
  files = unzipSync(zipped);
  unpack(files, app);
}, BUNDLING_MS);

test('is small', () => {
  expect(zipped.length).toBeLessThan(SMALL);
});

test(
  'has the same bytes in any time zone and for any order of its files',
  async () => {
    const path = join(folder, 'far-away.zip');
    expect(await waitForEnd(startProgram('package', ['--out', path], { TZ: TIME_ZONE_FAR_AWAY }))).toMatchObject({
      code: 0,
    });
    expect(readFileSync(path).equals(zipped)).toBe(true);
    const one = Buffer.from('one');
    const two = Buffer.from('two');
    expect(zip({ 'one.txt': one, 'b/two.txt': two })).toEqual(zip({ 'b/two.txt': two, 'one.txt': one }));
  },
  BUNDLING_MS,
);

test('contains the files of the pages at their paths', () => {
  const asTheyStand = pageFilePaths.filter((path) => path !== OPENAPI_FILE);
  const packed = (path: string): Uint8Array => {
    const compressed = files[`${path}.br`];
    return compressed === undefined ? (files[path] ?? Buffer.of()) : brotliDecompressSync(compressed);
  };
  const missing = asTheyStand.filter((path) => !readFileSync(join(PROJECT, path)).equals(packed(path)));
  expect(missing).toEqual([]);
  const document = Buffer.from(files[OPENAPI_FILE] ?? '').toString();
  expect(document).toBe(JSON.stringify(JSON.parse(readFileSync(join(PROJECT, OPENAPI_FILE), 'utf8'))));
});

test('registers every function with its route or schedule, and has its pages', async () => {
  const { functions, ...documentation } = await requestFrom(app, { path: '/docs' }, environment);
  expect(documentation).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(functions.map(({ name }) => name).sort()).toEqual(
    [...httpFunctions, ...timerFunctions].map(({ name }) => name).sort(),
  );
  expect(functions).toEqual(
    expect.arrayContaining([
      ...httpFunctions.map(({ name, route }) => ({ name, trigger: 'httpTrigger', at: route })),
      ...timerFunctions.map(({ name, schedule }) => ({
        name,
        trigger: 'timerTrigger',
        at: schedule(readSettings(environment, app)),
      })),
    ]),
  );
});

test('a built checkout is a function app that func start can load', async () => {
  const { status, functions } = await requestFrom(PROJECT, { path: '/health' }, environment);
  expect(status).toBe(200);
  expect(functions.map(({ name }) => name).sort()).toEqual(
    [...httpFunctions, ...timerFunctions].map(({ name }) => name).sort(),
  );
});

test('an HTTP app registers no timers, and a timer app registers only timers', async () => {
  const asked = { path: '/openapi.json' };
  const { status, text, functions } = await requestFrom(app, asked, { ...environment, FUNCTIONS_TO_RUN: 'http' });
  expect([status, JSON.parse(text).openapi]).toEqual([200, expect.stringMatching(/^3\./)]);
  expect(functions.map(({ name }) => name).sort()).toEqual(httpFunctions.map(({ name }) => name).sort());
  const timerApp = await requestFrom(app, asked, { ...environment, FUNCTIONS_TO_RUN: 'timers' });
  expect(timerApp.functions.map(({ name }) => name).sort()).toEqual(timerFunctions.map(({ name }) => name).sort());
  expect([timerApp.status, timerApp.functionName]).toEqual([404, undefined]);
});

test('has the SDK for assistants where the app looks for it', () => {
  const lines = "typeof require('@modelcontextprotocol/server').createMcpHandler";
  expect(execFileSync(process.execPath, ['--print', lines], { cwd: app, encoding: 'utf8' })).toBe('function\n');
});

test('has everything that the store on Cosmos DB needs', async () => {
  const emulator = await startCosmosEmulator();
  const { endpoint, database, key: accountKey = '' } = emulator.newLocation();
  const settings = {
    WATER_STORE: 'cosmos',
    COSMOS_ENDPOINT: endpoint,
    COSMOS_DATABASE: database,
    COSMOS_KEY: accountKey,
  };
  try {
    const { status, text } = await requestFrom(app, { path: '/health' }, settings);
    expect({ status, health: JSON.parse(text) }).toMatchObject({ status: 200, health: { dataSets: 0 } });
  } finally {
    await emulator.stop();
  }
});

test("loads a submission in its own process and answers from it over the platform's stream", async () => {
  const waiting = join(environment.SUBMISSIONS_INBOX, 'waiting', 'sample');
  cpSync(join(PROJECT, 'data-loaders/samples/idaho-aggregated'), waiting, { recursive: true });
  writeFileSync(join(waiting, 'READY'), '');
  const settings = readSettings(environment, app);
  const { signal } = new AbortController();
  const counts = await runInProcess('take-in', settings, signal, join(app, 'timer-process.js'));
  expect(counts).toMatchObject({ published: 1, refused: 0 });
  const store = openEmbeddedStore(environment.WATER_DATA_DIR);
  await store.keys.add(record);
  const { version } = await store.currentState();
  await store.close();
  const path = '/v1/AggregatedAmounts?RecordCount=3';
  const refused = await requestFrom(app, { path }, environment);
  expect(refused).toMatchObject({ status: 401, headers: { 'content-type': 'application/problem+json' } });
  const { status, headers, text } = await requestFrom(app, { path, key }, environment);
  expect({ status, headers }).toMatchObject({ status: 200, headers: { 'data-version': version } });
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text));
  expect(JSON.parse(text).Organizations[0].AggregatedAmounts).toHaveLength(3);
});
