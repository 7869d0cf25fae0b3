// Batches that were handed to the record builder and are not taken back yet. Answers come in the order of the batches.

import { extname, join } from 'node:path';
import { PendingResults } from '../threads/pending-results';
import { RecordBuilder, type RecordBuilderInput } from './record-builder';
import { ThreadedRecordBuilder } from './threaded-record-builder';

/** A RecordBuilder, wherever it works. */
export type AsyncRecordBuilder = Pick<
  ThreadedRecordBuilder,
  'buildPlaces' | 'build' | 'finish' | 'nextPostings' | 'close'
>;

/** Limits a batch by its rows, in bytes: a single row may have 16 million. */
export const BATCH_BYTES = 1024 * 1024;

/** A longer batch holds an extraordinary row: its memory is not reused, and no other batch is under way beside it. */
const LONG_BATCH = 4 * 1024 * 1024;

/** The thread has a batch to work on and one to go on with; more would only take memory. */
const MAX_PENDING = 3;

/** Starting a thread costs about as much as building so many records. */
const MIN_ROWS_FOR_THREAD = 5_000;

interface Memory {
  readonly texts: Uint8Array<ArrayBuffer>;
  readonly input: ArrayBuffer;
}

export class PendingBatches<Built extends Memory> {
  private readonly pending = new PendingResults<{ readonly built: Built; readonly take: (built: Built) => void }>();
  /** Memory of texts that were handed on, and of rows that were built: to be reused, as much as was pending at once. */
  private readonly freeTexts: ArrayBuffer[] = [];
  private readonly freeInputs: ArrayBuffer[] = [];

  /** Memory for the texts of the next batch, and for its rows. */
  freeMemory(): { readonly texts: ArrayBuffer | undefined; readonly input: ArrayBuffer | undefined } {
    return { texts: this.freeTexts.pop(), input: this.freeInputs.pop() };
  }

  add(built: Promise<Built>, take: (built: Built) => void): void {
    this.pending.add(built.then((batch) => ({ built: batch, take })));
  }

  /** Waits while too many batches are pending; `bytes` is how long the last one is. */
  async settle(bytes: number): Promise<void> {
    await this.takeUntil(bytes > LONG_BATCH ? 0 : MAX_PENDING - 1);
  }

  /** Takes back all that is pending. */
  finish(): Promise<void> {
    return this.takeUntil(0);
  }

  private async takeUntil(left: number): Promise<void> {
    while (this.pending.count > left) {
      const { built, take } = await this.pending.next();
      take(built);
      if (built.texts.buffer.byteLength <= LONG_BATCH) this.freeTexts.push(built.texts.buffer);
      if (built.input.byteLength <= LONG_BATCH) this.freeInputs.push(built.input);
    }
  }
}

/** `rows` is about how many will come. Whoever starts the builder closes it. */
export function startBuilder(input: RecordBuilderInput, rows: number): AsyncRecordBuilder {
  // Tests run TypeScript, where there is no JavaScript file to start a thread from.
  if (rows >= MIN_ROWS_FOR_THREAD && extname(__filename) === '.js') {
    return new ThreadedRecordBuilder(join(__dirname, 'record-thread.js'), input);
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
