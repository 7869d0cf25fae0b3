// The records of a release on their way: rows go to the maker in batches, and what becomes of them comes back in their order,
// while the loader is some batches ahead.

import { extname, join } from 'node:path';
import { joinStaged } from '../stage/staged-row';
import type { RepeatedLookups } from './records/repeated-lookups';
import { RecordMaker, type MadeEnd, type MadeRecords, type MakerInput, type RowsToMake } from './record-maker';
import { ThreadedMaker } from './threaded-maker';

interface Maker {
  readonly make: (rows: RowsToMake) => Promise<MadeRecords>;
  readonly finish: (lookups: Uint8Array) => Promise<MadeEnd>;
  readonly close: () => Promise<void>;
}

/** A made record: its JSON in UTF-8, good until the next one. */
export interface MadeRecord {
  readonly json: Uint8Array;
  readonly fingerprint: number;
}

export interface RecordTaker<Ahead> {
  /** `ahead` is what was added with the row. */
  readonly record: (made: MadeRecord, ahead: Ahead) => void;
  readonly sourcePiece: (piece: Uint8Array) => void;
}

/** A quarter of a megabyte of usual texts: what waits for them outlives collections of young memory. */
const BATCH_ROWS = 250;

/** Of staged rows, their sources and the places in their texts, in characters: a row alone may have 16 million. */
const BATCH_CHARACTERS = 1024 * 1024;
/** About, in the texts of a record. */
const CHARACTERS_OF_A_PLACE = 400;

/** A batch beyond it holds a row far longer than others: its memory is not kept, and nothing else is under way beside it. */
const LONG_BATCH = 4 * 1024 * 1024;

/** The thread has one to work on and one to go on with; more would only be held in memory. */
const MAX_UNDER_WAY = 3;

/** To start a thread costs about as much as to make so many records. */
const MIN_ROWS_FOR_THREAD = 5_000;

export class RecordLine<Ahead> {
  private rows: string[] = [];
  private sources: string[] = [];
  private lookups: RepeatedLookups[] = [];
  private lookupsOfRows: number[] = [];
  private ahead: Ahead[] = [];
  private characters = 0;
  /** As many as batches were under way at once. */
  private readonly spare: ArrayBuffer[] = [];
  private readonly underWay: { readonly made: Promise<MadeRecords>; readonly ahead: readonly Ahead[] }[] = [];

  private constructor(
    private readonly maker: Maker,
    private readonly taker: RecordTaker<Ahead>,
  ) {}

  /** For about so many rows. Whoever starts it closes it. */
  static start<Ahead>(input: MakerInput, rows: number, taker: RecordTaker<Ahead>): RecordLine<Ahead> {
    return new RecordLine(rows < MIN_ROWS_FOR_THREAD ? makerHere(input) : makerBeside(input), taker);
  }

  add(row: string, source: string, lookups: RepeatedLookups, ahead: Ahead): void {
    this.rows.push(row);
    this.sources.push(source);
    if (this.lookups.at(-1) !== lookups) this.lookups.push(lookups);
    this.lookupsOfRows.push(this.lookups.length - 1);
    this.ahead.push(ahead);
    this.characters += row.length + source.length + CHARACTERS_OF_A_PLACE * lookups.places.length;
  }

  /** Time to `pass`. */
  get isBatchFull(): boolean {
    return this.rows.length >= BATCH_ROWS || this.characters >= BATCH_CHARACTERS;
  }

  /** Sends what was added; waits while too much is under way. */
  async pass(): Promise<void> {
    const most = this.characters > LONG_BATCH ? 1 : MAX_UNDER_WAY;
    this.send();
    while (this.underWay.length >= most) await this.takeNext();
  }

  /** All was added. */
  async finish(lookupDigests: () => Uint8Array): Promise<string> {
    if (this.rows.length > 0) this.send();
    while (this.underWay.length > 0) await this.takeNext();
    const { releaseId, sourcePieces } = await this.maker.finish(lookupDigests());
    for (const piece of sourcePieces) this.taker.sourcePiece(piece);
    return releaseId;
  }

  close(): Promise<void> {
    return this.maker.close();
  }

  private send(): void {
    const { rows, sources, lookups, lookupsOfRows, ahead } = this;
    const made = this.maker.make({
      rows: joinStaged(rows),
      sources: sources.join(''),
      sourceLengths: Uint32Array.from(sources, ({ length }) => length),
      ...{ lookups, lookupsOfRows: Uint32Array.from(lookupsOfRows), memory: this.spare.pop() },
    });
    // Its turn may never come, when an earlier one fails.
    made.catch(() => undefined);
    this.underWay.push({ made, ahead });
    [this.rows, this.sources, this.ahead] = [[], [], []];
    [this.lookups, this.lookupsOfRows] = [[], []];
    this.characters = 0;
  }

  private async takeNext(): Promise<void> {
    const next = this.underWay.shift();
    if (next === undefined) return;
    const { texts, ends, fingerprints, sourcePieces } = await next.made;
    let start = 0;
    next.ahead.forEach((ahead, index) => {
      const end = ends[index] ?? start;
      this.taker.record({ json: texts.subarray(start, end), fingerprint: fingerprints[index] ?? 0 }, ahead);
      start = end + 1;
    });
    for (const piece of sourcePieces) this.taker.sourcePiece(piece);
    if (texts.buffer.byteLength <= LONG_BATCH) this.spare.push(texts.buffer);
  }
}

/** In TypeScript, as tests run, there is no program that a thread could be started from. */
function makerBeside(input: MakerInput): Maker {
  if (extname(__filename) !== '.js') return makerHere(input);
  return new ThreadedMaker(join(__dirname, 'record-thread.js'), input);
}

function makerHere(input: MakerInput): Maker {
  const maker = new RecordMaker(input);
  return {
    make: (rows) => Promise.resolve(maker.make(rows)),
    finish: (lookups) => Promise.resolve(maker.finish(lookups)),
    close: () => Promise.resolve(),
  };
}
