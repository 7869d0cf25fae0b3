// The local host's HTTP server: routes without regard to case, long request lines (D15), bounds on what slow readers and slow or
// endless senders may keep (ADR 0045), and a stop that finishes the answers under way.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { HttpResponseInit } from '@azure/functions';
import { functionFinder } from '../shared/http/find-function';
import type { HttpFunction } from '../shared/http/http-function';
import { INTERNAL, MAX_OTHER_HEADERS, MAX_REQUEST_LINE, OVERLOADED, URI_TOO_LONG } from '../shared/http/problem';
import { refuse } from '../shared/http/respond';
import type { Service } from '../shared/http/service';
import type { Settings } from '../shared/settings';
import { BodiesInFlight } from './bodies-in-flight';
import { platformRequest, readTarget } from './read-request';
import { refuseBroken } from './refuse-broken';

/** How long the server waits for others, in milliseconds. */
export interface Patience {
  /** Until the headers are there: the longest request line in it is 13 KB a second. */
  readonly headersMs: number;
  /** Until the request is there, with a body that nobody asked for. */
  readonly requestMs: number;
  /** On a connection on which nothing moves: a reader that takes nothing for so long holds memory that others need. */
  readonly stalledMs: number;
  /** How often connections are looked at. */
  readonly checkMs: number;
}

const PATIENCE: Patience = { headersMs: 20_000, requestMs: 30_000, stalledMs: 60_000, checkMs: 5_000 };

/** No operation has a use for a body; this is what is read and thrown away before the connection is cut. */
const MAX_REQUEST_BODY = 1024 * 1024;

/** Each may hold the longest headers: 320 MB in all. */
const MAX_CONNECTIONS = 1000;

const NO_BODY = new Uint8Array();

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
  patience: Patience = PATIENCE,
): Promise<RunningServer> {
  const functionFor = functionFinder(functions);
  const open = new Set<ServerResponse>();
  const inFlight = new BodiesInFlight();

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = readTarget(request);
    const { target, method } = received;
    if (target.length > MAX_REQUEST_LINE) {
      send(response, refuse(URI_TOO_LONG, randomUUID(), method, service));
      return;
    }
    const answer = await functionFor(target).handle(platformRequest(request, received), service);
    const body = answer.body instanceof Uint8Array ? answer.body : NO_BODY;
    // Whoever asked has gone, and will not be heard to go once more.
    if (!open.has(response)) {
      service.answers.giveBack(body);
      return;
    }
    // Looked at when the answer is there: pipelined requests are all taken before the first answer is out.
    if (inFlight.bytes > 0 && inFlight.bytesWith(body) > settings.maxBytesInFlight) {
      service.answers.giveBack(body);
      send(response, refuse(OVERLOADED, randomUUID(), method, service));
      return;
    }
    inFlight.add(body);
    response.once('close', () => {
      inFlight.remove(body);
      service.answers.giveBack(body);
    });
    send(response, answer);
  };

  const options = {
    maxHeaderSize: MAX_REQUEST_LINE + MAX_OTHER_HEADERS,
    headersTimeout: patience.headersMs,
    requestTimeout: patience.requestMs,
    connectionsCheckingInterval: patience.checkMs,
  };
  const server = createServer(options, (request, response) => {
    dropBody(request);
    open.add(response);
    response.once('close', () => open.delete(response));
    serve(request, response).catch((error: unknown) => {
      const requestId = randomUUID();
      service.logError(`request ${requestId} failed in the local host`, error);
      if (response.headersSent) response.destroy();
      else send(response, refuse(INTERNAL, requestId, request.method ?? 'GET', service));
    });
  });
  server.setTimeout(patience.stalledMs);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (error, socket) => {
    refuseBroken(error, socket, service);
  });
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

/** Reads on, so that the next request of the connection is heard. */
function dropBody(request: IncomingMessage): void {
  let bytes = 0;
  request.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > MAX_REQUEST_BODY) request.destroy();
  });
}

function send(response: ServerResponse, { status, headers, body }: HttpResponseInit): void {
  response.writeHead(status ?? 200, headers as Record<string, string>); // Every answer of ours sets a plain object.
  response.end(body instanceof Uint8Array ? body : undefined);
}
