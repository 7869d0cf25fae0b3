// Builds everything that follows from the text of records alone: the JSON texts, their fingerprints, the digest that
// names the release, and the compressed source rows. It needs nothing but its input, so that it can work in a thread
// of its own (ADR 0046).

import type { DataSetKind } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/organization';
import { amountsFiles } from '../format/amount-files';
import { RowShape } from '../format/column';
import { SourceTextWriter } from '../stage/source-text';
import { unstageJoined } from '../stage/staged-amounts';
import { contentFingerprint } from './index/fingerprints';
import { startRecordWriter, type RecordLookups } from './records/record-json';
import { ReleaseDigest } from './release-digest';

export interface RecordBuilderInput {
  readonly kind: DataSetKind;
  readonly organization: Organization;
}

/** Staged rows in the order of their records, as few long texts: every single value costs a thread its handing over. */
export interface RowBatch {
  /** As joinStaged joins them. */
  readonly rows: string;
  /** The source rows one after the other, and the length of each in characters. */
  readonly sources: string;
  readonly sourceLengths: Uint32Array;
  /** The lookups of the rows, each distinct combination once, and by row the index of its combination. */
  readonly lookups: readonly RecordLookups[];
  readonly lookupsOfRows: Uint32Array;
  /** The memory of an earlier batch's texts, to be overwritten: with it, threads neither allocate nor free any. */
  readonly memory: ArrayBuffer | undefined;
}

export interface BuiltBatch {
  /** The JSON of the records in UTF-8, with a line feed behind each. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** By record: the position of its line feed in `texts`. */
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly fingerprints: Float64Array<ArrayBuffer>;
  /** Pieces of the amounts file's source text that became full. */
  readonly sourcePieces: readonly Uint8Array[];
}

export interface FinishedRecords {
  readonly releaseId: string;
  readonly sourcePieces: readonly Uint8Array[];
}

const LINE_FEED = 0x0a;

/** New memory is larger than the texts it is made for, since the next ones may be a little longer. */
const MEMORY_PER_BYTE = 1.25;

export class RecordBuilder {
  private readonly fileName: string;
  private readonly shape: RowShape;
  private readonly writer: ReturnType<(typeof startRecordWriter)[DataSetKind]>;
  private readonly digest: ReleaseDigest;
  private sourcePieces: Uint8Array[] = [];
  private readonly sources = new SourceTextWriter((_file, piece) => {
    this.sourcePieces.push(piece);
  });

  constructor({ kind, organization }: RecordBuilderInput) {
    this.fileName = amountsFiles[kind].name;
    this.shape = new RowShape(amountsFiles[kind]);
    this.writer = startRecordWriter[kind]();
    this.digest = new ReleaseDigest(kind, organization);
  }

  build(batch: RowBatch): BuiltBatch {
    this.addSources(batch);
    const texts = encode(this.linesOf(batch), batch.memory);
    this.digest.addLines(texts);
    const { length } = batch.lookupsOfRows;
    const ends = new Uint32Array(length);
    const fingerprints = new Float64Array(length);
    let start = 0;
    for (let index = 0; index < length; index++) {
      const end = texts.indexOf(LINE_FEED, start);
      ends[index] = end;
      fingerprints[index] = contentFingerprint(texts.subarray(start, end));
      start = end + 1;
    }
    return { texts, ends, fingerprints, sourcePieces: this.takeSourcePieces() };
  }

  /** `lookupDigests` comes from LookupDigests.ofReferenced. */
  finish(lookupDigests: Uint8Array): FinishedRecords {
    this.sources.flush();
    return { releaseId: this.digest.finish(lookupDigests), sourcePieces: this.takeSourcePieces() };
  }

  private linesOf({ rows, lookups, lookupsOfRows }: RowBatch): string {
    const staged = unstageJoined(this.shape, rows);
    let lines = '';
    lookupsOfRows.forEach((combination, index) => {
      const row = staged[index];
      const lookupsOfRow = lookups[combination];
      if (row === undefined || lookupsOfRow === undefined) throw new Error('a row came without its lookups');
      lines += `${this.writer.write(row, lookupsOfRow)}\n`;
    });
    return lines;
  }

  private addSources({ sources, sourceLengths }: RowBatch): void {
    let start = 0;
    for (const length of sourceLengths) {
      this.sources.add(this.fileName, sources.slice(start, start + length));
      start += length;
    }
  }

  private takeSourcePieces(): readonly Uint8Array[] {
    const pieces = this.sourcePieces;
    this.sourcePieces = [];
    return pieces;
  }
}

/** Encodes into `memory` if it is large enough, else into new memory, which can be transferred to another thread. */
function encode(text: string, memory: ArrayBuffer | undefined): Uint8Array<ArrayBuffer> {
  const length = Buffer.byteLength(text);
  const isEnough = memory !== undefined && memory.byteLength >= length;
  const bytes = Buffer.from(isEnough ? memory : new ArrayBuffer(Math.ceil(length * MEMORY_PER_BYTE)));
  bytes.write(text);
  return bytes.subarray(0, length);
}
