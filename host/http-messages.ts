// Between sockets and handlers, as the platform does it: what came in as the request that handlers read, the function
// that answers on its path, and the refusal of what Node could not parse or did not get in time.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { NO_REQUEST, TOO_SLOW, URI_TOO_LONG, type Problem } from '../shared/http/pipeline/outcome';
import { refuse } from '../shared/http/pipeline/send';
import type { AskedRequest, HttpFunction, Service } from '../shared/http/pipeline/service';

/** The path and query, as they were sent. A proxy may send them behind a host, which is ignored (RFC 9112, 3.2.2). */
export function targetOf({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const rest = url.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The header decides where `/ogc` links lead, and two programs on the way may read two of them differently. */
export const BAD_HOST: Problem = {
  status: 400,
  title: 'Bad Host header',
  detail: 'A request of HTTP/1.1 has one header Host, with a name or an address and perhaps a port, and nothing else.',
};

/** A name or an address, and perhaps a port (RFC 9110, 7.2); empty where the client's address has no host. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(?::\d*)?$/i;

/** Whether there is one Host, as there must be, and it is one (RFC 9112, 3.2). Only HTTP/1.0 may leave it out. */
export function hasGoodHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const hosts = headersDistinct['host'] ?? [];
  return hosts.length === 0 ? httpVersion === '1.0' : hosts.length === 1 && HOST.test(hosts[0] ?? '');
}

/** A Request of fetch, as the platform has it, would cost half of a small answer and give the handlers nothing more. */
export function platformRequest(
  request: IncomingMessage,
  target: string,
  onClosed: AskedRequest['onClosed'],
): AskedRequest {
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
    onClosed,
  };
}

const ANY_PATH_BELOW = '{*path}';

/**
 * Finds the function of a URL as the platform's router does, without regard to case and outer slashes: the exact route,
 * else the longest of those that take everything below them. Throws when no function takes unknown paths.
 */
export function functionFinder(functions: readonly HttpFunction[]): (url: string) => HttpFunction {
  const exact = new Map(functions.map((declared) => [declared.route.toLowerCase(), declared]));
  const open = functions
    .filter(({ route }) => route.endsWith(ANY_PATH_BELOW))
    .map((declared) => ({ declared, prefix: declared.route.slice(0, -ANY_PATH_BELOW.length).toLowerCase() }))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const asDeclared = new Map(functions.map((declared) => [`/${declared.route}`, declared]));
  return (url) => {
    const query = url.indexOf('?');
    const plain = asDeclared.get(query === -1 ? url : url.slice(0, query));
    if (plain !== undefined) return plain;
    const route = routeOf(url);
    const found = exact.get(route) ?? open.find(({ prefix }) => `${route}/`.startsWith(prefix))?.declared;
    if (found === undefined) throw new Error('no function takes unknown paths');
    return found;
  };
}

function routeOf(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  let start = 0;
  let end = path.length;
  while (start < end && path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end).toLowerCase();
}

export function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex, service: Service): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status = 400, headers, body } = refuse(problemOf(error.code), randomUUID(), 'GET', service);
  const fields = Object.entries(headers as Record<string, string>).map(([name, value]) => `${name}: ${value}`);
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, 'Connection: close', ...fields];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.end(body instanceof Uint8Array ? body : '');
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return URI_TOO_LONG;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : NO_REQUEST;
}
