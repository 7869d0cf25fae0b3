// Hostile and malformed requests on a socket: the answers, and limits on their cost (ADR 0045).

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { httpFunctions } from '../../functions/http-functions';
import { type RunningServer, startServer } from '../../host/server';
import { oneAmount, paths } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();
const settings = { host: '127.0.0.1', port: 0 };
const impatience = { headersMs: 100, requestMs: 200, idleMs: 100, lingerMs: 100, checkMs: 20 };
const KEY = `X-API-Key: ${service.key}`;
const MEBIBYTE = 1024 * 1024;

let server: RunningServer;
let impatient: RunningServer;

beforeAll(async () => {
  await service.load(oneAmount);
  server = await startServer(httpFunctions, service.service, settings);
  impatient = await startServer(httpFunctions, service.service, settings, { timeouts: impatience });
});

afterAll(() => Promise.all([server.stop(), impatient.stop()]));

interface Heard {
  readonly statuses: readonly number[];
  readonly text: string;
}

function open(port = server.port): Socket {
  // Writing fails once the server has closed the connection, which these tests expect.
  return connect({ host: '127.0.0.1', port, noDelay: true }).on('error', () => undefined);
}

/** Resolves with everything that arrives until the server closes the connection. */
async function untilClosed(socket: Socket): Promise<Heard> {
  let text = '';
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return { statuses: [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)), text };
}

