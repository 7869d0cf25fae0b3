// Turns a request of node:http into the request that handlers read, as the platform does.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createProblem, MAX_REQUEST_LINE, type Problem, URI_TOO_LONG } from '../shared/http/pipeline/outcome';
import { listenForClose } from '../shared/http/pipeline/send';
import { type HttpRequest, MAX_BODY_BYTES } from '../shared/http/pipeline/service';

/** The connection is cut when a body is longer than this. Most of such a body is discarded. */
const MAX_REQUEST_BODY = 1024 * 1024;

/** The Host header decides where `/ogc` links lead, and two proxies may interpret two Host headers differently. */
const BAD_HOST = createProblem(
  400,
  'Bad Host header',
  'A request of HTTP/1.1 has one header Host, with a name or an address and perhaps a port, and nothing else.',
);

/** A name of 253 characters, as long as any may be, a colon and a port. Links of an answer repeat it many times. */
const MAX_HOST_LENGTH = 259;

/** A name or an address with an optional port (RFC 9110, 7.2). Empty when the client's URL has no host. */
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

/** Why the request must be refused before any function sees it; undefined when it is well-formed. */
export function findRequestProblem(request: IncomingMessage, target: string): Problem | undefined {
  if (target.length > MAX_REQUEST_LINE) return URI_TOO_LONG;
  return hasValidHost(request) ? undefined : BAD_HOST;
}

/** Building a fetch `Request`, as the platform does, would take half the time of a small answer. */
export function toHttpRequest(request: IncomingMessage, response: ServerResponse, target: string): HttpRequest {
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
    readBody: receiveBody(request),
  };
}

/** There must be exactly one valid Host header (RFC 9112, 3.2). Only HTTP/1.0 may omit it. */
function hasValidHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const hosts = headersDistinct['host'] ?? [];
  const [host = '', ...others] = hosts;
  if (hosts.length === 0) return httpVersion === '1.0';
  return others.length === 0 && host.length <= MAX_HOST_LENGTH && HOST.test(host);
}

/**
 * Reads the body at once, so that the next request on the connection is read, and keeps up to MAX_BODY_BYTES. Chunks
 * are kept even before an operation asks for the body, because its code may still have to be loaded.
 */
function receiveBody(request: IncomingMessage): HttpRequest['readBody'] {
  // Most requests have no body (RFC 9112, section 6.3). Reading an empty one takes a tenth of a small request's time.
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
