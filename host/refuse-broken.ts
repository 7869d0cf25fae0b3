// What is answered to what Node could not parse or did not get in time.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { NO_REQUEST, TOO_SLOW, URI_TOO_LONG, type Problem } from '../shared/http/problem';
import { refuse } from '../shared/http/respond';
import type { Service } from '../shared/http/service';

export function refuseBroken(error: NodeJS.ErrnoException, socket: Duplex, service: Service): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, headers, body } = refuse(problemOf(error.code), randomUUID(), 'GET', service);
  const lines = Object.entries(headers as Record<string, string>).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(
    `HTTP/1.1 ${status ?? 400} ${STATUS_CODES[status ?? 400] ?? ''}\r\nConnection: close\r\n${lines.join('')}\r\n`,
  );
  socket.end(body instanceof Uint8Array ? body : '');
}

function problemOf(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return URI_TOO_LONG;
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? TOO_SLOW : NO_REQUEST;
}
