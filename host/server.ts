// The local host's HTTP server, with limits on slow readers and senders (ADR 0045) and a graceful stop.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  INTERNAL_ERROR,
  MALFORMED_REQUEST,
  MAX_REQUEST_HEAD,
  methodNotAllowed,
  type Problem,
  REQUEST_TOO_SLOW,
  URI_TOO_LONG,
} from '../shared/http/pipeline/outcome';
import { respondWithProblem } from '../shared/http/pipeline/send';
import type { HttpFunction, HttpResponse, Service } from '../shared/http/pipeline/service';
import type { Settings } from '../shared/settings';
import { hasCode } from '../shared/values/result';
import { limitConnections } from './connection-limit';
import { findRequestProblem, readTarget, toHttpRequest } from './http-request';
import { receiveBody, type RequestBody } from './request-body';
import { createRequestHandler, type RequestHandler } from './request-handler';
import { limitRequestTime } from './request-timeout';

/** How long the server waits for clients, in milliseconds. */
const TIMEOUTS = {
  /** For receiving the headers. The longest request line then needs 13 KB per second. */
  headersMs: 20_000,
  /**
   * For receiving the whole request, including a body that no operation reads. Does not apply to a body that is read as
   * a stream.
   */
  requestMs: 30_000,
  /** For receiving a request whose body is read as a stream: 500 MB at 0.6 MB per second. */
  streamedRequestMs: 15 * 60_000,
  /**
   * For the next request on a connection to start. Longer than the 60 seconds of nginx and of AWS load balancers: a
   * proxy that sends a request on a connection that is being closed answers 502 (D71). Node restarts this timeout with
   * each byte, so `limitIdleTime` also enforces it.
   */
  idleMs: 65_000,
  /** For the client to close a connection after its request was refused. */
  lingerMs: 2_000,
  /** For any activity on a connection. A stalled reader holds memory that other requests need. */
  stalledMs: 60_000,
  /** Interval between checks of the connections. */
  checkMs: 5_000,
};

/** Shared by all processes of the service. Each connection may hold headers of maximum length: 320 MB in total. */
const MAX_CONNECTIONS = 1000;

/** How long responses in progress may take after a signal to stop. */
const STOP_MS = 10_000;

/** How long connections without a request so far may take to send one after a signal to stop. */
const FIRST_REQUEST_MS = 3_000;
const POLL_MS = 50;

type Timeouts = Readonly<typeof TIMEOUTS>;

export interface RunningServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

export interface ServerOptions {
  /** The limits that are not in TIMEOUTS. */
  readonly timeouts?: Partial<Timeouts>;
  /** The number of processes that listen on the port and share MAX_CONNECTIONS. */
  readonly processes?: number;
  /** How long `stop` still reads requests on open connections after it has closed the port. */
  readonly graceMs?: number;
}

/** Resolves when the server listens. Rejects as `listen` does. */
export async function startServer(
  functions: readonly HttpFunction[],
  service: Service,
  settings: Pick<Settings, 'host' | 'port'>,
  { timeouts = {}, processes = 1, graceMs = 0 }: ServerOptions = {},
): Promise<RunningServer> {
  const openResponses = new Set<ServerResponse>();
  const server = createHttpServer(functions, service, { ...TIMEOUTS, ...timeouts }, openResponses);
  limitConnections(server, Math.ceil(MAX_CONNECTIONS / processes));
  closeIdleWhenCrowded(server, server.maxConnections);
  const unusedSockets = collectUnusedSockets(server);
  return {
    port: await listen(server, settings),
    stop: () => stopServer(server, openResponses, unusedSockets, graceMs),
  };
}

