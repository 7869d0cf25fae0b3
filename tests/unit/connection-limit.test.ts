// Connections that wait for a client are closed to make room for new connections; connections that wait for an answer
// are not.

import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { limitConnections } from '../../host/connection-limit';

const LIMIT = 3;
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\n';

let server: Server;
let responses: ServerResponse[];
let clients: Socket[];

beforeEach(async () => {
  responses = [];
  clients = [];
  server = createServer((request, response) => {
    request.resume();
    responses.push(response);
  });
  limitConnections(server, LIMIT);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(async () => {
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Resolves when the server has the request, or the connection if nothing is sent. */
async function open(text: string): Promise<Socket> {
  const { port } = server.address() as AddressInfo;
  const received = once(server, text === '' ? 'connection' : 'request');
  const client = connect(port, '127.0.0.1');
  client.on('error', () => undefined);
  clients.push(client);
  client.resume().write(text);
  await received;
  return client;
}

async function findClosed(sockets: readonly Socket[]): Promise<number> {
  const closed = sockets.map(async (socket, index) => {
    await once(socket, 'close');
    return index;
  });
  return Promise.race(closed);
}

test.each([
  ['are silent', ''],
  ['send their body slowly', `${HEAD}Content-Length: 500\r\n\r\nx`],
  ['send chunks slowly', `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n`],
  ['send nothing of their body', `${HEAD}Content-Length: 500\r\n\r\n`],
])('the oldest of the connections that %s is closed to make room', async (_, text) => {
  const sockets: Socket[] = [];
  while (sockets.length < LIMIT) sockets.push(await open(text));
  const closed = findClosed(sockets);
  await open(`${HEAD}Content-Length: 0\r\n\r\n`);
  expect(await closed).toBe(0);
});

test('a connection with a complete request stays open, and so does one that is answered later', async () => {
  const complete = await open(`${HEAD}Content-Length: 1\r\n\r\nx`);
  await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  const slow = await open(`${HEAD}Content-Length: 2\r\n\r\nx`);
  const closed = findClosed([complete, slow]);
  await open('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await closed).toBe(1);
  responses[0]?.end('answer');
  const [chunk] = (await once(complete, 'data')) as [Buffer];
  expect(chunk.toString()).toContain('200 OK');
});
