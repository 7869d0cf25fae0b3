// The client of the figures of one request after the other: Node's own, over one kept connection, with the whole
// answer in memory at the end, as a user's program has it. The floor is asked by the same client.

import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface MeasuredServer {
  readonly origin: string;
  /** Sent with every question. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Question {
  readonly method?: 'HEAD';
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TimedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** From the first byte sent to the last byte read. */
  readonly milliseconds: number;
  /** As it was sent. */
  readonly body: Buffer;
}

export class HttpClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly server: MeasuredServer) {}

  ask({ method, path, headers }: Question): Promise<TimedAnswer> {
    const started = performance.now();
    const options = { agent: this.agent, method: method ?? 'GET', headers: { ...this.server.headers, ...headers } };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.server.origin), options, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('end', () => {
          const body = Buffer.concat(pieces);
          const milliseconds = performance.now() - started;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, milliseconds, body });
        });
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  /** A benchmark of errors would be a fast one, so another status throws. */
  async askExpecting(status: number, question: Question): Promise<TimedAnswer> {
    const answer = await this.ask(question);
    if (answer.status !== status) throw new Error(`${question.path}: ${answer.status} ${answer.body.toString()}`);
    return answer;
  }

  /** Milliseconds of as many bytes from memory, asked of the floor server. */
  async askFloor(bytes: number): Promise<number> {
    return (await this.ask({ path: `/${bytes}` })).milliseconds;
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Runs `use` with a client of each server, and closes them whatever becomes of it. */
export async function withClients<Result>(
  servers: { readonly service: MeasuredServer; readonly floor: MeasuredServer },
  use: (service: HttpClient, floor: HttpClient) => Promise<Result>,
): Promise<Result> {
  const [service, floor] = [new HttpClient(servers.service), new HttpClient(servers.floor)];
  try {
    return await use(service, floor);
  } finally {
    service.close();
    floor.close();
  }
}
