// What came in over a socket, as the handlers see it on the platform.

import type { IncomingMessage } from 'node:http';
import type { AskedRequest } from '../shared/http/http-function';

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

/** A Request of fetch, as the platform has it, would cost half of a small answer and gives the handlers nothing more. */
export function platformRequest({ headers }: IncomingMessage, { target, method }: ReceivedRequest): AskedRequest {
  return {
    method,
    // The host's name does not matter to any of them. What is not ASCII was refused by Node.
    url: `http://localhost${target}`,
    headers: {
      get: (name) => {
        const value = headers[name];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      },
      has: (name) => headers[name] !== undefined,
    },
  };
}
