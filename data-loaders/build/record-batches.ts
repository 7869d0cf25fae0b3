// Sends staged rows to the record builder in batches and hands on what it built in the order of the rows. The loader
// goes on with the next rows meanwhile, but stays at most some batches ahead (ADR 0046).

import { extname, join } from 'node:path';
import { joinStaged } from '../stage/staged-amounts';
import { RecordBuilder, type BuiltBatch, type RecordBuilderInput, type RowBatch } from './record-builder';
import type { RecordLookups } from './records/record-json';
import { ThreadedRecordBuilder } from './threaded-record-builder';

/** A RecordBuilder, wherever it works. */
type AsyncRecordBuilder = Pick<ThreadedRecordBuilder, 'build' | 'finish' | 'close'>;

export interface BuiltRecord {
  /** In UTF-8; overwritten after the next record. */
  readonly json: Uint8Array;
  /** contentFingerprint of `json`. */
  readonly fingerprint: number;
}

/** A quarter of a megabyte of usual texts. What waits for a larger batch would outlive collections of young memory. */
const BATCH_ROWS = 250;

/** Limits a batch by its staged rows, sources and places, in characters: a single row may have 16 million. */
const BATCH_CHARACTERS = 1024 * 1024;

/** A longer batch holds an extraordinary row: its memory is not reused, and no other batch is under way beside it. */
const LONG_BATCH = 4 * 1024 * 1024;

/** The thread has a batch to work on and one to go on with; more would only take memory. */
const MAX_PENDING = 3;

/** Starting a thread costs about as much as building so many records. */
const MIN_ROWS_FOR_THREAD = 5_000;

class OpenBatch<Indexed> {
  readonly indexed: Indexed[] = [];
  readonly rows: string[] = [];
  characters = 0;
  private readonly sources: string[] = [];
  private readonly lookups: RecordLookups[] = [];
  private readonly lookupsOfRows: number[] = [];

  add(row: string, source: string, lookups: RecordLookups, indexed: Indexed): void {
    this.rows.push(row);
    this.sources.push(source);
    // Rows that follow each other mostly share one object, which is then sent once.
    if (this.lookups.at(-1) !== lookups) this.lookups.push(lookups);
    this.lookupsOfRows.push(this.lookups.length - 1);
    this.indexed.push(indexed);
    this.characters += row.length + source.length + lookups.places.length;
  }

  close(memory: ArrayBuffer | undefined): RowBatch {
    const { rows, sources, lookups, lookupsOfRows } = this;
    return {
      rows: joinStaged(rows),
      sources: sources.join(''),
      sourceLengths: Uint32Array.from(sources, ({ length }) => length),
      ...{ lookups, lookupsOfRows: Uint32Array.from(lookupsOfRows), memory },
    };
  }
}

export class RecordBatches<Indexed> {
  private open = new OpenBatch<Indexed>();
  private readonly pending: { readonly built: Promise<BuiltBatch>; readonly indexed: readonly Indexed[] }[] = [];
  /** Memory of texts that were handed on, to be reused; at most as much as was pending at once. */
  private readonly freeMemory: ArrayBuffer[] = [];

  private readonly builder: AsyncRecordBuilder;

  /** `rows` is about how many will come. Whoever makes the batches closes them. */
  constructor(
    input: RecordBuilderInput,
    rows: number,
    private readonly listener: {
      /** `indexed` is what was added with the row. */
      readonly record: (built: BuiltRecord, indexed: Indexed) => void;
      readonly sourcePiece: (piece: Uint8Array) => void;
    },
  ) {
    this.builder = startBuilder(input, rows);
  }

  add(row: string, source: string, lookups: RecordLookups, indexed: Indexed): void {
    this.open.add(row, source, lookups, indexed);
  }

  /** When true, `send` is to be called before the next row. */
  get isBatchFull(): boolean {
    return this.open.rows.length >= BATCH_ROWS || this.open.characters >= BATCH_CHARACTERS;
  }

  /** Sends the rows added since the last call, and waits while too many batches are pending. */
  async send(): Promise<void> {
    const maxPending = this.open.characters > LONG_BATCH ? 1 : MAX_PENDING;
    this.sendOpen();
    while (this.pending.length >= maxPending) await this.receiveNext();
  }

  /** Builds what is left and returns the release's name; the digests are asked for once all records were handed on. */
  async finish(lookupDigests: () => Uint8Array): Promise<string> {
    if (this.open.rows.length > 0) this.sendOpen();
    while (this.pending.length > 0) await this.receiveNext();
    const { releaseId, sourcePieces } = await this.builder.finish(lookupDigests());
    for (const piece of sourcePieces) this.listener.sourcePiece(piece);
    return releaseId;
  }

  close(): Promise<void> {
    return this.builder.close();
  }

  private sendOpen(): void {
    const built = this.builder.build(this.open.close(this.freeMemory.pop()));
    // When an earlier batch fails, nobody waits for this one: its own failure must not count as unhandled.
    built.catch(() => undefined);
    this.pending.push({ built, indexed: this.open.indexed });
    this.open = new OpenBatch();
  }

  private async receiveNext(): Promise<void> {
    const next = this.pending.shift();
    if (next === undefined) return;
    const { texts, ends, fingerprints, sourcePieces } = await next.built;
    let start = 0;
    next.indexed.forEach((indexed, index) => {
      const end = ends[index];
      const fingerprint = fingerprints[index];
      if (end === undefined || fingerprint === undefined) throw new Error('a batch came back with too few records');
      this.listener.record({ json: texts.subarray(start, end), fingerprint }, indexed);
      start = end + 1;
    });
    for (const piece of sourcePieces) this.listener.sourcePiece(piece);
    if (texts.buffer.byteLength <= LONG_BATCH) this.freeMemory.push(texts.buffer);
  }
}

function startBuilder(input: RecordBuilderInput, rows: number): AsyncRecordBuilder {
  // Tests run TypeScript, where there is no JavaScript file to start a thread from.
  if (rows >= MIN_ROWS_FOR_THREAD && extname(__filename) === '.js') {
    return new ThreadedRecordBuilder(join(__dirname, 'record-thread.js'), input);
  }
  const builder = new RecordBuilder(input);
  return {
    build: (batch) => Promise.resolve(builder.build(batch)),
    finish: (lookupDigests) => Promise.resolve(builder.finish(lookupDigests)),
    close: () => Promise.resolve(),
  };
}
