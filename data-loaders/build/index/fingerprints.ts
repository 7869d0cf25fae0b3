// Fingerprints of the key and the content of each record, and its measures, so that two releases of a data set can be
// compared without reading their records (ADR 0016). A key has 53 bits: two of a million keys collide once in 18,000
// releases, which is acceptable because the comparison is a report and decides nothing.

import { crc32 } from 'node:zlib';
import { emptySections, Sections, writeSections } from '../../../shared/values/sections';

export interface Fingerprints {
  /** By record number, as are the other columns. */
  readonly keys: Float64Array;
  readonly contents: Uint32Array;
  /** A column for each measure (an amount, a flow, a volume), rounded to 32 bits; NaN where a record has none. */
  readonly measures: readonly Float32Array[];
}

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
    const bytes = [Float64Array.BYTES_PER_ELEMENT, Uint32Array.BYTES_PER_ELEMENT, ...measures];
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

/** A release that was written without measures has empty columns of them. */
export function readFingerprints(content: Uint8Array, measureCount: number): Fingerprints {
  const sections = new Sections(content);
  const measures = Array.from({ length: measureCount }, (_, index) => sections.numbers(Float32Array, 2 + index));
  return { keys: sections.numbers(Float64Array, 0), contents: sections.numbers(Uint32Array, 1), measures };
}

/** An open-addressing table from key to index: a Map of millions of numbers takes ten times the memory. */
export class KeyTable {
  /** Index of a key plus one; 0 marks a free slot. */
  private readonly slots: Uint32Array;
  private readonly mask: number;

  constructor(private readonly keys: Float64Array) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, keys.length * 2)));
    this.slots = new Uint32Array(size);
    this.mask = size - 1;
    keys.forEach((key, index) => {
      this.slots[this.slotOf(key)] = index + 1;
    });
  }

  indexOf(key: number): number | undefined {
    const found = this.slots[this.slotOf(key)];
    return found === undefined || found === 0 ? undefined : found - 1;
  }

  /** The slot that holds the key, or the free slot where it belongs. The mask keeps it within the table. */
  private slotOf(key: number): number {
    let slot = key & this.mask;
    for (;;) {
      const index = this.slots[slot];
      if (index === undefined || index === 0 || this.keys[index - 1] === key) return slot;
      slot = (slot + 1) & this.mask;
    }
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

/** Hashes the JSON text of a record, in UTF-8, to 32 bits. */
export function contentFingerprint(json: Uint8Array): number {
  return crc32(json);
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
