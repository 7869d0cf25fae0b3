// What came in over a socket, as the handlers see it on the platform.

import type { IncomingMessage } from 'node:http';
import { HttpRequest } from '@azure/functions';

export interface ReceivedRequest {
  /** The path and query, as they were sent. */
  readonly target: string;
  readonly method: string;
}

export function readTarget(request: IncomingMessage): ReceivedRequest {
  return { target: originForm(request.url ?? '/'), method: request.method ?? 'GET' };
}

/** Proxies may send the absolute form, which every server must take (RFC 9112, section 3.2.2). Whose name it has does not matter here. */
function originForm(target: string): string {
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? '';
  const rest = target.slice(authority.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

export function platformRequest(request: IncomingMessage, { target, method }: ReceivedRequest): HttpRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  // A Request of fetch refuses TRACE and CONNECT, which no handler allows either: another refused method stands for them.
  const knownMethod = method === 'TRACE' || method === 'CONNECT' ? 'POST' : method;
  // The query keeps its bytes: handlers read it strictly. The host's name does not matter to any of them.
  return new HttpRequest({ url: `http://localhost${target}`, method: knownMethod, headers });
}
