// infra/nginx in front of the real host: TLS, long request lines, the limits for addresses, no key in the log, and a
// missing certificate.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import {
  acceptsConnections,
  PROJECT,
  readIssuedKey,
  type RunningHost,
  runProgram,
  sendRequest,
  startHost,
} from '../fixtures/host-process';
import { findFreePort } from '../fixtures/loopback-server';
import { createManyAmounts } from '../fixtures/many-amounts';
import { describeWith } from '../fixtures/optional-tool';
import { NGINX, NGINX_PATH } from '../fixtures/outside-tools';
import { writeSubmission } from '../fixtures/submission';
import { createTemporaryFolder } from '../fixtures/temporary-folder';

const folder = createTemporaryFolder();
const settings = {
  WATER_DATA_DIR: join(folder, 'data'),
  LOAD_SAMPLES: 'false',
  PUBLIC_URL: 'https://localhost',
  TRUSTED_PROXIES: '127.0.0.1',
};

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly hsts: unknown;
}

describeWith(NGINX, 'behind nginx', () => {
  let host: RunningHost;
  let nginx: ChildProcess;
  let key: string;
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  let http = 0;
  let https = 0;

  const run = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
    spawnSync(NGINX_PATH, ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log'), ...args]);

  /** The two files, with only their ports and folders replaced by the ports and folders of the test. */
  function configure(): void {
    const [site, upstream] = ['water', 'upstream'].map((name) =>
      readFileSync(join(PROJECT, 'infra', 'nginx', `${name}.conf`), 'utf8')
        .replaceAll(/^ *listen \[::\].*\n/gm, '')
        .replace('listen 80;', `listen 127.0.0.1:${http};`)
        .replace('listen 443 ', `listen 127.0.0.1:${https} `)
        .replace('127.0.0.1:7071', `127.0.0.1:${host.port}`)
        .replaceAll('/etc/ssl/water/', `${folder}/`)
        .replace('/var/log/nginx/', `${folder}/`),
    );
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `pid ${folder}/nginx.pid;\nevents { worker_connections 4096; }\nhttp {\n${folders.join('\n')}\naccess_log off;\n${upstream ?? ''}\n${site ?? ''}}\n`,
    );
  }

  beforeAll(async () => {
    await runProgram('load', [writeSubmission(join(folder, 'submission'), createManyAmounts(1, 10))], settings);
    host = await startHost(settings);
    key = readIssuedKey(await runProgram('keys', ['issue', '--owner', 'Client'], settings));
    [http, https] = [await findFreePort(), await findFreePort()];
    const names = ['-subj', '/CN=localhost', '-keyout', 'privkey.pem', '-out', 'fullchain.pem'];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...names], {
      cwd: folder,
      stdio: 'pipe',
    });
    mkdirSync(join(folder, 'logs'));
    configure();
    nginx = spawn(NGINX_PATH, ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log'), '-g', 'daemon off;']);
    while (!(await acceptsConnections(http))) await pause(50);
  });

  afterAll(async () => {
    agent.destroy();
    const closed = new Promise((resolve) => nginx.once('close', resolve));
    nginx.kill('SIGQUIT');
    await closed;
    await host.stop();
  });

  function get(path: string, headers: RequestOptions['headers'] = {}, localAddress = '127.0.0.1'): Promise<Answer> {
    return send({ path, headers, localAddress }, '');
  }

  function post(path: string, headers: RequestOptions['headers'], bytes: number): Promise<Answer> {
    // nginx may close the connection of a refused body, so connections are not reused.
    const options = { method: 'POST', path, headers, localAddress: '127.0.0.11', agent: false };
    return send(options, 'x'.repeat(bytes));
  }

  async function send(options: RequestOptions, body: string): Promise<Answer> {
    const sent = request({
      host: '127.0.0.1',
      port: https,
      agent,
      ca: readFileSync(join(folder, 'fullchain.pem')),
      servername: 'localhost',
      ...options,
    });
    const answered = new Promise<IncomingMessage>((resolve, reject) =>
      sent.once('response', resolve).once('error', reject),
    );
    sent.end(body);
    const answer = await answered;
    const { 'content-type': type = '', 'strict-transport-security': hsts } = answer.headers;
    return { status: answer.statusCode ?? 0, type, text: await readText(answer), hsts };
  }

  function getStatuses(
    count: number,
    path: string,
    getHeaders: (index: number) => RequestOptions['headers'],
    localAddress?: string,
  ): Promise<readonly number[]> {
    const indexes = Array.from({ length: count }, (_, index) => index);
    return Promise.all(indexes.map(async (index) => (await get(path, getHeaders(index), localAddress)).status));
  }

  test('HTTP redirects to HTTPS, which requires a key and sends Strict-Transport-Security', async () => {
    const plain = await sendRequest(http, '/v1/Inventory?x=1', { host: 'water.example.org' });
    expect([plain.status, plain.headers.location]).toEqual([308, 'https://water.example.org/v1/Inventory?x=1']);
    expect((await get('/v1/Inventory')).status).toBe(401);
    expect(await get('/v1/Inventory', { 'x-api-key': key })).toMatchObject({
      status: 200,
      hsts: expect.stringMatching(/max-age/),
    });
  });

  test('a request line of 200 KiB gets through, and the service refuses a longer one', async () => {
    // A value has at most 10,000 characters, and a parameter at most 100 values.
    const line = (kibibytes: number): string => {
      const value = `SiteUUID=${'x'.repeat(Math.ceil(kibibytes * 10.24))}`;
      return `/v1/SiteVariableAmounts?${Array<string>(100).fill(value).join('&')}`;
    };
    expect((await get(line(200), { 'x-api-key': key })).status).toBe(200);
    expect(await get(line(260), { 'x-api-key': key })).toMatchObject({ status: 414, type: 'application/problem+json' });
  });

  /** Checks that the service answered, because answers of nginx are HTML. */
  test.each([
    ['a query of 1 MB', '/v1/SiteVariableAmounts', 'application/x-www-form-urlencoded', 1_000_000, 400],
    ['a query of more than 1 MiB', '/v1/SiteVariableAmounts', 'application/x-www-form-urlencoded', 1_100_000, 413],
    ['a check of 8 MB', '/v1/Submissions/Checks', 'text/plain', 8_000_000, 415],
    ['a check of 8 MB, in lower case', '/v1/submissions/checks', 'text/plain', 8_000_000, 415],
  ])('%s gets through to the service', async (_, path, type, bytes, status) => {
    expect(await post(path, { 'x-api-key': key, 'content-type': type }, bytes)).toMatchObject({
      status,
      type: 'application/problem+json',
    });
  });

  test('exports arrive complete', async () => {
    const exported = await get('/v1/SiteVariableAmounts/Export?format=csv.gz', { 'x-api-key': key });
    expect([exported.status, exported.text.length > 1000]).toEqual([200, true]);
  });

  test('an address without a key is limited with 429, and a client with a key is not', async () => {
    const withKey = await getStatuses(400, '/health', () => ({ 'x-api-key': key }));
    expect(new Set(withKey)).toEqual(new Set([200]));
    const withoutKey = await getStatuses(400, '/health', () => ({}), '127.0.0.10');
    expect(new Set(withoutKey)).toEqual(new Set([200, 429]));
  });

  /** Each case uses another address, so that the limits of one case do not affect another. */
  test.each<[string, string, string, RequestOptions['headers']]>([
    ['header', '127.0.0.2', '/health', { 'x-api-key': 'made-up' }],
    ['header that only begins like a key', '127.0.0.3', '/health', { 'x-api-key': 'wdk_x' }],
    ['bearer token', '127.0.0.4', '/health', { authorization: 'Bearer made-up' }],
    ['user name', '127.0.0.5', '/health', { authorization: `Basic ${btoa('made-up:')}` }],
    ['parameter', '127.0.0.6', '/v1/Inventory?key=made-up', {}],
  ])('a string that does not look like a key counts as no key: %s', async (_, address, path, headers) => {
    expect(await getStatuses(400, path, () => headers, address)).toContain(429);
  });

  test('a user name or a bearer token in the form of a key counts as a key', async () => {
    const headers = [{ authorization: `Basic ${btoa(`${key}:`)}` }, { authorization: `bearer ${key}` }];
    expect(new Set(await getStatuses(300, '/health', () => headers[0], '127.0.0.7'))).toEqual(new Set([200]));
    expect(new Set(await getStatuses(300, '/health', () => headers[1], '127.0.0.8'))).toEqual(new Set([200]));
  });

  test('invented keys in the correct form do not lift the limit for their address', async () => {
    const makeUp = (index: number): RequestOptions['headers'] => ({
      'x-api-key': `wdk_${String(index).padStart(8, '0')}_${'a'.repeat(43)}`,
    });
    const statuses = await getStatuses(2000, '/health', makeUp, '127.0.0.9');
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100);
  });

  test('no key is logged, even if it is in the URL', async () => {
    expect((await get(`/v1/Inventory?key=${key}`)).status).toBe(200);
    const log = readFileSync(join(folder, 'water.log'), 'utf8');
    expect(log).toContain('"GET /v1/Inventory" 200');
    expect(log).not.toContain(key);
  });

  test('if the certificate is missing, a reload is refused and the running nginx keeps answering', async () => {
    renameSync(join(folder, 'privkey.pem'), join(folder, 'gone.pem'));
    const reload = run('-s', 'reload');
    expect([reload.status, String(reload.stderr)]).toEqual([1, expect.stringContaining('privkey.pem')]);
    expect((await get('/v1/Inventory', { 'x-api-key': key })).status).toBe(200);
    renameSync(join(folder, 'gone.pem'), join(folder, 'privkey.pem'));
    expect(run('-t').status).toBe(0);
  });

  test('nginx answers 502 while the service is down, and recovers without a restart', async () => {
    await host.stop();
    expect((await get('/v1/Inventory', { 'x-api-key': key })).status).toBe(502);
    host = await startHost({ ...settings, PORT: String(host.port) });
    let status = 502;
    for (let tries = 0; status === 502 && tries < 300; tries++) {
      ({ status } = await get('/v1/Inventory', { 'x-api-key': key }));
      await pause(50);
    }
    expect(status).toBe(200);
  });
});
