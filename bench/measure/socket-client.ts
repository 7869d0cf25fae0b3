// A client that takes less processor time than the server: it has one open connection, and the system writes each
// answer into existing memory. Node's own client creates a buffer and makes a call for each 64 KB, which takes longer
// than the service needs for a page of features (ADR 0039).

import { connect, type Socket } from 'node:net';
import { type MeasuredServer, type Question, type TimedAnswer, TimingClient } from './timing-client';

/** Larger than the longest answer. */
const MAX_BYTES = 128 * 1024 * 1024;

const END_OF_HEAD = '\r\n\r\n';

/** The head of an answer, and the start and end of its body in memory. */
type AnswerHead = Pick<TimedAnswer, 'status' | 'headers'> & { readonly bodyStart: number; readonly end: number };

/** The expected answer. */
interface PendingAnswer {
  readonly isHead: boolean;
  readonly complete: (head: AnswerHead) => void;
  readonly fail: (error: Error) => void;
}

export class SocketClient extends TimingClient {
  private readonly memory = Buffer.alloc(MAX_BYTES);
  private filledBytes = 0;
  private head: AnswerHead | undefined;
  private pending: PendingAnswer | undefined;
  private socket: Socket | undefined;

  constructor(private readonly server: MeasuredServer) {
    super();
  }

  async ask(question: Question): Promise<TimedAnswer> {
    const { method = 'GET', path } = question;
    const { host } = new URL(this.server.origin);
    const fields = Object.entries({ Host: host, ...this.server.headers, ...question.headers });
    const lines = [`${method} ${path} HTTP/1.1`, ...fields.map(([name, value]) => `${name}: ${value}`)];
    const started = performance.now();
    const { status, headers, bodyStart, end } = await new Promise<AnswerHead>((complete, fail) => {
      this.pending = { isHead: method === 'HEAD', complete, fail };
      this.getConnection().write(`${lines.join('\r\n')}${END_OF_HEAD}`);
    });
    const milliseconds = performance.now() - started;
    return { status, headers, milliseconds, body: this.memory.subarray(bodyStart, end) };
  }

  close(): void {
    this.socket?.destroy();
  }

  /** The current connection, or a new one if the server has closed it. */
  private getConnection(): Socket {
    if (this.socket?.writable === true) return this.socket;
    const { hostname, port } = new URL(this.server.origin);
    const onread = {
      buffer: () => this.memory.subarray(this.filledBytes),
      callback: (bytes: number) => this.take(bytes),
    };
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
    this.socket.on('error', (error) => this.pending?.fail(error));
    this.socket.on('close', () => this.pending?.fail(new Error('the connection was closed before the answer')));
    return this.socket;
  }

  /** Processes more bytes; returns true if more must follow. */
  private take(bytes: number): boolean {
    this.filledBytes += bytes;
    const { pending: pending } = this;
    if (pending === undefined) throw new Error('bytes that nobody asked for');
    this.head ??= readHead(this.memory.subarray(0, this.filledBytes), pending.isHead);
    const { head } = this;
    if (head === undefined || this.filledBytes < head.end) return true;
    // The next bytes belong to the next answer and start at the beginning of the memory.
    [this.filledBytes, this.head, this.pending] = [0, undefined, undefined];
    pending.complete(head);
    return true;
  }
}

/** Undefined if the head is incomplete. The names of headers are in lower case. */
function readHead(bytes: Buffer, isHead: boolean): AnswerHead | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const status = Number(statusLine.split(' ')[1]);
  const hasBody = !isHead && status !== 204 && status !== 304;
  const length = hasBody ? Number(headers['content-length']) : 0;
  if (Number.isNaN(length)) throw new Error(`an answer without a length: ${statusLine}`);
  const bodyStart = end + END_OF_HEAD.length;
  return { status, headers, bodyStart, end: bodyStart + length };
}
