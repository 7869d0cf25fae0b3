// Fingerprints of keys and records: short numbers that show what changed between two releases (ADR 0066).

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { sectionBuffers } from '../../shared/values/bytes/sections';
import { ColumnFile } from './column-file';

/** Collects the `fingerprints` artifact in files, because it takes 24 to 28 bytes per record. */
export class FingerprintBuilder {
  /** The columns: keys, contents, one column per measure, and the number of places. */
  private readonly columns: readonly ColumnFile[];
  private recordCount = 0;

  /** The files are in `folder`, which its owner removes. */
  constructor(folder: string, measureCount: number) {
    const measures = Array.from({ length: measureCount }, () => Float32Array);
    const types = [Float64Array, Float64Array, ...measures, Uint32Array];
    this.columns = types.map((type, index) => new ColumnFile(join(folder, `fingerprints-${index}`), type));
  }

  get count(): number {
    return this.recordCount;
  }

  /** Records must be added in record order. */
  add(key: number, content: number, measures: readonly (number | null)[], placeCount: number): void {
    const values = [key, content, ...measures, placeCount];
    this.columns.forEach((column, index) => {
      column.add(values[index] ?? NaN);
    });
    this.recordCount++;
  }

  /** The artifact. A buffer is overwritten after the next buffer is requested. */
  pieces(): Iterable<Uint8Array> {
    return sectionBuffers(this.columns);
  }
}

/** Hashes a string to 53 bits, which a double holds exactly: two lanes of 32 bits with different seeds. */
export function keyFingerprint(text: string): number {
  let low = LANE_START;
  let high = LANE_START ^ HIGH_SEED;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // The mixing is inlined by hand, because the engine may not have optimized this function yet during a short load.
    low = Math.imul(low ^ code, MULTIPLIER);
    low ^= low >>> 15;
    high = Math.imul(high ^ code, MULTIPLIER);
    high ^= high >>> 15;
  }
  return 0x100000000 * (finishLane(high) & 0x1fffff) + (finishLane(low) >>> 0);
}

/** Hashes a record's JSON text, encoded as UTF-8, to 52 bits: the first 13 hex digits of its SHA-1. */
export function contentFingerprint(json: Uint8Array): number {
  return Number.parseInt(hash('sha1', json).slice(0, 13), 16);
}

/** The constants of murmur3's multiplicative mixing. */
const LANE_START = 0x9e3779b9;
const HIGH_SEED = 0x5bd1e995;
const MULTIPLIER = 0x85ebca6b;

function finishLane(lane: number): number {
  return Math.imul(lane ^ (lane >>> 16), 0xc2b2ae35);
}
