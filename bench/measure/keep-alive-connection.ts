// One kept connection of a client of the mixed load. The cores are shared with the server that is measured, so the client does
// as little as can be done: answers are read into one buffer again and again, counted, and thrown away.

import { connect, type Socket } from 'node:net';
import type { MeasuredServer, Question } from './http-client';

export interface CountedAnswer {
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  /** From the first byte sent to the last byte read. */
  readonly milliseconds: number;
}

interface Pending {
  readonly started: number;
  readonly resolve: (answer: CountedAnswer) => void;
  readonly reject: (error: Error) => void;
  head: string;
  status: number;
  /** Undefined until the head is complete. */
  expected: number | undefined;
  bytes: number;
}

/** As much as the kernel hands over at once. */
const BUFFER_BYTES = 256 * 1024;

const END_OF_HEAD = '\r\n\r\n';
const [STATUS_START, STATUS_END] = ['HTTP/1.1 '.length, 'HTTP/1.1 200'.length];

export class KeepAliveConnection {
  private socket: Socket | undefined;
  private pending: Pending | undefined;
  private readonly origin: URL;
  private readonly commonHead: string;

  constructor({ origin, headers }: MeasuredServer) {
    this.origin = new URL(origin);
    this.commonHead = headerLines({ Host: this.origin.host, ...headers });
  }

  /** For questions whose answer has a body. Connects where there is no connection. Rejects when the answer breaks off. */
  ask({ method, path, headers }: Question): Promise<CountedAnswer> {
    return new Promise((resolve, reject) => {
      const started = performance.now();
      this.pending = { started, resolve, reject, head: '', status: 0, expected: undefined, bytes: 0 };
      if (this.socket === undefined || this.socket.destroyed) this.socket = this.open();
      this.socket.write(`${method} ${path} HTTP/1.1\r\n${this.commonHead}${headerLines(headers)}\r\n`);
    });
  }

  close(): void {
    this.socket?.destroy();
  }

  private open(): Socket {
    const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
    const callback = (length: number): boolean => {
      this.read(buffer.subarray(0, length));
      return true;
    };
    const { hostname: host, port } = this.origin;
    const socket = connect({ host, port: Number(port), noDelay: true, onread: { buffer, callback } });
    const fail = (error: Error): void => {
      if (this.socket === socket) this.fail(error);
    };
    socket.on('error', fail);
    socket.on('close', () => {
      fail(new Error('the connection was closed before the answer was complete'));
    });
    return socket;
  }

  private fail(error: Error): void {
    this.pending?.reject(error);
    this.pending = undefined;
  }

  private read(piece: Buffer): void {
    const { pending } = this;
    if (pending === undefined) return;
    let bodyStart = 0;
    if (pending.expected === undefined) {
      const headBefore = pending.head.length;
      pending.head += piece.toString('latin1');
      const end = pending.head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      bodyStart = end + END_OF_HEAD.length - headBefore;
      pending.status = Number(pending.head.slice(STATUS_START, STATUS_END));
      pending.expected = Number(/\r\nContent-Length: (\d+)/i.exec(pending.head)?.[1] ?? NaN);
      if (Number.isNaN(pending.expected)) {
        this.fail(new Error('an answer without Content-Length'));
        return;
      }
    }
    pending.bytes += piece.length - bodyStart;
    if (pending.bytes < pending.expected) return;
    this.pending = undefined;
    const { status, bytes, started } = pending;
    pending.resolve({ status, bytes, milliseconds: performance.now() - started });
  }
}

function headerLines(headers: Question['headers']): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}
