// Limits the open connections. If there are too many, a connection that waits for a request or for the rest of its body
// is closed to make room for the new one, so that silent and slow connections do not keep others out (ADR 0045).

import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Socket } from 'node:net';

/** The number of connections that the system may pass on at once, before others are closed to make room. */
const MAX_BURST = 512;

export function limitConnections(server: HttpServer, maxConnections: number): void {
  server.maxConnections = maxConnections + MAX_BURST;
  const connections = new WaitingConnections();
  let open = 0;
  server.on('connection', (socket) => {
    open++;
    connections.add(socket);
    socket.once('close', () => {
      open--;
      connections.remove(socket);
    });
    if (open > maxConnections) connections.closeOne();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    connections.beginRequest(socket);
    if (hasBody(request)) {
      connections.waitForBody(socket);
      request.once('end', () => {
        connections.endBody(socket);
      });
    }
    response.once('close', () => {
      connections.endRequest(socket);
    });
  });
}

/** Whether a body follows the headers (RFC 9112, section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** The connections that wait for a request, or for the rest of its body. */
class WaitingConnections {
  /** Ordered by waiting time, longest first. */
  private readonly sockets = new Set<Socket>();
  private readonly requests = new WeakMap<Socket, number>();

  add(socket: Socket): void {
    this.sockets.add(socket);
  }

  remove(socket: Socket): void {
    this.sockets.delete(socket);
  }

  beginRequest(socket: Socket): void {
    this.sockets.delete(socket);
    this.requests.set(socket, (this.requests.get(socket) ?? 0) + 1);
  }

  /** A client that sends its body slowly occupies a connection just like a silent client does. */
  waitForBody(socket: Socket): void {
    this.sockets.add(socket);
  }

  endBody(socket: Socket): void {
    if ((this.requests.get(socket) ?? 0) > 0) this.sockets.delete(socket);
  }

  endRequest(socket: Socket): void {
    // With pipelining, another request may be in progress.
    const others = (this.requests.get(socket) ?? 1) - 1;
    this.requests.set(socket, others);
    if (others === 0 && !socket.destroyed) this.sockets.add(socket);
  }

  /**
   * Closes the longest-waiting connection of the address that has the most waiting connections.
   */
  closeOne(): void {
    const byAddress = Map.groupBy(this.sockets, ({ remoteAddress }) => remoteAddress);
    let largest: readonly Socket[] = [];
    for (const sockets of byAddress.values()) {
      if (sockets.length > largest.length) largest = sockets;
    }
    const [oldest] = largest;
    if (oldest === undefined) return;
    this.sockets.delete(oldest);
    oldest.destroy();
  }
}
