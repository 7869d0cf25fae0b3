// The texts of the features of a slice, written one after the other into the same memory. Long geometries, which are
// remembered, are no part of it and go into the answer as they are.

import type { JoinedFragments } from '../../store/port';
import { ByteWriter, type Allocate } from '../../values/byte-writer';
import { joinPieces, type Piece } from '../page-texts';

export interface FeatureText {
  /** As JSON. */
  readonly id: string;
  /** JSON, without the last brace: a single feature has links behind its properties. */
  readonly open: readonly Piece[];
  readonly bytes: number;
}

/** Where a feature stands in what was written. */
interface WrittenFeature {
  readonly start: number;
  readonly idEnd: number;
  readonly end: number;
  /** Stands at `at` and is no part of what was written. */
  readonly geometry: { readonly at: number; readonly content: JoinedFragments } | undefined;
}

/** What a feature is written by. A geometry that is long is returned instead. */
export interface FeatureParts {
  readonly writeId: () => void;
  readonly writeGeometry: () => JoinedFragments | undefined;
  readonly writeProperties: () => void;
}

const HEAD = '{"type":"Feature","id":';

export class FeatureTextsWriter {
  readonly target: ByteWriter;
  private readonly written: WrittenFeature[] = [];

  /** `bytes` are those of the texts from which features are made. */
  constructor(bytes: number, allocate: Allocate) {
    this.target = new ByteWriter(3 * bytes + 1024, allocate);
  }

  /** Writes one more feature to the target. */
  add({ writeId, writeGeometry, writeProperties }: FeatureParts): void {
    const { target } = this;
    const start = target.length;
    target.ascii(HEAD);
    writeId();
    const idEnd = target.length;
    target.ascii(',"geometry":');
    const at = target.length;
    const content = writeGeometry();
    target.ascii(',"properties":{');
    writeProperties();
    target.ascii('}');
    const geometry = content === undefined ? undefined : { at, content };
    this.written.push({ start, idEnd, end: target.length, geometry });
  }

  features(): readonly FeatureText[] {
    const bytes = this.target.bytes();
    return this.written.map((written) => new TextOfFeature(bytes, written));
  }
}

/** Ids are read of single features alone. */
class TextOfFeature implements FeatureText {
  constructor(
    private readonly all: Buffer,
    private readonly written: WrittenFeature,
  ) {}

  get id(): string {
    const { start, idEnd } = this.written;
    return this.all.toString('utf8', start + HEAD.length, idEnd);
  }

  get bytes(): number {
    const { start, end, geometry } = this.written;
    return end - start + (geometry?.content.byteLength ?? 0);
  }

  get open(): readonly Piece[] {
    const { start, end, geometry } = this.written;
    if (geometry === undefined) return [partOf(this.all, start, end)];
    return [partOf(this.all, start, geometry.at), geometry.content, partOf(this.all, geometry.at, end)];
  }
}

export function openText({ open }: FeatureText): string {
  return joinPieces(open, (bytes) => Buffer.allocUnsafe(bytes)).toString();
}

function partOf(bytes: Buffer, start: number, end: number): JoinedFragments {
  return {
    byteLength: end - start,
    copyTo: (target, offset) => {
      target.set(bytes.subarray(start, end), offset);
    },
  };
}
