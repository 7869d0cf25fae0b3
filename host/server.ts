// The local host's HTTP server: routes without regard to case, long request lines (D15), bounds on what slow readers
// and slow or endless senders may keep (ADR 0045), and a stop that finishes the answers under way. Below it, what turns
// the request of a socket into the one that handlers read, as the platform does.

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
import {
  INTERNAL_ERROR,
  MAX_REQUEST_HEAD,
  MAX_REQUEST_LINE,
  MALFORMED_REQUEST,
  type Problem,
  createProblem,
  REQUEST_TOO_SLOW,
  URI_TOO_LONG,
} from '../shared/http/pipeline/outcome';
import { respondWithProblem, listenForClose } from '../shared/http/pipeline/send';
import {
  type HttpRequest,
  type HttpResponse,
  type HttpFunction,
  MAX_BODY_BYTES,
  type Service,
} from '../shared/http/pipeline/service';
import type { Settings } from '../shared/settings';
import { hasCode } from '../shared/values/result';

/** How long the server waits for others, in milliseconds. */
const TIMEOUTS = {
  /** For the headers: the longest request line is then sent at 13 KB a second. */
  headersMs: 20_000,
  /** For the whole request, with a body that nobody asked for. */
  requestMs: 30_000,
  /** For any movement on a connection: a reader that takes nothing for so long keeps memory that others need. */
  stalledMs: 60_000,
  /** Between two looks at the connections. */
  checkMs: 5_000,
};

/** So much of a request's body is read, and most of it thrown away, before the connection is cut. */
const MAX_REQUEST_BODY = 1024 * 1024;

/** In all processes of the service. Each connection may hold the longest headers: 320 MB in all. */
const MAX_CONNECTIONS = 1000;

/** Answers under way get this long to be sent after a signal to stop. */
const STOP_MS = 10_000;

export interface RunningServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

export async function startServer(
  functions: readonly HttpFunction[],
  service: Service,
  settings: Pick<Settings, 'host' | 'port'>,
  timeouts: Readonly<typeof TIMEOUTS> = TIMEOUTS,
): Promise<RunningServer> {
  const { server, stop } = createHttpServer(functions, service, timeouts);
  server.maxConnections = MAX_CONNECTIONS;
  return { port: await listen(server, settings), stop };
}

/** A server of connections that another process has accepted. */
export interface ConnectionServer {
  readonly take: (socket: Socket) => void;
  readonly stop: () => Promise<void>;
}

/** One of so many `processes` of the service. */
export function startConnectionServer(
  functions: readonly HttpFunction[],
  service: Service,
  processes: number,
): ConnectionServer {
  const { server, stop } = createHttpServer(functions, service, TIMEOUTS);
  // node:http begins to look at the times of connections when it listens.
  server.emit('listening');
  let open = 0;
  const take = (socket: Socket): void => {
    if (open >= MAX_CONNECTIONS / processes) {
      socket.destroy();
      return;
    }
    open++;
    socket.once('close', () => open--);
    server.emit('connection', socket);
  };
  return { take, stop };
}

function createHttpServer(
  functions: readonly HttpFunction[],
  service: Service,
  timeouts: Readonly<typeof TIMEOUTS>,
): { readonly server: HttpServer; readonly stop: () => Promise<void> } {
  const findFunction = createFunctionFinder(functions);
  /** The responses that are not closed yet. */
  const open = new Set<ServerResponse>();
  const options = {
    maxHeaderSize: MAX_REQUEST_HEAD,
    // Node would refuse a request without one with nothing to read.
    requireHostHeader: false,
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.checkMs,
  };
  const server = createServer(options, (request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    answer(request, response, findFunction, service).catch((error: unknown) => {
      const requestId = randomUUID();
      service.logError(`request ${requestId} failed in the local host`, error);
      if (response.headersSent) response.destroy();
      else send(response, respondWithProblem(INTERNAL_ERROR, requestId, request.method ?? 'GET', service));
    });
  });
  server.setTimeout(timeouts.stalledMs);
  server.on('clientError', (error, socket) => {
    refuseMalformed(error, socket, service);
  });
  return { server, stop: () => stopServer(server, open) };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  findFunction: (url: string) => HttpFunction,
  service: Service,
): Promise<void> {
  const target = readTarget(request);
  const httpRequest = toHttpRequest(request, response, target);
  const problem = target.length > MAX_REQUEST_LINE ? URI_TOO_LONG : hasValidHost(request) ? undefined : BAD_HOST;
  if (problem !== undefined) {
    send(response, respondWithProblem(problem, randomUUID(), httpRequest.method, service));
    return;
  }
  const result = await findFunction(target).handle(httpRequest, service);
  // The client may have gone while the answer was made.
  if (!response.closed) send(response, result);
  else if (result.body instanceof Readable) result.body.destroy();
}

