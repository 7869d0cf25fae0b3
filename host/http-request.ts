// Converts a request of node:http to the request type that handlers read, as the platform does.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createProblem, MAX_REQUEST_LINE, type Problem, URI_TOO_LONG } from '../shared/http/pipeline/outcome';
import { listenForClose } from '../shared/http/pipeline/send';
import type { HttpRequest } from '../shared/http/pipeline/service';
import type { RequestBody } from './request-body';

/** The Host header determines where `/ogc` links lead, and two proxies could interpret two Host headers differently. */
const BAD_HOST = createProblem(
  400,
  'Bad Host header',
  'Send exactly one Host header with a host name or address, and optionally a port.',
);

/**
 * The length of the longest possible name (253 characters), a colon and a port. Limited because links in an answer
 * repeat the host many times.
 */
const MAX_HOST_LENGTH = 259;

/** Matches a name or an address with an optional port (RFC 9110, 7.2). Empty if the client's URL has no host. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+;=-]*)(?::\d*)?$/i;

/**
 * The path and query as sent. A client or proxy may send an absolute URL; its host is ignored (RFC 9112, 3.2.2).
 */
export function readTarget({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url;
  const authority = /^https?:\/\/[^/?#]*/i.exec(url)?.[0] ?? '';
  const rest = url.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The reason to refuse the request before it reaches a function; undefined for a well-formed request. */
export function findRequestProblem(request: IncomingMessage, target: string): Problem | undefined {
  if (target.length > MAX_REQUEST_LINE) return URI_TOO_LONG;
  return hasValidHost(request) ? undefined : BAD_HOST;
}

/** Building a fetch `Request`, as the platform does, would take half the time of a small answer. */
export function toHttpRequest(
  request: IncomingMessage,
  response: ServerResponse,
  target: string,
  body: RequestBody | undefined,
): HttpRequest {
  const { method = 'GET', headers, socket } = request;
  return {
    method,
    // Code that needs the host name reads the header. Node has already refused non-ASCII targets.
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
    readBody: body && ((maxBytes) => body.read(maxBytes)),
    streamBody: body && (() => body.stream()),
  };
}

/** There must be exactly one valid Host header (RFC 9112, 3.2). Only HTTP/1.0 may omit it. */
function hasValidHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const hosts = headersDistinct['host'] ?? [];
  const [host = '', ...others] = hosts;
  if (hosts.length === 0) return httpVersion === '1.0';
  return others.length === 0 && host.length <= MAX_HOST_LENGTH && HOST.test(host);
}
