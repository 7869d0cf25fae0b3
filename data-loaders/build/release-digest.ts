// The digest that names a release. It covers everything that an answer can show of the release, and the format, but
// not how a store divides it into documents or blocks, so that both stores give the same name.

import { hash } from 'node:crypto';
import { FORMAT_VERSION, type ReleaseFacts } from '../../shared/store/port';
import { digestName, startDigest } from '../../shared/values/digest';

/** The first 16 bytes of a lookup's own digest are enough to tell any two lookups apart. */
export const LOOKUP_DIGEST_BYTES = 16;

/** The digests of a release's lookups, and which of them its records refer to. */
export class LookupDigests {
  private digests = Buffer.alloc(1024 * LOOKUP_DIGEST_BYTES);
  private count = 0;
  /** By lookup number: 1 when a record refers to it. */
  private isReferenced = new Uint8Array(0);

  /** Lookups come in the order of their numbers, before the first record. */
  add(json: string): void {
    this.addDigest(hash('sha256', json, 'buffer').subarray(0, LOOKUP_DIGEST_BYTES));
  }

  /** As `add`, for a lookup whose digest is known. */
  addDigest(digest: Uint8Array): void {
    const offset = this.count * LOOKUP_DIGEST_BYTES;
    if (offset === this.digests.length) this.digests = Buffer.concat([this.digests, Buffer.alloc(offset)]);
    this.digests.set(digest, offset);
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
export type ReleaseIdentity = Pick<ReleaseFacts, 'dataSet' | 'organization' | 'statement'>;

/** The running digest of the records, which `finish` completes with the lookups. */
export class ReleaseDigest {
  private readonly hash = startDigest();

  constructor({ dataSet: kind, organization, statement }: ReleaseIdentity) {
    this.addRecord(JSON.stringify({ format: FORMAT_VERSION, kind, organization, statement }));
  }

  /** Each text is JSON without line breaks, so that a line feed behind each keeps them apart. */
  addRecord(json: string): void {
    this.hash.update(`${json}\n`);
  }

  /** Adds records in UTF-8 that have a line feed behind each already. */
  addLines(lines: Uint8Array): void {
    this.hash.update(lines);
  }

  /** Ends the digest and returns the release's name; `lookups` comes from LookupDigests.ofReferenced. */
  finish(lookups: Uint8Array): string {
    this.hash.update(lookups);
    return digestName(this.hash);
  }
}
