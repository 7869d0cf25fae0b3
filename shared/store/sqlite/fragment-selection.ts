// Some fragments of a release, found by their blocks' headers and not read yet: how long they are together, and where they
// are copied from.

import { COMMA } from '../fragments';

/** Neighbouring fragments of one block, already joined with commas. */
export interface Stretch {
  readonly position: number;
  readonly bytes: number;
}

/** Of one block in the order of the file. */
type BlockStretches = readonly Stretch[];

/** Beyond this many stretches of one block, all that lies between the first and the last is read in one step. */
const MAX_READS = 3;

export type ReadBytes = (target: Uint8Array, offset: number, bytes: number, position: number) => void;

export class FragmentSelection {
  byteLength = 0;
  private readonly blocks: BlockStretches[] = [];

  /** `stretches` of the next block. */
  add(stretches: BlockStretches): void {
    for (const { bytes } of stretches) this.byteLength += bytes + 1;
    if (this.blocks.length === 0) this.byteLength--;
    this.blocks.push(stretches);
  }

  /** Writes the fragments, joined with commas, to `target` from `offset` on. */
  copyTo(target: Uint8Array, offset: number, read: ReadBytes): void {
    let at = offset;
    let isFirst = true;
    for (const stretches of this.blocks) {
      const [first] = stretches;
      const last = stretches.at(-1);
      if (first === undefined || last === undefined) continue;
      const isMany = stretches.length > MAX_READS;
      const span = new Uint8Array(isMany ? last.position + last.bytes - first.position : 0);
      if (isMany) read(span, 0, span.length, first.position);
      for (const { position, bytes } of stretches) {
        if (!isFirst) target[at++] = COMMA;
        isFirst = false;
        const from = position - first.position;
        if (isMany) target.set(span.subarray(from, from + bytes), at);
        else read(target, at, bytes, position);
        at += bytes;
      }
    }
  }
}
