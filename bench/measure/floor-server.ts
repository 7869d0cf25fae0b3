// The floor for every figure: node:http sending the same number of bytes from memory. `/BYTES` returns that many bytes.

import { createServer } from 'node:http';

/** Every answer is a prefix of this buffer, so that answers of many lengths take no more memory than the longest. */
let body = Buffer.alloc(0);

/** Keeps connections open while the benchmark sends requests to another server. */
const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  const bytes = Number((request.url ?? '/0').slice(1));
  if (bytes > body.length) body = Buffer.alloc(bytes * 2, '{"a":1} ');
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes });
  response.end(body.subarray(0, bytes));
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/` : '');
});

process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
});
