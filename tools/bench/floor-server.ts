// The floor of every figure: node:http sending as many bytes from memory. `/BYTES` answers with so many.

import { createServer } from 'node:http';

const bodies = new Map<number, Buffer>();

const server = createServer((request, response) => {
  const bytes = Number((request.url ?? '/0').slice(1));
  let body = bodies.get(bytes);
  if (body === undefined) {
    body = Buffer.alloc(bytes, '{"a":1} ');
    bodies.set(bytes, body);
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes });
  response.end(body);
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' && address !== null ? address.port : '');
});

process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
