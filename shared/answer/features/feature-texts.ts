// The texts of the features of a slice, written one after the other into the same memory, from which an answer is sent
// where it can be (ADR 0146). Long geometries, which are remembered, are no part of it and are copied into the answer.

import type { JoinedFragments } from '../../store/port';
import { ByteWriter, type Allocate } from '../../values/bytes/byte-writer';
import { copiedText } from '../../values/bytes/word-copying';
import type { ScratchMemory } from '../buffer-pool';
import { joinPieces, type Piece } from '../page-texts';

/** A feature among those of its slice. In the memory, a comma stands behind each feature but the last. */
export interface FeatureText {
  /** As JSON. */
  readonly id: string;
  readonly bytes: number;
  /** The JSON stands there, but for a geometry that is long. */
  readonly memory: Buffer;
  readonly start: number;
  readonly end: number;
  readonly geometry: LongGeometry | undefined;
}

/** Stands at `at` and is no part of what was written. */
interface LongGeometry {
  readonly at: number;
  readonly content: JoinedFragments;
}

/** Where a feature stands in what was written. */
interface WrittenFeature extends Pick<FeatureText, 'start' | 'end' | 'geometry'> {
  readonly idEnd: number;
}

/** What a feature is written by. A geometry that is long is returned instead. */
export interface FeatureParts {
  readonly writeId: () => void;
  readonly writeGeometry: () => JoinedFragments | undefined;
  readonly writeProperties: () => void;
}

const COMMA = 0x2c;

/** What stands before the features of an answer is mostly shorter; where a long filter is repeated there, it is not. */
const ROOM_BEFORE = 4096;

const HEAD = copiedText('{"type":"Feature","id":');
const GEOMETRY = copiedText(',"geometry":');
const PROPERTIES = copiedText(',"properties":{');
const END = copiedText('}}');

export class FeatureTextsWriter {
  readonly target: ByteWriter;
  private readonly written: WrittenFeature[] = [];

  /** They will have so many bytes, or some more. */
  constructor(expectedBytes: number, allocate: Allocate) {
    this.target = new ByteWriter(ROOM_BEFORE + expectedBytes, allocate);
    this.target.leaveRoom(ROOM_BEFORE);
  }

  /** Writes one more feature to the target. */
  add({ writeId, writeGeometry, writeProperties }: FeatureParts): void {
    const { target } = this;
    if (this.written.length > 0) target.byte(COMMA);
    const start = target.length;
    target.copyText(HEAD);
    writeId();
    const idEnd = target.length;
    target.copyText(GEOMETRY);
    const at = target.length;
    const content = writeGeometry();
    target.copyText(PROPERTIES);
    writeProperties();
    target.copyText(END);
    const geometry = content === undefined ? undefined : { at, content };
    this.written.push({ start, idEnd, end: target.length, geometry });
  }

  features(): readonly FeatureText[] {
    const { memory } = this.target;
    return this.written.map((written) => new TextOfFeature(memory, written));
  }
}

/** Ids are read of single features alone. */
class TextOfFeature implements FeatureText {
  readonly start: number;
  readonly end: number;
  readonly geometry: LongGeometry | undefined;

  constructor(
    readonly memory: Buffer,
    private readonly written: WrittenFeature,
  ) {
    ({ start: this.start, end: this.end, geometry: this.geometry } = written);
  }

  get id(): string {
    return this.memory.toString('utf8', this.start + HEAD.bytes.length, this.written.idEnd);
  }

  /** Without the last brace, so that pages which are cut end with the features with which they have always ended. */
  get bytes(): number {
    return this.end - this.start - 1 + (this.geometry?.content.byteLength ?? 0);
  }
}

/** The JSON of features with commas between them. Neighbours are copied at once. */
function joinFeatures(features: readonly FeatureText[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let last: Pick<FeatureText, 'memory' | 'start' | 'end'> | undefined;
  for (const { memory, start, end, geometry } of features) {
    let from = start;
    if (last?.memory === memory && last.end + 1 === start) from = last.start;
    else if (last !== undefined) pieces.push(partOf(last), ',');
    if (geometry !== undefined) {
      pieces.push(partOf({ memory, start: from, end: geometry.at }), geometry.content);
      from = geometry.at;
    }
    last = { memory, start: from, end };
  }
  return last === undefined ? pieces : [...pieces, partOf(last)];
}

/**
 * The JSON of features between two texts, as the body of an answer. Neighbours are not copied: the texts are written
 * around them, and the memory stays with the answer, so that the features cannot be read any more.
 */
export function encloseFeatures(
  features: readonly FeatureText[],
  [before, behind]: readonly [string, string],
  scratch: ScratchMemory,
): Buffer {
  const [first] = features;
  const end = endOfNeighbours(features);
  if (first !== undefined && end !== undefined) {
    const { memory } = first;
    const start = first.start - Buffer.byteLength(before);
    const bodyEnd = end + Buffer.byteLength(behind);
    const body = start < 0 || bodyEnd > memory.length ? undefined : scratch.keep(memory, start, bodyEnd);
    if (body !== undefined) {
      body.write(before);
      body.write(behind, end - start);
      return body;
    }
  }
  return joinPieces([before, ...joinFeatures(features), behind], (bytes) => scratch.pool.allocate(bytes));
}

/** Where the last feature ends; undefined where anything else than a comma stands between them, or inside of one. */
function endOfNeighbours(features: readonly FeatureText[]): number | undefined {
  let last: FeatureText | undefined;
  for (const feature of features) {
    const isNext = last === undefined || (last.memory === feature.memory && last.end + 1 === feature.start);
    if (!isNext || feature.geometry !== undefined) return undefined;
    last = feature;
  }
  return last?.end;
}

export function featureText(feature: FeatureText): string {
  return joinPieces(joinFeatures([feature]), (bytes) => Buffer.allocUnsafe(bytes)).toString();
}

function partOf({ memory, start, end }: Pick<FeatureText, 'memory' | 'start' | 'end'>): JoinedFragments {
  return {
    byteLength: end - start,
    copyTo: (target, offset) => {
      target.set(memory.subarray(start, end), offset);
    },
  };
}