/** Resolves with the port. Rejects with a sentence for the operator if the address or the port cannot be used. */
export async function listen(server: NetServer, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) {
      throw new Error(`Port ${port} of ${host} is in use. Set PORT to another port.`, { cause: error });
    }
    if (hasCode(error, 'EACCES')) {
      throw new Error(`Permission denied for port ${port} of ${host}. Set PORT to another port.`, { cause: error });
    }
    if (!hasCode(error, 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL')) throw error;
    throw new Error(`The setting HOST must be an address of this machine; it is "${host}".`, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function createHttpServer(
  functions: readonly HttpFunction[],
  service: Service,
  timeouts: Timeouts,
  openResponses: Set<ServerResponse>,
): HttpServer {
  const handleRequest = createRequestHandler(functions);
  const options = {
    maxHeaderSize: MAX_REQUEST_HEAD,
    // Off, because Node would refuse a request without a Host header with an empty response.
    requireHostHeader: false,
    headersTimeout: timeouts.headersMs,
    requestTimeout: Math.max(timeouts.requestMs, timeouts.streamedRequestMs),
    keepAliveTimeout: timeouts.idleMs,
    connectionsCheckingInterval: timeouts.checkMs,
  };
  const server = createServer(options, (request, response) => {
    response.setMaxListeners(MAX_RESPONSE_LISTENERS);
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
    const body = receiveBody(request);
    limitRequestTime(request, body, timeouts.requestMs, () => {
      refuseConnection(request.socket, REQUEST_TOO_SLOW, service, timeouts.lingerMs);
    });
    answer({ request, response, body }, handleRequest, service).catch((error: unknown) => {
      const requestId = randomUUID();
      service.logError(`request ${requestId} failed in the local host`, error);
      if (response.headersSent) response.destroy();
      else send(response, respondWithProblem(INTERNAL_ERROR, requestId, request.method ?? 'GET', service));
    });
  });
  server.setTimeout(timeouts.stalledMs);
  limitIdleTime(server, openResponses, timeouts.idleMs + timeouts.headersMs);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    else refuseConnection(socket, toProblem(error.code), service, timeouts.lingerMs);
  });
  // The service is not a proxy. Without this listener, Node would close the connection without a response.
  server.on('connect', (_, socket) => {
    refuseConnection(socket, methodNotAllowed('GET, HEAD, OPTIONS'), service, timeouts.lingerMs);
  });
  return server;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: RequestBody | undefined;
}

async function answer(
  { request, response, body }: Exchange,
  handleRequest: RequestHandler,
  service: Service,
): Promise<void> {
  const target = readTarget(request);
  const httpRequest = toHttpRequest(request, response, target, body);
  const problem = findRequestProblem(request, target);
  if (problem !== undefined) {
    const rest = body?.discardRest();
    send(response, respondWithProblem(problem, randomUUID(), httpRequest.method, service), rest);
    return;
  }
  const result = await handleRequest(httpRequest, service);
  const rest = body?.discardRest();
  // The client may have disconnected in the meantime.
  if (!response.closed) send(response, result, rest);
  else if (result.body instanceof Readable) result.body.destroy();
}

/**
 * The maximum number of listeners on a response: counting connections and requests adds listeners for the end of a
 * response, and so does a stream pipeline.
 */
const MAX_RESPONSE_LISTENERS = 32;

/**
 * `rest` resolves when the whole body of the request has arrived. Without keep-alive, Node closes the connection after
 * the response. Bytes of the request that arrive later would reset it, and the client might never read the response.
 */
function send(response: ServerResponse, { status, headers, body }: HttpResponse, rest?: Promise<void>): void {
  response.writeHead(status, headers);
  if (body instanceof Readable) {
    // If the client disconnects or the file cannot be read completely, both are destroyed and the connection is cut.
    pipeline(body, response, () => undefined);
    return;
  }
  if (rest === undefined || response.shouldKeepAlive) {
    response.end(body);
    return;
  }
  if (body === undefined) response.flushHeaders();
  else response.write(body);
  void rest.then(() => response.end());
}

/**
 * Closes a connection if no request arrives within this time after its last response, even if other bytes arrive. Node
 * restarts its timeouts with each empty line, although that is not a request.
 */
function limitIdleTime(server: HttpServer, openResponses: ReadonlySet<ServerResponse>, maxMs: number): void {
  const timers = new WeakMap<Socket, NodeJS.Timeout>();
  server.on('request', ({ socket }, response) => {
    clearTimeout(timers.get(socket));
    response.once('close', () => {
      if (socket.destroyed) return;
      const timer = setTimeout(() => {
        // With pipelining, another response may be in progress, whose end restarts the time.
        if (![...openResponses].some(({ req }) => req.socket === socket)) socket.destroy();
      }, maxMs);
      clearTimeout(timers.get(socket));
      timers.set(socket, timer.unref());
    });
  });
}

/** Closes idle connections once half of the connections are in use, so that they do not keep other clients out. */
function closeIdleWhenCrowded(server: HttpServer, maxConnections: number): void {
  let openConnections = 0;
  server.on('connection', (socket) => {
    openConnections++;
    socket.once('close', () => {
      openConnections--;
    });
    if (openConnections > maxConnections / 2) server.closeIdleConnections();
  });
}

/** The open connections that have not sent a request yet. */
function collectUnusedSockets(server: HttpServer): ReadonlySet<Socket> {
  const unusedSockets = new Set<Socket>();
  server.on('connection', (socket) => {
    unusedSockets.add(socket);
    socket.once('close', () => unusedSockets.delete(socket));
  });
  server.on('request', ({ socket }) => unusedSockets.delete(socket));
  return unusedSockets;
}

/** Sends the problem and destroys the connection, even if the client does not close its side. */
function refuseConnection(socket: Duplex, problem: Problem, service: Service, lingerMs: number): void {
  const { status, headers, body } = respondWithProblem(problem, randomUUID(), 'GET', service);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, 'Connection: close', ...fields];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.end(body instanceof Uint8Array ? body : '');
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

function toProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return URI_TOO_LONG;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? REQUEST_TOO_SLOW : MALFORMED_REQUEST;
}

/**
 * http.Server.close would also close a connection whose response was handed to the system but not sent yet. So this
 * closes only the port at first, and closes each connection once its response has been sent.
 */
async function stopServer(
  server: HttpServer,
  openResponses: ReadonlySet<ServerResponse>,
  unusedSockets: ReadonlySet<Socket>,
  graceMs: number,
): Promise<void> {
  const closed = once(server, 'close');
  NetServer.prototype.close.call(server);
  if (graceMs > 0) {
    await sleep(graceMs);
    // On a slow or busy machine, some time can pass between a client's connection and its request.
    for (let waitedMs = graceMs; unusedSockets.size > 0 && waitedMs < FIRST_REQUEST_MS; waitedMs += POLL_MS) {
      await sleep(POLL_MS);
    }
  }
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, STOP_MS);
  await Promise.all([...openResponses].map((response) => new Promise((resolve) => response.once('close', resolve))));
  clearTimeout(timer);
  server.closeAllConnections();
  await closed;
}
