// A RecordBuilder in a thread of its own (ADR 0046): while it builds some records, the loader indexes the next ones.

import { Worker } from 'node:worker_threads';
import type { PostingPiece } from './index/terms/identifier-terms';
import type { PlaceBatch } from './place-builder';
import type { BuiltBatch, BuiltPlaceBatch, FinishedRecords, RecordBuilderInput, RowBatch } from './record-builder';

export type ThreadRequest =
  | { readonly kind: 'places'; readonly batch: PlaceBatch }
  | { readonly kind: 'build'; readonly batch: RowBatch }
  | { readonly kind: 'finish'; readonly lookupDigests: Uint8Array }
  | { readonly kind: 'postings' };

/** Gives semi-spaces of 4 MB, as `npm run load` has: almost all objects of a batch die young. */
const YOUNG_GENERATION_MB = 12;

export class ThreadedRecordBuilder {
  private readonly thread: Worker;
  /** Requests without an answer yet; answers come in the order of the requests. */
  private readonly pending: PromiseWithResolvers<unknown>[] = [];
  private failure: Error | undefined;

  constructor(program: string, input: RecordBuilderInput) {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    this.thread = new Worker(program, { workerData: input, resourceLimits });
    this.thread.on('message', (answer: unknown) => this.pending.shift()?.resolve(answer));
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

  buildPlaces(batch: PlaceBatch): Promise<BuiltPlaceBatch> {
    return this.request({ kind: 'places', batch }, memoryOf(batch)) as Promise<BuiltPlaceBatch>; // By record-thread.ts.
  }

  build(batch: RowBatch): Promise<BuiltBatch> {
    return this.request({ kind: 'build', batch }, memoryOf(batch)) as Promise<BuiltBatch>; // By record-thread.ts.
  }

  finish(lookupDigests: Uint8Array): Promise<FinishedRecords> {
    return this.request({ kind: 'finish', lookupDigests }) as Promise<FinishedRecords>; // As record-thread.ts answers.
  }

  nextPostings(): Promise<PostingPiece | undefined> {
    return this.request({ kind: 'postings' }) as Promise<PostingPiece | undefined>; // As record-thread.ts answers.
  }

  /** Ends the thread at once; requests that are pending fail. */
  async close(): Promise<void> {
    await this.thread.terminate();
  }

  private request(request: ThreadRequest, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.failure !== undefined) return Promise.reject(this.failure);
    const answer = Promise.withResolvers<unknown>();
    this.pending.push(answer);
    this.thread.postMessage(request, transfer);
    return answer.promise;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.pending.splice(0)) reject(this.failure);
  }
}

/** The thread gets the memory itself, not a copy. */
function memoryOf({ input, memory }: PlaceBatch | RowBatch): readonly ArrayBuffer[] {
  return memory === undefined ? [input] : [input, memory];
}
