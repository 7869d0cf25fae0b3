// Where records are built: in a thread of their own (ADR 0046), so that the loader indexes the rows before meanwhile,
// or without a thread where there are few. Rows go there in batches of long texts, because each value costs its handing
// over. Answers come in the order of the batches.

import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PlaceBatch } from './place-builder';
import { RecordBuilder, type RecordBuilderInput, type RowBatch } from './record-builder';

/** A request to a RecordBuilder: the name of its method, and the argument. */
export type BuilderRequest =
  | { readonly method: 'buildPlaces'; readonly input: PlaceBatch }
  | { readonly method: 'build'; readonly input: RowBatch }
  | { readonly method: 'finish'; readonly input: Uint8Array }
  | { readonly method: 'nextPostings'; readonly input: undefined };

type Method = BuilderRequest['method'];

/** A RecordBuilder, wherever it works. */
export type AsyncRecordBuilder = {
  readonly [M in Method]: (...input: Parameters<RecordBuilder[M]>) => Promise<ReturnType<RecordBuilder[M]>>;
} & { readonly close: () => Promise<void> };

/** Starting a thread costs about as much as building so many records. */
const MIN_ROWS_FOR_THREAD = 5_000;

/** Gives semi-spaces of 4 MB, as `npm run load` has: almost all objects of a batch die young. */
const YOUNG_GENERATION_MB = 12;

/** `rows` is about how many will come. Whoever starts the builder closes it. */
export function startBuilder(input: RecordBuilderInput, rows: number): AsyncRecordBuilder {
  // Tests run TypeScript, where there is no JavaScript file to start a thread from.
  if (rows >= MIN_ROWS_FOR_THREAD && extname(__filename) === '.js') {
    return new RecordBuilderThread(join(__dirname, 'record-thread.js'), input);
  }
  const builder = new RecordBuilder(input);
  return {
    buildPlaces: (batch) => Promise.resolve(builder.buildPlaces(batch)),
    build: (batch) => Promise.resolve(builder.build(batch)),
    finish: (lookupDigests) => Promise.resolve(builder.finish(lookupDigests)),
    nextPostings: () => Promise.resolve(builder.nextPostings()),
    close: () => {
      builder.close();
      return Promise.resolve();
    },
  };
}

export class RecordBuilderThread implements AsyncRecordBuilder {
  readonly buildPlaces = this.requests('buildPlaces');
  readonly build = this.requests('build');
  readonly finish = this.requests('finish');
  readonly nextPostings = this.requests('nextPostings');
  private readonly thread: Worker;
  /** Requests without an answer yet; answers come in the order of the requests. */
  private readonly pending: PromiseWithResolvers<unknown>[] = [];
  private failure: Error | undefined;

  /** `program` is the compiled record-thread.ts. */
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

  /** Ends the thread at once; requests that are pending fail. */
  async close(): Promise<void> {
    await this.thread.terminate();
  }

  private requests<M extends Method>(method: M): AsyncRecordBuilder[M] {
    const request = (input: unknown): Promise<unknown> => {
      if (this.failure !== undefined) return Promise.reject(this.failure);
      const answer = Promise.withResolvers<unknown>();
      this.pending.push(answer);
      this.thread.postMessage({ method, input });
      return answer.promise;
    };
    return request as AsyncRecordBuilder[M]; // Answered by record-thread.ts with what the method returns.
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.pending.splice(0)) reject(this.failure);
  }
}

/** A quarter of a megabyte of usual texts. What waits for a larger batch would outlive collections of young memory. */
const BATCH_ROWS = 250;

/** Limits a batch by its rows, in bytes: a single row may have 16 million. */
const BATCH_BYTES = 1024 * 1024;

/** A longer batch has an extraordinary row: no other is under way beside it. */
const LONG_BATCH_BYTES = 4 * BATCH_BYTES;

/** The thread has a batch to work on and one to go on with; more would only take memory. */
const MAX_PENDING = 3;

export interface Batch<Row> {
  readonly rows: readonly Row[];
  readonly bytes: number;
}

/** A staged row and its source, which may be far longer: both are in memory until the batch is sent. */
interface RowInBatch {
  readonly row: Uint8Array;
  readonly source: Uint8Array;
}

export function* inBatches<Row extends RowInBatch>(rows: Iterable<Row>): Iterable<Batch<Row>> {
  let batch: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    bytes += row.row.length + row.source.length;
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield { rows: batch, bytes };
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield { rows: batch, bytes };
}

/** Batches that were handed to the record builder and are not taken back yet. */
export class PendingBatches {
  private readonly pending: (() => Promise<void>)[] = [];

  add<Built>(built: Promise<Built>, take: (built: Built) => void): void {
    // When an earlier one fails, nobody waits for this one: its own failure must not count as unhandled.
    built.catch(() => undefined);
    this.pending.push(async () => {
      take(await built);
    });
  }

  /** Takes batches back while too many are pending; `bytes` is how long the last one is. */
  settle(bytes: number): Promise<void> {
    return this.takeUntil(bytes > LONG_BATCH_BYTES ? 0 : MAX_PENDING - 1);
  }

  /** Takes back all that is pending. */
  finish(): Promise<void> {
    return this.takeUntil(0);
  }

  private async takeUntil(left: number): Promise<void> {
    while (this.pending.length > left) await this.pending.shift()?.();
  }
}