/** Resolves with the port. Rejects with a sentence when there is no such address, or the port is taken. */
export async function listen(server: NetServer, { host, port }: Pick<Settings, 'host' | 'port'>): Promise<number> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    if (hasCode(error, 'EADDRINUSE')) {
      throw new Error(`The port ${port} of ${host} is taken; set PORT to another.`, { cause: error });
    }
    if (hasCode(error, 'EACCES')) {
      throw new Error(`The port ${port} of ${host} is not for this user; set PORT to another.`, { cause: error });
    }
    if (!hasCode(error, 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL')) throw error;
    throw new Error(`The setting HOST must be an address of this machine; it is "${host}".`, { cause: error });
  }
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/**
 * http.Server.close counts a connection as idle, and closes it, when its answer was handed over but not sent yet. So
 * only the listening is stopped here, and connections are closed when their answers are out.
 */
async function stopServer(server: HttpServer, openResponses: ReadonlySet<ServerResponse>): Promise<void> {
  const closed = once(server, 'close');
  NetServer.prototype.close.call(server);
  const timer = setTimeout(() => {
    server.closeAllConnections();
  }, STOP_MS);
  await Promise.all([...openResponses].map((response) => new Promise((resolve) => response.once('close', resolve))));
  clearTimeout(timer);
  server.closeAllConnections();
  await closed;
}

/**
 * Reads the body, so that the next request of the connection is heard, and keeps as much of it as an operation may
 * read. What comes before an operation asks for it is kept, too: its code may have to be loaded first.
 */
function receiveBody(request: IncomingMessage): HttpRequest['readBody'] {
  // Most requests have none (RFC 9112, section 6.3), and reading nothing takes a tenth of a small request's time.
  if (request.headers['content-length'] === undefined && request.headers['transfer-encoding'] === undefined) {
    return undefined;
  }
  let bytes = 0;
  let chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
    else chunks = [];
    if (bytes > MAX_REQUEST_BODY) request.destroy();
  });
  const ended = new Promise<void>((resolve) => request.once('end', resolve).once('close', resolve));
  const isComplete = (): boolean => request.complete && bytes <= MAX_BODY_BYTES;
  return () => ended.then(() => (isComplete() ? Buffer.concat(chunks) : undefined));
}

function send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
  response.writeHead(status, headers);
  if (body instanceof Readable) {
    // A client who goes, or a file that cannot be read to its end, ends both: the connection is cut.
    pipeline(body, response, () => undefined);
    return;
  }
  response.end(body);
}

/** The path and query, as they were sent. A proxy may send them behind a host, which is ignored (RFC 9112, 3.2.2). */
function readTarget({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const rest = url.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The header decides where `/ogc` links lead, and two programs on the way may read two of them differently. */
const BAD_HOST = createProblem(
  400,
  'Bad Host header',
  'A request of HTTP/1.1 has one header Host, with a name or an address and perhaps a port, and nothing else.',
);

/** A name or an address, and perhaps a port (RFC 9110, 7.2); empty where the client's address has no host. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(?::\d*)?$/i;

/** Whether there is one Host, as there must be, and it is one (RFC 9112, 3.2). Only HTTP/1.0 may leave it out. */
function hasValidHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const hosts = headersDistinct['host'] ?? [];
  return hosts.length === 0 ? httpVersion === '1.0' : hosts.length === 1 && HOST.test(hosts[0] ?? '');
}

/** A Request of fetch, as the platform has it, would cost half of a small answer and give the handlers nothing more. */
function toHttpRequest(request: IncomingMessage, response: ServerResponse, target: string): HttpRequest {
  const { method = 'GET', headers, socket } = request;
  return {
    method,
    // Who needs the host's name reads the header. Node has refused what is not ASCII.
    url: `http://localhost${target}`,
    headers: {
      get: (name) => {
        const value = headers[name];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      },
      has: (name) => headers[name] !== undefined,
    },
    get address() {
      return socket.remoteAddress;
    },
    onClosed: listenForClose(response),
    readBody: receiveBody(request),
  };
}

const ANY_PATH_BELOW = '{*path}';

/**
 * Finds the function of a URL as the platform's router does, without regard to case and outer slashes: the exact route,
 * else the longest of those that take everything below them. Throws when no function takes unknown paths.
 */
export function createFunctionFinder(functions: readonly HttpFunction[]): (url: string) => HttpFunction {
  const exact = new Map(functions.map((declared) => [declared.route.toLowerCase(), declared]));
  const open = functions
    .filter(({ route }) => route.endsWith(ANY_PATH_BELOW))
    .map((declared) => ({ declared, prefix: declared.route.slice(0, -ANY_PATH_BELOW.length).toLowerCase() }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  return (url) => {
    const route = normalizeRoute(url);
    const match = exact.get(route) ?? open.find(({ prefix }) => `${route}/`.startsWith(prefix))?.declared;
    if (match === undefined) throw new Error('no function takes unknown paths');
    return match;
  };
}

function normalizeRoute(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end).toLowerCase();
}

function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex, service: Service): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body } = respondWithProblem(toProblem(error.code), randomUUID(), 'GET', service);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, 'Connection: close', ...fields];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.end(body instanceof Uint8Array ? body : '');
}

function toProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return URI_TOO_LONG;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? REQUEST_TOO_SLOW : MALFORMED_REQUEST;
}
