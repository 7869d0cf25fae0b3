// The interface of clients that time requests one after another: from the first byte sent to the last byte read, with
// the whole answer in memory. The floor is measured with the same client as the service.

import type { IncomingHttpHeaders } from 'node:http';

export interface MeasuredServer {
  readonly origin: string;
  /** Sent with every question. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Question {
  readonly method?: 'HEAD';
  /** The path with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TimedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** From the first byte sent to the last byte read. */
  readonly milliseconds: number;
  /** The body as sent. It is valid until the next request. */
  readonly body: Buffer;
}

export abstract class TimingClient {
  abstract ask(question: Question): Promise<TimedAnswer>;

  abstract close(): void;

  /** Throws for any other status, because errors are fast and would make the figures look good. */
  async askExpecting(status: number, question: Question): Promise<TimedAnswer> {
    const answer = await this.ask(question);
    if (answer.status !== status) throw new Error(`${question.path}: ${answer.status} ${answer.body.toString()}`);
    return answer;
  }

  /** The milliseconds that the floor server takes to send this number of bytes from memory. */
  async askFloor(bytes: number): Promise<number> {
    return (await this.ask({ path: `/${bytes}` })).milliseconds;
  }
}

/** Runs `use` with a client for each server, and always closes them. */
export async function withClients<Result>(
  Client: new (server: MeasuredServer) => TimingClient,
  servers: { readonly service: MeasuredServer; readonly floor: MeasuredServer },
  use: (service: TimingClient, floor: TimingClient) => Promise<Result>,
): Promise<Result> {
  const service = new Client(servers.service);
  const floor = new Client(servers.floor);
  try {
    return await use(service, floor);
  } finally {
    service.close();
    floor.close();
  }
}
