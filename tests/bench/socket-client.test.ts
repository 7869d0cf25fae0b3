// The client by which the OGC API is measured reads what Node's own client reads, answer after answer over one
// connection.

import { createServer, type Server } from 'node:http';
import { HttpClient } from '../../bench/measure/http-client';
import { SocketClient } from '../../bench/measure/socket-client';
import type { TimingClient } from '../../bench/measure/timing-client';
import { listen } from '../../host/server';

let server: Server;
let clients: readonly TimingClient[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const bytes = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 0);
    response.writeHead(bytes === 0 ? 304 : 200, {
      'Content-Length': bytes,
      'X-Asked': String(request.headers['x-way']),
    });
    response.end(Buffer.alloc(bytes, `${bytes} `));
  });
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const measured = { origin: `http://127.0.0.1:${port}/`, headers: { 'X-Way': 'there' } };
  clients = [new HttpClient(measured), new SocketClient(measured)];
});

afterAll(() => {
  for (const client of clients) client.close();
  server.close();
});

test('answers of all lengths, without a body and to HEAD are the same, in any order', async () => {
  const questions = [
    ...[1, 3_000_000, 100, 70_000, 0, 5].map((bytes) => ({ path: `/${bytes}` })),
    { path: '/1000', method: 'HEAD' as const, headers: { 'X-Way': 'back' } },
    { path: '/12' },
  ];
  for (const question of questions) {
    const [expected, found] = await Promise.all(
      clients.map(async (client) => {
        const { status, headers, body } = await client.ask(question);
        return { question, status, asked: headers['x-asked'], body: body.toString() };
      }),
    );
    expect(found).toEqual(expected);
  }
});
