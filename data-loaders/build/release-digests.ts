// The digests of a release. One names it: it covers everything that an answer can show of the release, and the format,
// but not how a store divides it into documents or blocks, so that both stores give the same name. The others are the
// fingerprints of its records (ADR 0066).

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { FORMAT_VERSION, type ReleaseFacts } from '../../shared/store/port';
import { sectionBuffers } from '../../shared/values/bytes/sections';
import { finishDigest, startDigest } from '../../shared/values/digest';
import { ColumnFile } from './record-columns';

/** The first 16 bytes of a lookup's own digest are enough to tell any two lookups apart. */
const LOOKUP_DIGEST_BYTES = 16;

/** What of a release stands neither in its records nor in its lookups. */
type ReleaseIdentity = Pick<ReleaseFacts, 'dataSet' | 'organization' | 'statement'>;

/** The digest of the records and of the lookups to which they refer, which names a release. */
export class ReleaseDigest {
  private readonly records = startDigest();
  /** The digests of the lookups. */
  private lookups = Buffer.alloc(1024 * LOOKUP_DIGEST_BYTES);
  private count = 0;
  /** By lookup number: 1 when a record refers to it. */
  private isReferenced = new Uint8Array(0);

  constructor({ dataSet: kind, organization, statement }: ReleaseIdentity) {
    this.addRecord(JSON.stringify({ format: FORMAT_VERSION, kind, organization, statement }), []);
  }

  /** Lookups come in the order of their numbers, before the first record; `json` is their text. */
  addLookup(json: string | Uint8Array): void {
    const offset = this.count * LOOKUP_DIGEST_BYTES;
    if (offset === this.lookups.length) this.lookups = Buffer.concat([this.lookups, Buffer.alloc(offset)]);
    hash('sha256', json, 'buffer').copy(this.lookups, offset, 0, LOOKUP_DIGEST_BYTES);
    this.count++;
  }

  /**
   * Each text is JSON without line breaks, so that a line feed behind each keeps them apart. `references` are numbers
   * of lookups.
   */
  addRecord(json: string | Uint8Array, references: readonly number[]): void {
    this.records.update(json).update('\n');
    if (this.isReferenced.length < this.count) this.isReferenced = new Uint8Array(this.count);
    for (const reference of references) this.isReferenced[reference] = 1;
  }

  /** Returns the release's name. Lookups to which no record refers are left out. Gives up the memory of the digests. */
  finish(): string {
    let length = 0;
    for (let number = 0; number < this.count; number++) {
      if (this.isReferenced[number] !== 1) continue;
      const offset = number * LOOKUP_DIGEST_BYTES;
      this.lookups.copyWithin(length, offset, offset + LOOKUP_DIGEST_BYTES);
      length += LOOKUP_DIGEST_BYTES;
    }
    this.records.update(this.lookups.subarray(0, length));
    [this.lookups, this.count] = [Buffer.alloc(0), 0];
    return finishDigest(this.records);
  }
}

/** Collects the `fingerprints` artifact in files, because it takes 20 to 24 bytes a record. */
export class FingerprintBuilder {
  /** Keys, contents, and a column for each measure. */
  private readonly columns: readonly ColumnFile[];
  private recordCount = 0;

  /** The files lie in `folder`, which is removed by whoever made it. */
  constructor(folder: string, measureCount: number) {
    this.columns = Array.from({ length: 2 + measureCount }, (_, index) => {
      return new ColumnFile(join(folder, `fingerprints-${index}`), index < 2 ? Float64Array : Float32Array);
    });
  }

  get count(): number {
    return this.recordCount;
  }

  /** Records come in the order of their numbers. */
  add(key: number, content: number, measures: readonly (number | null)[]): void {
    const values = [key, content, ...measures];
    this.columns.forEach((column, index) => {
      column.add(values[index] ?? NaN);
    });
    this.recordCount++;
  }

  /** The artifact; each piece is overwritten after the next one. */
  pieces(): Iterable<Uint8Array> {
    return sectionBuffers(this.columns);
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
  return 0x100000000 * (finishLane(high) & 0x1fffff) + (finishLane(low) >>> 0);
}

/** Hashes the JSON text of a record, in UTF-8, to 52 bits: the first 13 digits of its SHA-1. */
export function contentFingerprint(json: Uint8Array): number {
  return Number.parseInt(hash('sha1', json).slice(0, 13), 16);
}

/** The lanes are mixed by the multiplicative scheme of murmur3, whose constants these are. */
const LANE_START = 0x9e3779b9;
const HIGH_SEED = 0x5bd1e995;
const MULTIPLIER = 0x85ebca6b;

function finishLane(lane: number): number {
  return Math.imul(lane ^ (lane >>> 16), 0xc2b2ae35);
}
