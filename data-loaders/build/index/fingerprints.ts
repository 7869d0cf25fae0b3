// Makes the fingerprints of records (ADR 0016) while a release is built.

import { hash } from 'node:crypto';
import { readFingerprints, type Fingerprints } from '../../../shared/search/fingerprints';
import { emptySections, writeSections } from '../../../shared/values/sections';

/** Collects them in the bytes of the artifact itself: a copy of millions would be the peak of a load's memory. */
export class FingerprintBuilder {
  private readonly content: Uint8Array;
  private readonly columns: Fingerprints;
  private count = 0;

  /** Takes at most `capacity` records. */
  constructor(
    measureCount: number,
    private readonly capacity: number,
  ) {
    const measures = Array.from({ length: measureCount }, () => Float32Array.BYTES_PER_ELEMENT);
    const bytes = [Float64Array.BYTES_PER_ELEMENT, Float64Array.BYTES_PER_ELEMENT, ...measures];
    this.content = emptySections(bytes.map((each) => each * capacity));
    this.columns = readFingerprints(this.content, measureCount);
  }

  /** Records come in the order of their numbers. */
  add(key: number, content: number, measures: readonly (number | null)[]): void {
    if (this.count === this.capacity) throw new Error('more records than there are rows');
    this.columns.keys[this.count] = key;
    this.columns.contents[this.count] = content;
    this.columns.measures.forEach((column, index) => {
      column[this.count] = measures[index] ?? NaN;
    });
    this.count++;
  }

  /** Returns the `fingerprints` artifact. */
  build(): Uint8Array {
    if (this.count === this.capacity) return this.content;
    const { keys, contents, measures } = this.columns;
    return writeSections([keys, contents, ...measures].map((column) => column.subarray(0, this.count)));
  }
}

/** Hashes a text to 53 bits, which a double holds exactly: two lanes of 32 bits with different seeds. */
export function keyFingerprint(text: string): number {
  let low = LANE_START;
  let high = LANE_START ^ HIGH_SEED;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = mixed(low, code);
    high = mixed(high, code);
  }
  return 0x100000000 * (ended(high) & 0x1fffff) + (ended(low) >>> 0);
}

/** Hashes the JSON text of a record, in UTF-8, to 52 bits: the first 13 digits of its SHA-1. */
export function contentFingerprint(json: Uint8Array): number {
  return Number.parseInt(hash('sha1', json).slice(0, 13), 16);
}

/** The lanes are mixed by the multiplicative scheme of murmur3, whose constants these are. */
const LANE_START = 0x9e3779b9;
const HIGH_SEED = 0x5bd1e995;

function mixed(lane: number, code: number): number {
  const product = Math.imul(lane ^ code, 0x85ebca6b);
  return product ^ (product >>> 15);
}

function ended(lane: number): number {
  return Math.imul(lane ^ (lane >>> 16), 0xc2b2ae35);
}
