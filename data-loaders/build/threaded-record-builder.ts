// A RecordBuilder in a thread of its own (ADR 0046): while it builds some records, the loader indexes the next ones.

import { AnsweringThread } from '../threads/answering-thread';
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
  private readonly thread: AnsweringThread;

  constructor(program: string, input: RecordBuilderInput) {
    const limits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    this.thread = new AnsweringThread({ task: 'makes records', program, data: input, limits });
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
  close(): Promise<void> {
    return this.thread.close();
  }

  private request(request: ThreadRequest, transfer: readonly ArrayBuffer[] = []): Promise<unknown> {
    return this.thread.request(request, transfer);
  }
}

/** The thread gets the memory itself, not a copy. */
function memoryOf({ input, memory }: PlaceBatch | RowBatch): readonly ArrayBuffer[] {
  return memory === undefined ? [input] : [input, memory];
}
