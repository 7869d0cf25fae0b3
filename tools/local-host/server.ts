// The local host's HTTP server: routes without regard to case, long request lines (D15), a bound on the bytes that slow
// readers leave in memory, and a stop that finishes the answers under way.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { HttpRequest, type HttpResponseInit } from '@azure/functions';
import { functionFinder } from '../../shared/http/find-function';
import type { HttpFunction } from '../../shared/http/http-function';
import { MAX_REQUEST_LINE, OVERLOADED, URI_TOO_LONG } from '../../shared/http/problem';
import { refuse } from '../../shared/http/respond';
import type { Service } from '../../shared/http/service';
import type { Settings } from '../../shared/settings';

/** What headers may take beside the request line. */
const MAX_OTHER_HEADERS = 64 * 1024;

/** Of a connection on which nothing moves. */
const STALLED_MS = 60_000;

/** Answers under way get this long to be sent after a signal to stop. */
const STOP_MS = 10_000;

export interface RunningServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

export function startServer(
  functions: readonly HttpFunction[],
  service: Service,
  settings: Pick<Settings, 'host' | 'port' | 'maxBytesInFlight'>,
): Promise<RunningServer> {
  const functionFor = functionFinder(functions);
  const open = new Set<ServerResponse>();
  let bytesInFlight = 0;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? '/';
    const method = request.method ?? 'GET';
    if (url.length > MAX_REQUEST_LINE) {
      send(response, refuse(URI_TOO_LONG, randomUUID(), method));
      return;
    }
    const answer = await functionFor(url).handle(platformRequest(request, url, method), service);
    const bytes = answer.body instanceof Uint8Array ? answer.body.length : 0;
    // Looked at when the answer is there: pipelined requests are all taken before the first answer is out.
    if (bytesInFlight > 0 && bytesInFlight + bytes > settings.maxBytesInFlight) {
      send(response, refuse(OVERLOADED, randomUUID(), method));
      return;
    }
    bytesInFlight += bytes;
    response.once('close', () => {
      bytesInFlight -= bytes;
      if (answer.body instanceof Uint8Array) service.bodies.giveBack(answer.body);
    });
    send(response, answer);
  };

  const server = createServer({ maxHeaderSize: MAX_REQUEST_LINE + MAX_OTHER_HEADERS }, (request, response) => {
    request.resume();
    open.add(response);
    response.once('close', () => open.delete(response));
    serve(request, response).catch((error: unknown) => {
      service.logError('the local host failed', error);
      response.destroy();
    });
  });
  // A reader that takes nothing for so long holds memory that others need.
  server.setTimeout(STALLED_MS);
  server.on('clientError', refuseBrokenRequest);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(
        isTaken ? new Error(`The port ${settings.port} of ${settings.host} is taken; set PORT to another.`) : error,
      );
    });
    server.listen(settings.port, settings.host, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : settings.port;
      resolve({ port, stop: () => stopServer(server, open) });
    });
  });
}

/**
 * http.Server.close counts a connection as idle, and closes it, when its answer was handed over but not sent yet. So only the
 * listening is stopped here, and connections are closed when their answers are out.
 */
async function stopServer(server: HttpServer, open: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => {
      resolve();
    });
  });
  const impatience = setTimeout(() => {
    server.closeAllConnections();
  }, STOP_MS);
  await Promise.all([...open].map((response) => new Promise((resolve) => response.once('close', resolve))));
  clearTimeout(impatience);
  server.closeAllConnections();
  await closed;
}

function platformRequest(request: IncomingMessage, url: string, method: string): HttpRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  // The query keeps its bytes: handlers read it strictly. The host's name does not matter to any of them.
  const readUrl = `http://localhost${url.startsWith('/') ? url : `/${url}`}`;
  // A Request of fetch refuses TRACE and CONNECT, which no handler allows either: another refused method stands for them.
  const knownMethod = method === 'TRACE' || method === 'CONNECT' ? 'POST' : method;
  return new HttpRequest({ url: readUrl, method: knownMethod, headers });
}

function send(response: ServerResponse, { status, headers, body }: HttpResponseInit): void {
  response.writeHead(status ?? 200, headers as Record<string, string>); // Every answer of ours sets a plain object.
  response.end(body instanceof Uint8Array ? body : undefined);
}

/** Node hands over requests that it cannot parse; those with too long a line get their 414. */
function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (error.code !== 'HPE_HEADER_OVERFLOW') {
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
    return;
  }
  const { headers, body } = refuse(URI_TOO_LONG, randomUUID(), 'GET');
  const lines = Object.entries(headers as Record<string, string>).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 414 URI Too Long\r\nConnection: close\r\n${lines.join('')}\r\n`);
  socket.end(body instanceof Uint8Array ? body : '');
}
