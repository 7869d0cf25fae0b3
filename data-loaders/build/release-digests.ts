// The digests of a release. One names it: it covers everything that an answer can show of the release, and the format,
// but not how a store divides it into documents or blocks, so that both stores give the same name. The others are the
// fingerprints of its records (ADR 0066).

import { hash } from 'node:crypto';
import { join } from 'node:path';
import { FORMAT_VERSION, type ReleaseFacts } from '../../shared/store/port';
import { sectionPieces } from '../../shared/values/bytes/sections';
import { digestName, startDigest } from '../../shared/values/digest';
import { ColumnFile } from './record-columns';

/** The first 16 bytes of a lookup's own digest are enough to tell any two lookups apart. */
const LOOKUP_DIGEST_BYTES = 16;

/** The digests of a release's lookups, and which of them its records refer to. */
export class LookupDigests {
  private digests = Buffer.alloc(1024 * LOOKUP_DIGEST_BYTES);
  private count = 0;
  /** By lookup number: 1 when a record refers to it. */
  private isReferenced = new Uint8Array(0);

  /** Lookups come in the order of their numbers, before the first record; `json` is their text. */
  add(json: string | Uint8Array): void {
    const offset = this.count * LOOKUP_DIGEST_BYTES;
    if (offset === this.digests.length) this.digests = Buffer.concat([this.digests, Buffer.alloc(offset)]);
    hash('sha256', json, 'buffer').copy(this.digests, offset, 0, LOOKUP_DIGEST_BYTES);
    this.count++;
  }

  addReferences(references: readonly number[]): void {
    if (this.isReferenced.length < this.count) this.isReferenced = new Uint8Array(this.count);
    for (const reference of references) this.isReferenced[reference] = 1;
  }

  /**
   * Joins the digests in the order of their numbers, without those of lookups to which no record refers. Gives up the
   * memory of the digests.
   */
  ofReferenced(): Uint8Array<ArrayBuffer> {
    const { digests, count, isReferenced } = this;
    [this.digests, this.count] = [Buffer.alloc(0), 0];
    let length = 0;
    for (let number = 0; number < count; number++) {
      if (isReferenced[number] !== 1) continue;
      const offset = number * LOOKUP_DIGEST_BYTES;
      digests.copyWithin(length, offset, offset + LOOKUP_DIGEST_BYTES);
      length += LOOKUP_DIGEST_BYTES;
    }
    return digests.subarray(0, length);
  }
}

/** What of a release stands neither in its records nor in its lookups. */
type ReleaseIdentity = Pick<ReleaseFacts, 'dataSet' | 'organization' | 'statement'>;

/** The running digest of the records, which `finish` completes with the lookups. */
export class ReleaseDigest {
  private readonly hash = startDigest();

  constructor({ dataSet: kind, organization, statement }: ReleaseIdentity) {
    this.addRecord(JSON.stringify({ format: FORMAT_VERSION, kind, organization, statement }));
  }

  /** Each text is JSON without line breaks, so that a line feed behind each keeps them apart. */
  addRecord(json: string | Uint8Array): void {
    this.hash.update(json).update('\n');
  }

  /** Ends the digest and returns the release's name; `lookups` comes from LookupDigests.ofReferenced. */
  finish(lookups: Uint8Array): string {
    this.hash.update(lookups);
    return digestName(this.hash);
  }
}

/** Collects the `fingerprints` artifact in files, because it takes 20 to 24 bytes a record. */
export class FingerprintBuilder {
  /** Keys, contents, and a column for each measure. */
  private readonly columns: readonly ColumnFile[];
  private added = 0;

  /** The files lie in `folder`, which is removed by whoever made it. */
  constructor(folder: string, measureCount: number) {
    this.columns = Array.from({ length: 2 + measureCount }, (_, index) => {
      return new ColumnFile(join(folder, `fingerprints-${index}`), index < 2 ? Float64Array : Float32Array);
    });
  }

  get count(): number {
    return this.added;
  }

  /** Records come in the order of their numbers. */
  add(key: number, content: number, measures: readonly (number | null)[]): void {
    const values = [key, content, ...measures];
    this.columns.forEach((column, index) => {
      column.add(values[index] ?? NaN);
    });
    this.added++;
  }

  /** The artifact; each piece is overwritten after the next one. */
  pieces(): Iterable<Uint8Array> {
    return sectionPieces(this.columns);
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
