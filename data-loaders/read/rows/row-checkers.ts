// Where the rows of files are checked: those of small files here, those of large ones in a thread, while the loader
// takes the rows before (ADR 0139).

import { extname, join } from 'node:path';
import { AnsweringThread } from '../../threads/answering-thread';
import { UnreadableFileError } from '../csv/csv-records';
import type { CheckedBatch } from './checked-batch';
import type { LetterCases, SavedCases } from './letter-cases';
import { RowChecker, type FileToCheck } from './row-checker';

/** A RowChecker, wherever it works. Batches come in the order of the pieces. */
export interface AsyncRowChecker {
  /** So many pieces may be asked for before the first of their batches is taken. */
  readonly ahead: number;
  /** The memory of the piece may be used again as soon as this returns. */
  take(piece: Buffer, bytes: number): Promise<CheckedBatch>;
  finish(bytes: number): Promise<CheckedBatch>;
  /** Gives back the memory of a batch whose rows were taken. */
  release(batch: CheckedBatch): void;
}

export type CheckingRequest =
  | { readonly kind: 'start'; readonly file: FileToCheck; readonly letterCases: SavedCases }
  | {
      readonly kind: 'piece';
      readonly piece: ArrayBuffer;
      readonly length: number;
      readonly bytes: number;
      readonly memory: ArrayBuffer | undefined;
    }
  | { readonly kind: 'finish'; readonly bytes: number; readonly memory: ArrayBuffer | undefined };

export type CheckingAnswer =
  | { readonly kind: 'batch'; readonly batch: CheckedBatch; readonly piece: ArrayBuffer | undefined }
  /** The message of an UnreadableFileError. */
  | { readonly kind: 'unreadable'; readonly message: string };

/** Starting a thread costs about as much as checking so many bytes. */
const MIN_BYTES_FOR_THREAD = 4 * 1024 * 1024;

/** The thread has a piece to work on and some to go on with; more would only take memory. */
const PIECES_AHEAD = 4;

/** Memory that an extraordinary row made larger than this is not used again. */
const MAX_MEMORY_BYTES = 4 * 1024 * 1024;

/** Gives semi-spaces of 8 MB: with 4, a third of what a piece needs outlives a collection. */
const LIMITS = { maxYoungGenerationSizeMb: 24 };

/** Whoever makes it closes it. */
export class RowCheckers {
  private thread: AnsweringThread | undefined;

  /** The program is that of the thread; undefined where there is none, as in tests, which run TypeScript. */
  constructor(private readonly program = compiledProgram()) {}

  /** Starts a file of so many bytes; the one before must have come to its end. */
  start(file: FileToCheck, bytes: number, letterCases: LetterCases): AsyncRowChecker {
    const { program } = this;
    if (program === undefined || bytes < MIN_BYTES_FOR_THREAD) {
      return new CheckerHere(new RowChecker(file, letterCases));
    }
    this.thread ??= new AnsweringThread({ task: 'reads rows', program, data: undefined, limits: LIMITS });
    return new CheckerInThread(this.thread, { kind: 'start', file, letterCases: letterCases.save() });
  }

  async close(): Promise<void> {
    await this.thread?.close();
  }
}

function compiledProgram(): string | undefined {
  return extname(__filename) === '.js' ? join(__dirname, 'checking-thread.js') : undefined;
}

class CheckerHere implements AsyncRowChecker {
  /** Batches are taken one by one. */
  readonly ahead = 0;
  private memory: ArrayBuffer | undefined;

  constructor(private readonly checker: RowChecker) {}

  // eslint-disable-next-line @typescript-eslint/require-await -- what it throws becomes a rejection
  async take(piece: Buffer, bytes: number): Promise<CheckedBatch> {
    return this.checker.take(piece, bytes, this.memory);
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- as above
  async finish(bytes: number): Promise<CheckedBatch> {
    return this.checker.finish(bytes, this.memory);
  }

  release({ texts }: CheckedBatch): void {
    this.memory = reusable(texts.buffer);
  }
}

class CheckerInThread implements AsyncRowChecker {
  readonly ahead = PIECES_AHEAD;
  private readonly freePieces: ArrayBuffer[] = [];
  private readonly freeTexts: ArrayBuffer[] = [];

  constructor(
    private readonly thread: AnsweringThread,
    start: CheckingRequest,
  ) {
    this.thread.send(start);
  }

  take(piece: Buffer, bytes: number): Promise<CheckedBatch> {
    const free = this.freePieces.pop();
    const copy = free !== undefined && free.byteLength >= piece.length ? free : new ArrayBuffer(piece.length);
    new Uint8Array(copy).set(piece);
    const memory = this.freeTexts.pop();
    return this.request({ kind: 'piece', piece: copy, length: piece.length, bytes, memory }, memory, copy);
  }

  finish(bytes: number): Promise<CheckedBatch> {
    const memory = this.freeTexts.pop();
    return this.request({ kind: 'finish', bytes, memory }, memory);
  }

  release({ texts }: CheckedBatch): void {
    const free = reusable(texts.buffer);
    if (free !== undefined) this.freeTexts.push(free);
  }

  private async request(
    request: CheckingRequest,
    ...memory: readonly (ArrayBuffer | undefined)[]
  ): Promise<CheckedBatch> {
    const transfer = memory.filter((each) => each !== undefined);
    const answer = (await this.thread.request(request, transfer)) as CheckingAnswer; // Sent by checking-thread.ts.
    if (answer.kind === 'unreadable') throw new UnreadableFileError(answer.message);
    if (answer.piece !== undefined) this.freePieces.push(answer.piece);
    return answer.batch;
  }
}

function reusable(memory: ArrayBuffer): ArrayBuffer | undefined {
  return memory.byteLength <= MAX_MEMORY_BYTES ? memory : undefined;
}
