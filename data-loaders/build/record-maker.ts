// From staged rows to all that is made of each record's text alone: the text, its fingerprint, the digest of the release, the
// compressed source rows. It needs nothing but what it is handed, so that it can work in a thread of its own (ADR 0046).

import type { DataSetKind } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/organization';
import { contentFingerprint } from './index/fingerprints';
import { rowShapeOf, type RowShape } from '../format/row-shape';
import { amountDefinitions, type AmountDefinition } from '../format/amount-definitions';
import { recordWriters } from './records/record-writers';
import type { RepeatedLookups } from './records/repeated-lookups';
import { unstageJoined } from '../stage/staged-row';
import { ContentDigest } from './content-digest';
import { SourceTextWriter } from '../stage/source-text';

export interface MakerInput {
  readonly kind: DataSetKind;
  readonly organization: Organization;
}

/** Rows that become records, in the order of these. Few and long texts: each value costs a thread its handing over. */
export interface RowsToMake {
  /** Of joinStaged. */
  readonly rows: string;
  /** The source rows one after the other, and how long each is. */
  readonly sources: string;
  readonly sourceLengths: Uint32Array;
  /** Each once, and which of them each row has. */
  readonly lookups: readonly RepeatedLookups[];
  readonly lookupsOfRows: Uint32Array;
  /** Of texts that were made and are not needed any more, to be written over: between threads none is freed and none made. */
  readonly memory: ArrayBuffer | undefined;
}

export interface MadeRecords {
  /** The records' JSON in UTF-8, a line feed behind each. */
  readonly texts: Uint8Array<ArrayBuffer>;
  /** Where in `texts` each line feed stands. */
  readonly ends: Uint32Array<ArrayBuffer>;
  readonly fingerprints: Uint32Array<ArrayBuffer>;
  /** Of the amounts file, those that became full. */
  readonly sourcePieces: readonly Uint8Array[];
}

export interface MadeEnd {
  /** The name of the release. */
  readonly releaseId: string;
  readonly sourcePieces: readonly Uint8Array[];
}

const LINE_FEED = 0x0a;

/** The next texts may be a little longer. */
const SPARE_ROOM = 1.25;

export class RecordMaker {
  private readonly definition: AmountDefinition;
  private readonly shape: RowShape;
  private readonly digest: ContentDigest;
  private sourcePieces: Uint8Array[] = [];
  private readonly sources = new SourceTextWriter((_file, piece) => {
    this.sourcePieces.push(piece);
  });

  constructor({ kind, organization }: MakerInput) {
    this.definition = amountDefinitions[kind];
    this.shape = rowShapeOf(this.definition.file);
    this.digest = new ContentDigest(kind, organization);
  }

  make(input: RowsToMake): MadeRecords {
    this.keepSources(input);
    const texts = bytesOf(this.linesOf(input), input.memory);
    this.digest.addLines(texts);
    const { length } = input.lookupsOfRows;
    const ends = new Uint32Array(length);
    const fingerprints = new Uint32Array(length);
    let start = 0;
    for (let index = 0; index < length; index++) {
      const end = texts.indexOf(LINE_FEED, start);
      ends[index] = end;
      fingerprints[index] = contentFingerprint(texts.subarray(start, end));
      start = end + 1;
    }
    return { texts, ends, fingerprints, sourcePieces: this.takePieces() };
  }

  /** `lookups` are the digests of those that records refer to. */
  finish(lookups: Uint8Array): MadeEnd {
    this.sources.flush();
    return { releaseId: this.digest.name(lookups), sourcePieces: this.takePieces() };
  }

  private linesOf({ rows, lookups, lookupsOfRows }: RowsToMake): string {
    let lines = '';
    const { write } = recordWriters[this.definition.kind];
    unstageJoined(this.shape, rows).forEach((row, index) => {
      const repeated = lookups[lookupsOfRows[index] ?? -1];
      if (repeated === undefined) throw new Error('a row came without its lookups');
      lines += `${write(row, repeated)}\n`;
    });
    return lines;
  }

  private keepSources({ sources, sourceLengths }: RowsToMake): void {
    let start = 0;
    for (const length of sourceLengths) {
      this.sources.add(this.definition.file.name, sources.slice(start, start + length));
      start += length;
    }
  }

  private takePieces(): readonly Uint8Array[] {
    const pieces = this.sourcePieces;
    this.sourcePieces = [];
    return pieces;
  }
}

/** In `memory` if there is enough; else in memory of its own, which can be handed to another thread. */
function bytesOf(text: string, memory: ArrayBuffer | undefined): Uint8Array<ArrayBuffer> {
  const length = Buffer.byteLength(text);
  const isEnough = memory !== undefined && memory.byteLength >= length;
  const bytes = Buffer.from(isEnough ? memory : new ArrayBuffer(Math.ceil(length * SPARE_ROOM)));
  bytes.write(text);
  return bytes.subarray(0, length);
}
