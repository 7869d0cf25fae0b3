// Writes runs in a thread of its own (ADR 0132): while one is sorted, compressed and written, the loader reads the rows
// of the next. The loader waits without giving way, since rows are added where nothing can be awaited.

import { extname, join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import type { RunPlace } from './run-cursor';
import { WRITE_IN_PLACE, type RunToWrite, type RunWriter } from './run-writer';

/** What the thread starts with. */
export interface RunThreadInput {
  readonly port: MessagePort;
  /** One number: that of the answers that were sent. Whoever waits for the next one is woken when it changes. */
  readonly answers: Int32Array<SharedArrayBuffer>;
}

export type RunAnswer =
  | { readonly kind: 'written'; readonly place: RunPlace; readonly memory: ArrayBuffer }
  | { readonly kind: 'failed'; readonly reason: string; readonly cause: unknown };

/** A run takes a fifth of a second; only a thread that is gone lets the loader wait so long. */
const LONGEST_WAIT_MS = 600_000;

/** The keys of a run are a few megabytes. Without limits, the heap keeps those of many runs before it is collected. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 3, maxOldGenerationSizeMb: 32 };

/** The thread starts with the first full run: most submissions have none. Whoever starts the writer closes it. */
export function startRunWriter(): RunWriter {
  // Tests run TypeScript, where there is no JavaScript file to start a thread from.
  return extname(__filename) === '.js' ? new ThreadedRunWriter(join(__dirname, 'run-thread.js')) : WRITE_IN_PLACE;
}

export class ThreadedRunWriter implements RunWriter {
  private readonly answers = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  private taken = 0;
  private thread: { readonly worker: Worker; readonly port: MessagePort } | undefined;
  private written: Parameters<RunWriter['write']>[1] | undefined;

  /** `program` is the compiled run-thread.ts. */
  constructor(private readonly program: string) {}

  /** One run is under way at a time: waits for the one before. */
  write(run: RunToWrite, written: Parameters<RunWriter['write']>[1]): void {
    this.settle();
    this.thread ??= this.start();
    this.thread.port.postMessage(run, [run.rows.memory, run.rows.starts.buffer]);
    this.written = written;
  }

  settle(): void {
    const answer = this.takeAnswer();
    if (answer?.kind !== 'failed') return;
    throw new Error(`the thread that sorts rows failed: ${answer.reason}`, { cause: answer.cause });
  }

  /** Ends the thread, which starts anew with the next run. */
  close(): void {
    // The files are closed next, and their numbers must not be other files' while the thread still writes.
    this.takeAnswer();
    this.thread?.port.close();
    this.thread = undefined;
  }

  /** Waits for the run under way; undefined when there is none. */
  private takeAnswer(): RunAnswer | undefined {
    const { written, thread } = this;
    if (written === undefined || thread === undefined) return undefined;
    this.written = undefined;
    const woken = Atomics.wait(this.answers, 0, this.taken, LONGEST_WAIT_MS);
    if (woken === 'timed-out') throw new Error('the thread that sorts rows has ended');
    this.taken++;
    // Sent before the number was raised.
    const answer = receiveMessageOnPort(thread.port)?.message as RunAnswer;
    if (answer.kind === 'written') written(answer.place, answer.memory);
    return answer;
  }

  private start(): { readonly worker: Worker; readonly port: MessagePort } {
    const { port1: port, port2 } = new MessageChannel();
    const workerData: RunThreadInput = { port: port2, answers: this.answers };
    const worker = new Worker(this.program, { workerData, transferList: [port2], resourceLimits: HEAP_LIMITS });
    // A thread without work must not keep the program from ending.
    worker.unref();
    return { worker, port };
  }
}
