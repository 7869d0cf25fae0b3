// The Dockerfile and compose.yaml, tested without a container engine: the steps of the Dockerfile run in plain folders
// with its commands, files, settings, user and health check. The soak also runs the first stage, which installs and
// compiles; otherwise, the built project replaces its result.

import { execFileSync, spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROJECT, readIssuedKey } from '../fixtures/host-process';
import { findFreePort } from '../fixtures/loopback-server';
import { isSoak } from '../fixtures/soak';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

interface Step {
  readonly name: string;
  readonly text: string;
}

const folder = createTemporaryFolder();
const root = join(folder, 'image');
const app = join(root, 'app');

/** The user "node" of the official image, if the tests may switch users. */
const USER = process.getuid?.() === 0 ? 1000 : (process.getuid?.() ?? 0);

const [building = [], final = []] = readStages(readFileSync(join(PROJECT, 'Dockerfile'), 'utf8'));
const getStepText = (name: string): string => final.find((step) => step.name === name)?.text ?? '';

/** The steps of each stage. A step over several lines becomes one string. */
function readStages(file: string): readonly (readonly Step[])[] {
  const lines = file
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '');
  const steps = lines.map((line): Step => {
    const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    return { name, text };
  });
  const starts = steps.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []));
  return starts.map((start, index) => steps.slice(start + 1, starts[index + 1]));
}

/** Replaces a path in the image or in the stage's folder by a path on this machine. */
const inImage = (text: string): string => text.replaceAll(/(?<=^|[ =])\/(?:data|app)\b/g, (path) => join(root, path));

function copy(text: string, from: string, to: string): void {
  const words = text.split(' ').filter((word) => !word.startsWith('--'));
  const target = words.pop() ?? '';
  for (const word of words) {
    const source = join(from, word.replace('/src/', ''));
    const isFolder = statSync(source).isDirectory();
    cpSync(source, isFolder ? join(to, target) : join(to, target, target.endsWith('/') ? basename(source) : ''), {
      recursive: true,
    });
  }
}

/** The folder /src after the first stage. */
function buildStage(): string {
  if (!isSoak) return PROJECT;
  const context = join(folder, 'context');
  const source = join(folder, 'src');
  mkdirSync(source);
  const left = readFileSync(join(PROJECT, '.dockerignore'), 'utf8').trim().split('\n');
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  for (const path of files.trim().split('\n')) {
    if (left.includes(path.split('/', 1)[0] ?? '') || !existsSync(join(PROJECT, path))) continue;
    mkdirSync(dirname(join(context, path)), { recursive: true });
    cpSync(join(PROJECT, path), join(context, path));
  }
  for (const { name, text } of building) {
    if (name === 'COPY' && text === '. .') cpSync(context, source, { recursive: true });
    else if (name === 'COPY') copy(text, context, source);
    else if (name === 'RUN') execFileSync('sh', ['-c', text], { cwd: source, stdio: 'pipe', env: buildEnvironment() });
  }
  return source;
}

/**
 * The first stage has none of the image's settings. npm reaches its registry with the proxy and the certificates of
 * this machine.
 */
function buildEnvironment(): Record<string, string | undefined> {
  const ofNpm = Object.entries(process.env).filter(([name]) => /^HOME$|^npm_config_|_CERTS?$|_proxy$/i.test(name));
  return { ...Object.fromEntries(ofNpm), PATH: imageEnvironment()['PATH'] };
}

/** The image uses the same Node as the tests. */
function imageEnvironment(): Record<string, string> {
  const settings = final.filter(({ name }) => name === 'ENV').flatMap(({ text }) => inImage(text).split(' '));
  const PATH = `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`;
  return { PATH, ...Object.fromEntries(settings.map((pair) => pair.split('=', 2))) };
}

const options = (more: Readonly<Record<string, string>>): SpawnOptions => {
  const asUser = process.getuid?.() === 0 ? { uid: USER, gid: USER } : {};
  return { cwd: app, env: { ...imageEnvironment(), ...more }, ...asUser, stdio: ['ignore', 'pipe', 'pipe'] };
};

beforeAll(() => {
  chmodSync(folder, 0o755);
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync(process.execPath, join(root, 'bin', 'node'));
  const built = buildStage();
  for (const { name, text } of final) {
    if (name === 'COPY') copy(text, built, app);
    if (name === 'RUN') execFileSync('sh', ['-c', inImage(text).replaceAll('node:node', `${USER}:${USER}`)]);
  }
}, 600_000);

test('the image of the Dockerfile starts without root, is healthy, runs commands and writes only to /data', async () => {
  expect([getStepText('WORKDIR'), getStepText('USER'), getStepText('VOLUME')]).toEqual(['/app', 'node', '/data']);
  const before = readdirSync(app, { recursive: true }).length;
  const port = await findFreePort();
  // The service listens only on loopback here, so the development key is turned off explicitly, as it is in the
  // container.
  const settings = { HOST: '127.0.0.1', PORT: String(port), DEVELOPMENT_KEY: 'false' };
  const [command = '', ...args] = JSON.parse(getStepText('CMD')) as readonly string[];
  const [, checked = ''] = /CMD (\[.*\])$/.exec(getStepText('HEALTHCHECK')) ?? [];
  const [checker = '', ...checkerArgs] = JSON.parse(checked) as readonly string[];
  const isHealthy = (): boolean => spawnSync(checker, checkerArgs, options(settings)).status === 0;
  expect(isHealthy()).toBe(false);
  const running = spawn(command, args, options(settings));
  const closed = new Promise((resolve) => running.once('close', resolve));
  await new Promise((resolve) => running.stdout?.once('data', resolve));
  expect(isHealthy()).toBe(true);
  const issued = spawnSync('npm', ['run', 'keys', '--', 'issue', '--owner', 'Somebody'], options(settings));
  const key = readIssuedKey({ output: String(issued.stdout) });
  const answer = await fetch(`http://127.0.0.1:${port}/v1/Inventory`, { headers: { 'X-API-Key': key } });
  expect([answer.status, (await fetch(`http://127.0.0.1:${port}/docs`)).status]).toEqual([200, 200]);
  running.kill('SIGTERM');
  await closed;
  expect([running.exitCode, isHealthy()]).toEqual([0, false]);
  expect(readdirSync(join(root, 'data'))).toContain('catalog.sqlite');
  expect(readdirSync(app, { recursive: true })).toHaveLength(before);
}, 120_000);

test('compose.yaml and the Dockerfile agree on folders, port and settings', () => {
  const compose = readFileSync(join(PROJECT, 'compose.yaml'), 'utf8');
  const upstream = readFileSync(join(PROJECT, 'infra', 'nginx', 'upstream.conf'), 'utf8');
  expect(compose).toContain('- data:/data\n');
  expect(compose).toContain(`server water:${getStepText('EXPOSE')};`);
  expect(upstream).toContain(`server 127.0.0.1:${getStepText('EXPOSE')};`);
  expect(compose).toContain('infra/nginx/water.conf:/etc/nginx/conf.d/');
  expect(imageEnvironment()).toMatchObject({ PORT: getStepText('EXPOSE'), HOST: '0.0.0.0' });
});
