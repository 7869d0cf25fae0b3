// Makes the fingerprints of records (ADR 0016) while a release is built.

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { readFingerprints, type Fingerprints } from '../../../shared/search/release-changes';
import { sectionPieces } from '../../../shared/values/bytes/sections';
import { ColumnFile } from './column-file';

/** Collects the `fingerprints` artifact in files, because it takes 20 to 24 bytes a record. */
export class FingerprintBuilder {
  private readonly keys: ColumnFile;
  private readonly contents: ColumnFile;
  private readonly measures: readonly ColumnFile[];
  private added = 0;

  /** The files lie in `folder`, which is removed by whoever made it. */
  constructor(folder: string, measureCount: number) {
    const path = (name: string): string => join(folder, `fingerprints-${name}`);
    this.keys = new ColumnFile(path('keys'), Float64Array);
    this.contents = new ColumnFile(path('contents'), Float64Array);
    this.measures = Array.from({ length: measureCount }, (_, index) => {
      return new ColumnFile(path(`measure-${index}`), Float32Array);
    });
  }

  get count(): number {
    return this.added;
  }

  /** Records come in the order of their numbers. */
  add(key: number, content: number, measures: readonly (number | null)[]): void {
    this.keys.add(key);
    this.contents.add(content);
    this.measures.forEach((column, index) => {
      column.add(measures[index] ?? NaN);
    });
    this.added++;
  }

  /** The artifact; each piece is overwritten after the next one. */
  pieces(): Iterable<Uint8Array> {
    return sectionPieces([this.keys, this.contents, ...this.measures]);
  }

  /** All fingerprints, in memory. */
  read(): Fingerprints {
    const content = Buffer.concat(Array.from(this.pieces(), (piece) => Buffer.from(piece)));
    return readFingerprints(content, this.measures.length);
  }
}

/** Hashes a text to 53 bits, which a double holds exactly: two lanes of 32 bits with different seeds. */
export function keyFingerprint(text: string): number {
  let low = LANE_START;
  let high = LANE_START ^ HIGH_SEED;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // The lanes are mixed here and not by a function: in a short load nothing is compiled so far that it is inlined.
    low = Math.imul(low ^ code, MULTIPLIER);
    low ^= low >>> 15;
    high = Math.imul(high ^ code, MULTIPLIER);
    high ^= high >>> 15;
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
const MULTIPLIER = 0x85ebca6b;

function ended(lane: number): number {
  return Math.imul(lane ^ (lane >>> 16), 0xc2b2ae35);
}
