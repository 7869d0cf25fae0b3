// Starting and stopping the local host: settings, the development key, signals. Each test starts its own processes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { loadSamples } from '../../host/load-samples';
import { findDevelopmentKey } from '../../host/local-service';
import { readSettings } from '../../shared/settings';
import {
  acceptsConnections,
  openResponse,
  programEnvironment,
  PROJECT,
  runProgram,
  sendRequest,
  startHostsForTests,
} from '../fixtures/host-process';
import { listenOnLoopback } from '../fixtures/loopback-server';
import { createManyAmounts, MANY_AMOUNTS } from '../fixtures/many-amounts';
import { writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';
import { createTestService } from '../fixtures/test-service';
import { withFailures } from '../fixtures/tick-world';

const folder = createTemporaryFolder();
const settings = { WATER_DATA_DIR: join(folder, 'data'), LOAD_SAMPLES: 'false' };
const PATH = '/v1/SiteVariableAmounts';

const start = startHostsForTests(settings);
let developmentKey: string;

beforeAll(async () => {
  const submission = writeSubmission(join(folder, 'submission'), createManyAmounts(1));
  const { code } = await runProgram('load', [submission], settings);
  if (code !== 0) throw new Error('the data could not be loaded');
  const usual = await start();
  developmentKey = usual.key;
  await usual.stop();
});

test('the development key is the same at each start, and its file is made private again', async () => {
  const file = join(settings.WATER_DATA_DIR, 'development-key');
  chmodSync(file, 0o644);
  const second = await start();
  expect(second.key).toBe(developmentKey);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await second.get(PATH)).status).toBe(200);
  await second.stop();
});

test.each([
  [{ PUBLIC_URL: 'http://localhost:8080' }, true],
  [{ PUBLIC_URL: 'http://[::1]/water' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ DEVELOPMENT_KEY: 'false' }, false],
])('with the settings %j the service has a development key: %p', (more, isThere) => {
  const key = findDevelopmentKey(readSettings({ ...settings, ...more }, '/'));
  expect(key).toBe(isThere ? developmentKey : undefined);
});

test('the development key is off at a public address, and the console says how to issue a key', async () => {
  const host = await start({ PUBLIC_URL: 'https://water.example.org' });
  expect(host.key).toBe('');
  expect(host.consoleLines()[0]).toContain('npm run keys -- issue');
  expect((await sendRequest(host.port, PATH, { 'x-api-key': developmentKey })).status).toBe(401);
  await host.stop();
});

const samples = createTestService();

test('the next start completes samples that an interrupted start published only in part', async () => {
  const { store } = samples;
  const place = { stagingDirectory: join(samples.folder, 'staging') };
  let publishes = 0;
  const interrupted = withFailures(store, {
    publish: (...args) => {
      publishes++;
      return publishes <= 2 ? store.publish(...args) : Promise.reject(new Error('killed'));
    },
  });
  await expect(loadSamples(interrupted, place)).rejects.toThrow('killed');
  expect((await store.currentState()).entries).toHaveLength(2);
  await loadSamples(store, place);
  expect((await store.currentState()).entries).toHaveLength(6);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s lets a running answer finish', async (signal) => {
  const host = await start();
  const path = `${PATH}?RecordCount=${MANY_AMOUNTS}`;
  const answer = await openResponse({ port: host.port, path, headers: { 'x-api-key': host.key } });
  // The answer is larger than the buffers of the sockets, so it is still in progress as long as it is not read.
  expect(Number(answer.headers['content-length'])).toBeGreaterThan(4 * 1024 * 1024);
  host.process.kill(signal);
  // Once the signal has arrived, new connections are refused.
  while (await acceptsConnections(host.port)) continue;
  expect((await buffer(answer)).length).toBe(Number(answer.headers['content-length']));
  expect(await host.ended).toMatchObject({ code: 0 });
});

// tests/unit/settings.test.ts tests all settings.
test.each([
  ['PORT', 'seven'],
  ['HOST', '192.0.2.1'],
  ['WATER_DATA_DIR', __filename],
  ['STAGING_DIR', join(__filename, 'staging')],
  ['SUBMISSIONS_INBOX', join(folder, 'not-there')],
  ['SUBMISSIONS_INBOX', __filename],
])('an invalid setting stops the start with a message that names it: %s=%s', async (name, value) => {
  const { code, output, errors } = await runProgram('start', [], { PORT: '0', ...settings, [name]: value });
  expect({ code, output }).toEqual({ code: 2, output: '' });
  const shown = name === 'STAGING_DIR' ? __filename : value;
  expect(errors).toMatch(new RegExp(`^[^\\n]*\\b${name}\\b[^\\n]*"${shown}"[^\\n]*\\n$`));
});

test('--settings prints every setting with the source of its value, but no secret', async () => {
  const secrets = { COSMOS_KEY: 'not-to-be-seen', SMTP_URL: 'smtps://user:not-to-be@seen@mail.example.org' };
  const inbox = 'AccountName=a;AccountKey=not-to-be-seen;Container=in';
  const given = { ...settings, ...secrets, SUBMISSIONS_INBOX: inbox, PORT: '70000' };
  const { code, output, errors } = await runProgram('start', ['--settings'], given);
  expect({ code, errors }).toEqual({ code: 2, errors: expect.stringContaining('PORT') });
  expect(output).not.toContain('seen');
  expect(output).toMatch(/^PORT +70000 +environment *$/m);
  expect(output).toMatch(/^SMTP_URL +smtps:\/\/mail\.example\.org +environment *$/m);
  expect(output).toMatch(/^HOST +127\.0\.0\.1 +default *$/m);
  expect(output).toMatch(/^CONTACT +not set *$/m);
});

// All commands use the same function, which requires a usage text.
test.each(['start', 'load', 'package', 'soak'])('%s --help prints the usage and does nothing else', async (program) => {
  const ended = await runProgram(program, ['--help'], { WATER_DATA_DIR: join(folder, 'untouched') });
  expect(ended).toEqual({ code: 0, errors: '', output: expect.stringMatching(/^Usage: npm (start|run)/) });
  expect(existsSync(join(folder, 'untouched'))).toBe(false);
});

test('a port in use stops the start with a message that names it', async () => {
  const { port, stop } = await listenOnLoopback(createServer());
  const { code, errors } = await runProgram('start', [], { ...settings, PORT: String(port) });
  await stop();
  expect(code).toBe(2);
  expect(errors).toMatch(new RegExp(`^[^\\n]*\\b${port}\\b[^\\n]*in use[^\\n]*PORT[^\\n]*\\n$`));
});

test('SIGTERM to the npm process that started the service ends it', async () => {
  // Skips the build step, which would change the programs of other tests.
  const npm = spawn('npm', ['start', '--ignore-scripts', '--silent'], {
    cwd: PROJECT,
    detached: true,
    env: programEnvironment({ ...settings, PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [greeting] = (await once(npm.stdout, 'data')) as [Buffer];
    const port = Number(new URL(/http:\S+/.exec(greeting.toString())?.[0] ?? '').port);
    expect((await sendRequest(port, '/health')).status).toBe(200);
    npm.kill('SIGTERM');
    // Any process that is left would keep the output open.
    await once(npm, 'close', { signal: AbortSignal.timeout(15_000) });
    await expect(sendRequest(port, '/health')).rejects.toThrow('ECONNREFUSED');
  } finally {
    killGroup(npm.pid ?? 0);
  }
});

/** Kills remaining processes. After a successful test, there are none. */
function killGroup(processId: number): void {
  try {
    process.kill(-processId, 'SIGKILL');
  } catch {
    // The process group no longer exists.
  }
}
