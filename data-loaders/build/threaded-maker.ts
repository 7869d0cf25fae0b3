// A RecordMaker in a thread of its own: while it makes the texts of some records, the loader indexes the next ones.

import { Worker } from 'node:worker_threads';
import type { MadeEnd, MadeRecords, MakerInput, RowsToMake } from './record-maker';

export type MakerQuestion =
  { readonly kind: 'make'; readonly rows: RowsToMake } | { readonly kind: 'finish'; readonly lookups: Uint8Array };

/** Semi-spaces of 4 MB, as `npm run load` has: rows die young. */
const YOUNG_GENERATION_MB = 12;

export class ThreadedMaker {
  private readonly thread: Worker;
  /** Of the questions that are not answered yet, in their order, which is that of the answers. */
  private readonly asked: PromiseWithResolvers<unknown>[] = [];
  private failure: Error | undefined;

  /** `program` is where record-thread.js lies. */
  constructor(program: string, input: MakerInput) {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    this.thread = new Worker(program, { workerData: input, resourceLimits });
    this.thread.on('message', (answer: unknown) => this.asked.shift()?.resolve(answer));
    const failed = (cause: unknown): void => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.fail(new Error(`the thread that makes records failed: ${reason}`, { cause }));
    };
    this.thread.once('error', failed);
    this.thread.once('messageerror', failed);
    this.thread.once('exit', () => {
      this.fail(new Error('the thread that makes records has ended'));
    });
  }

  make(rows: RowsToMake): Promise<MadeRecords> {
    const transfer = rows.memory === undefined ? [] : [rows.memory];
    return this.ask({ kind: 'make', rows }, transfer) as Promise<MadeRecords>; // As record-thread.ts answers.
  }

  finish(lookups: Uint8Array): Promise<MadeEnd> {
    return this.ask({ kind: 'finish', lookups }) as Promise<MadeEnd>; // As above.
  }

  /** Whatever it is at. */
  async close(): Promise<void> {
    await this.thread.terminate();
  }

  private ask(question: MakerQuestion, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const answer = Promise.withResolvers<unknown>();
    this.asked.push(answer);
    this.thread.postMessage(question, transfer);
    return answer.promise;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.asked.splice(0)) reject(this.failure);
  }
}
