// The client of the figures of one request after the other: Node's own, over one kept connection, with the whole answer in
// memory at the end, as a user's program has it. The floor is asked by the same client.

import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface MeasuredServer {
  readonly origin: string;
  /** Sent with every question. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Question {
  readonly method: 'GET' | 'HEAD';
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface TimedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of the body as sent. */
  readonly bytes: number;
  /** From the first byte sent to the last byte read. */
  readonly milliseconds: number;
  readonly body: Buffer;
}

export class HttpClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly server: MeasuredServer) {}

  ask({ method, path, headers }: Question): Promise<TimedAnswer> {
    const started = performance.now();
    const options = { agent: this.agent, method, headers: { ...this.server.headers, ...headers } };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.server.origin), options, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          const body = Buffer.concat(pieces);
          const milliseconds = performance.now() - started;
          const status = response.statusCode ?? 0;
          resolve({ status, headers: response.headers, bytes: body.length, milliseconds, body });
        });
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** As many bytes from memory, asked of the floor server. */
  askFloor(bytes: number): Promise<TimedAnswer> {
    return this.ask({ method: 'GET', path: `/${bytes}`, headers: {} });
  }

  close(): void {
    this.agent.destroy();
  }
}