/** Rejects if the connection is closed. */
function write(socket: Socket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function say(...lines: readonly string[]): Promise<Heard> {
  const socket = open();
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  return untilClosed(socket);
}

function sendRequest(target: string, ...headers: readonly string[]): Promise<Heard> {
  return say(`GET ${target} HTTP/1.1`, 'Host: a', 'Connection: close', ...headers);
}

async function stillServes(): Promise<void> {
  expect((await sendRequest(paths.site, KEY)).statuses).toEqual([200]);
}

test.each([
  ['the absolute form that proxies send', `http://water.example.org${paths.site}?State=UT`, 200],
  ['the absolute form without a path', 'HTTPS://water.example.org?State=UT', 200],
  ['the absolute form with a host that looks like another', `http://u:p@[::1]:99${paths.site}`, 200],
  ['a path that begins with two slashes', `/${paths.site}`, 404],
  ['a target that is not a path', 'v1/SiteVariableAmounts', 400],
  ['an asterisk', '*', 404],
  ['dots', '/../../etc/passwd', 404],
  ['escaped dots', '/docs/%2e%2e%2f%2e%2e%2fpackage.json', 404],
  ['a NUL', '/docs/pages.css%00.html', 404],
  ['another scheme', 'file:///etc/passwd', 404],
  ['bytes that are not UTF-8', `${paths.site}?State=\xff\xfe`, 400],
  ['a broken escape', `${paths.site}?State=%f0%9f`, 400],
  ['an overlong UTF-8 sequence', `${paths.site}?State=%c0%af`, 400],
  ['a lone surrogate', `${paths.site}?State=%ed%a0%80`, 400],
  ['names of members that all objects inherit', `${paths.site}?__proto__=1&constructor=1&toString=x`, 400],
])('%s: %s', async (_, target, status) => {
  expect((await sendRequest(target, KEY)).statuses).toEqual([status]);
});

const LONG = 200_000;

/** Work that grows with the square of these lengths would far exceed a test's time limit. */
test.each([
  ['StartIndex', '9'.repeat(LONG)],
  ['RecordCount', `1e${'0'.repeat(LONG)}`],
  ['StartDate', `2010-01-01T${'0'.repeat(LONG)}`],
  ['StartDate', '1/'.repeat(LONG / 2)],
  ['HUC8', '1'.repeat(LONG)],
  ['DataVersion', 'a'.repeat(LONG)],
  ['format', 'json,'.repeat(LONG / 5)],
  ['SearchBoundary', `{"type":"Polygon","coordinates":${'['.repeat(LONG)}`],
  ['SearchBoundary', `{"type":"Polygon","coordinates":${'['.repeat(LONG / 2)}${']'.repeat(LONG / 2)}}`],
  ['SearchBoundary', '{"geometry":'.repeat(LONG / 12)],
  ['SearchBoundary', `{"type":"Point","coordinates":[${'9'.repeat(LONG)},0]}`],
  ['SearchBoundary', '('.repeat(LONG)],
  ['SearchBoundary', `POLYGON((${'0+0,'.repeat(LONG / 4)}0+0))`],
  ['SearchBoundary', `POINT(${'1'.repeat(LONG)}+0)`],
  ['SearchBoundary', `POINT(1${'+'.repeat(LONG)}x)`],
  ['SearchBoundary', `${'+'.repeat(LONG)}:x`],
  ['SearchBoundary', `county:${'UT'.repeat(LONG / 2)}`],
  ['SearchBoundary', `bbox:${'1,'.repeat(LONG / 2)}1`],
  ['wdk_'.repeat(LONG / 4), '1'],
  ['x', '%'.repeat(LONG)],
])(
  'a long value of %s is refused in time linear in its length (%#)',
  async (name, value) => {
    expect((await sendRequest(`${paths.site}?${name}=${value}`, KEY)).statuses).toEqual([400]);
  },
  10_000,
);

test.each([
  ['a forwarded host', 'X-Forwarded-Host: evil.example.org'],
  ['the name of a member that all objects inherit', '__proto__: 1'],
  ['nine hundred headers', ...Array.from({ length: 900 }, (_, index) => `X-${index}: 1`)],
  ['an upgrade', 'Upgrade: h2c'],
  ['bytes beyond ASCII', 'X-Name: \xe9\xff'],
  ['an endless list of formats', `Accept: */*,${'a/b;q=0.5,'.repeat(5000)}`],
  ['an endless list of codings', `Accept-Encoding: ${'x;q=1,'.repeat(9000)}`],
  ['an endless list of tags', `If-None-Match: ${'"a",'.repeat(14_000)}`],
  ['an endless date', `If-Modified-Since: ${'1'.repeat(60_000)}`],
])('an irrelevant header changes nothing: %s', async (_, ...headers) => {
  const { statuses, text } = await sendRequest(paths.site, KEY, ...headers);
  expect(statuses).toEqual([200]);
  expect(text).not.toMatch(/<script|evil/);
});

test.each([
  ['Content-Length together with Transfer-Encoding', 'Content-Length: 5', 'Transfer-Encoding: chunked'],
  ['two different lengths', 'Content-Length: 0', 'Content-Length: 44'],
  ['a length that is not a number', 'Content-Length: +5'],
  ['a space before the colon', 'Transfer-Encoding : chunked'],
  ['an unknown transfer coding', 'Transfer-Encoding: chunkedx'],
  ['a bare carriage return', 'X-Name: a\rX-Other: b'],
  ['a NUL in a header', 'X-Name: a\0b'],
  ['a header without a name', ': value'],
])('an ambiguous request is refused and nothing after it is read: %s', async (_, ...headers) => {
  const heard = await say(
    `GET ${paths.site} HTTP/1.1`,
    'Host: a',
    KEY,
    ...headers,
    '',
    `GET /health HTTP/1.1`,
    'Host: a',
  );
  expect(heard.statuses.at(-1)).toBe(400);
  expect(heard.text).toContain('application/problem+json');
  expect(heard.text).not.toContain('"status":"ready"');
  await stillServes();
});

test.each(
  Object.entries({
    'no Host': [],
    'two Hosts': ['Host: a', 'Host: b'],
    'the same Host twice': ['Host: a', 'host: a'],
    'a Host with a path': ['Host: a/b'],
    'a Host with a query': ['Host: a?b'],
    'a Host with a user': ['Host: u@a'],
    'two Hosts in one line': ['Host: a, b'],
    'a Host with a port that is no number': ['Host: a:b'],
    'a Host that is markup': ['Host: <script>"'],
    'a Host that is longer than any name': [`Host: ${'a.'.repeat(130)}a`],
    'a Host without end': [`Host: ${'a'.repeat(60_000)}`],
    'a Host with a port without end': [`Host: a:${'1'.repeat(60_000)}`],
  }),
)('%s is answered with 400 and a problem document that says why', async (_, hosts) => {
  const heard = await say(`GET ${paths.site} HTTP/1.1`, 'Connection: close', KEY, ...hosts);
  expect(heard.statuses).toEqual([400]);
  expect(JSON.parse(heard.text.slice(heard.text.indexOf('{')))).toMatchObject({
    status: 400,
    title: 'Bad Host header',
  });
  expect(heard.text).not.toContain('<script');
});

test.each([`${'a.'.repeat(126)}a:65535`, 'a:', 'a.example.org:8080', '[::1]:80', 'a_b', 'm%C3%BCller', ''])(
  'the Host "%s" is accepted',
  async (host) => {
    const heard = await say(`GET ${paths.site} HTTP/1.1`, `Host: ${host}`, 'Connection: close', KEY);
    expect(heard.statuses).toEqual([200]);
  },
);

test('bytes that are not HTTP are answered with 400 and a problem document', async () => {
  const heard = await say('PRI * HTTP/2.0', '', 'SM');
  expect(heard.statuses).toEqual([400]);
  expect(JSON.parse(heard.text.slice(heard.text.indexOf('{')))).toMatchObject({ status: 400, title: 'Not a request' });
});

test('two megabytes of headers are answered with 414, in one header or in many', async () => {
  const line = `X-Name: ${'x'.repeat(1000)}`;
  expect((await sendRequest(paths.site, KEY, `X-Name: ${'x'.repeat(2 * MEBIBYTE)}`)).statuses).toEqual([414]);
  expect((await sendRequest(paths.site, KEY, ...Array.from({ length: 2000 }, () => line))).statuses).toEqual([414]);
  await stillServes();
});

test('a body without an end closes the connection', async () => {
  const socket = open();
  const closed = untilClosed(socket);
  socket.write(`GET ${paths.site} HTTP/1.1\r\nHost: a\r\n${KEY}\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  let sent = 0;
  const more = (): void => {
    while (!socket.destroyed && socket.writable) {
      sent += chunk.length;
      if (!socket.write(chunk)) break;
    }
  };
  socket.on('drain', more);
  more();
  await closed;
  expect(sent).toBeLessThan(64 * MEBIBYTE);
  await stillServes();
});

test.each(['close', 'keep-alive'])(
  'a client that sends an oversized body to its end still receives the 413: Connection %s',
  async (kept) => {
    const socket = open();
    const closed = untilClosed(socket);
    const chunk = Buffer.alloc(MEBIBYTE, 'x');
    const head = ['POST /mcp HTTP/1.1', 'Host: a', `Connection: ${kept}`, KEY, `Content-Length: ${4 * MEBIBYTE}`];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const answered = once(socket, 'data');
    socket.write(chunk);
    await answered;
    // The answer has arrived, and the client continues to send. A closed connection would refuse this, and lose the
    // answer.
    for (let sent = 1; sent < 4; sent++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await write(socket, chunk);
    }
    if (kept === 'keep-alive')
      socket.write(`GET ${paths.site} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${KEY}\r\n\r\n`);
    expect((await closed).statuses).toEqual(kept === 'keep-alive' ? [413, 200] : [413]);
  },
);

/** What a client sends first, and what it keeps sending. */
test.each<[string, string, string]>([
  ['nothing', '', ''],
  ['empty lines', '', '\r\n'],
  ['a request line, byte by byte', 'G', 'E'],
  ['endless headers', `GET ${paths.site} HTTP/1.1\r\nHost: a\r\n`, 'X-Name: x\r\n'],
  ['an endless body', `GET ${paths.site} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n`, 'x'],
  ['something other than HTTP, then nothing', 'nonsense\r\n\r\n', ''],
  ['headers that are too long, then nothing', `GET / HTTP/1.1\r\nX-Name: ${'x'.repeat(MEBIBYTE)}`, ''],
  ['a request, then nothing', 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n', ''],
  ['a request, then empty lines', 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n', '\r\n'],
  ['a last request, then nothing', 'GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', ''],
  ['CONNECT, then bytes', 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n', 'x'],
])('a client that never closes its connection cannot keep it open by sending %s', async (_, first, rest) => {
  const small = await startServer(httpFunctions, service.service, settings, { timeouts: impatience });
  const holder = connect({ host: '127.0.0.1', port: small.port, allowHalfOpen: true }).on('error', () => undefined);
  holder.resume();
  await once(holder, 'connect');
  holder.write(first);
  const drip = setInterval(() => rest !== '' && holder.write(rest), 20);
  await new Promise((resolve) => holder.once('end', resolve).once('close', resolve));
  expect((await getHealth(small.port)).statuses).toEqual([200]);
  clearInterval(drip);
  holder.destroy();
  await small.stop();
});

test.each<[string, string]>([
  ['nothing', ''],
  ['half a request', 'GET /health HTTP/1.1\r\n'],
  ['a request, then nothing', 'GET /health HTTP/1.1\r\nHost: a\r\n\r\n'],
])('connections that send %s do not keep others out', async (_, first) => {
  // The server's share of the connections is two.
  const small = await startServer(httpFunctions, service.service, settings, { processes: 500 });
  const holders = Array.from({ length: 5 }, () => open(small.port));
  const closed = holders.map((holder) => untilClosed(holder));
  for (const holder of holders) {
    if (holder.connecting) await once(holder, 'connect');
    holder.write(first);
  }
  expect((await getHealth(small.port)).statuses).toEqual([200]);
  // The connections that waited longest were closed.
  await Promise.all(closed.slice(0, 3));
  for (const holder of holders) holder.destroy();
  await small.stop();
});

test('the address with the most waiting connections loses one to make room', async () => {
  const small = await startServer(httpFunctions, service.service, { host: '127.0.0.1', port: 0 }, { processes: 250 });
  const visitor = connect({ host: '127.0.0.1', port: small.port, localAddress: '127.0.0.2' });
  await once(visitor, 'connect');
  const holders = Array.from({ length: 20 }, () => open(small.port));
  await Promise.all(holders.slice(0, 10).map((holder) => untilClosed(holder)));
  visitor.write('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  expect((await untilClosed(visitor)).statuses).toEqual([200]);
  for (const holder of holders) holder.destroy();
  await small.stop();
});

function getHealth(port: number): Promise<Heard> {
  const socket = open(port);
  socket.write('GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  return untilClosed(socket);
}

test('CONNECT is answered with 405 and a problem document', async () => {
  const { statuses, text } = await say('CONNECT a.example.org:443 HTTP/1.1', 'Host: a.example.org:443');
  expect(statuses).toEqual([405]);
  expect(text).toMatch(/^Allow: GET, HEAD, OPTIONS\r$/m);
  expect(text).toMatch(/^Connection: close\r$/m);
  expect(text).toContain('"title":"Method not allowed"');
});

test('every answer has the security headers', async () => {
  const answers = await Promise.all([
    sendRequest(paths.site, KEY),
    sendRequest(`${paths.site}?format=csv`, KEY),
    sendRequest(`${paths.site}?x=1`, KEY),
    sendRequest(paths.site),
    sendRequest('/nothing'),
    sendRequest('/health'),
    sendRequest('/'),
    sendRequest('/docs'),
    sendRequest('/docs/pages.css'),
    sendRequest('/openapi.json'),
    say(`OPTIONS ${paths.site} HTTP/1.1`, 'Host: a', 'Connection: close'),
    say('nonsense'),
    say('CONNECT a:443 HTTP/1.1', 'Host: a:443'),
    sendRequest(paths.site, `X-Name: ${'x'.repeat(MEBIBYTE)}`),
  ]);
  for (const { text } of answers) {
    expect(text).toMatch(/^X-Content-Type-Options: nosniff\r$/m);
    expect(text).toMatch(/^Content-Security-Policy: default-src 'none'.*\r$/m);
    expect(text).toMatch(/^Referrer-Policy: no-referrer\r$/m);
    expect(text).toMatch(/^Cross-Origin-Resource-Policy: cross-origin\r$/m);
    expect(text).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m);
    expect(text).not.toMatch(/^(Server|X-Powered-By|Strict-Transport-Security):/im);
  }
});

test('a service with a public HTTPS address sends Strict-Transport-Security', async () => {
  const secure = { ...service.service, publicUrl: 'https://water.example.org' };
  expect((await service.getFrom(secure, paths.site, {})).headers['Strict-Transport-Security']).toBe('max-age=31536000');
});
