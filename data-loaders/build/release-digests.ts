// Computes the digest that is the name of a release. It covers the format and everything that answers can show. It does
// not cover how a store divides a release into documents or blocks, so both stores compute the same name.

import { hash } from 'node:crypto';
import { FORMAT_VERSION, type ReleaseFacts } from '../../shared/store/port';
import { ownBytes } from '../../shared/values/bytes/own-bytes';
import { finishDigest, startDigest } from '../../shared/values/digest';

/** The first 16 bytes of a lookup's digest are enough to distinguish any two lookups. */
const LOOKUP_DIGEST_BYTES = 16;

/** What identifies a release, besides its records and lookups. */
type ReleaseIdentity = Pick<ReleaseFacts, 'dataSet' | 'organization' | 'statement'>;

/** The digest of the records and of the lookups to which they refer. It is the name of the release. */
export class ReleaseDigest {
  private readonly records = startDigest();
  /** The digests of the lookups, one after another. */
  private lookups: Buffer = Buffer.alloc(1024 * LOOKUP_DIGEST_BYTES);
  private count = 0;
  /** Keyed by lookup number: 1 if a record refers to the lookup. */
  private isReferenced = new Uint8Array(0);

  constructor({ dataSet: kind, organization, statement }: ReleaseIdentity) {
    this.addRecord(JSON.stringify({ format: FORMAT_VERSION, kind, organization, statement }), []);
  }

  /** Lookups must be added in number order, before the first record. `json` is their text. */
  addLookup(json: string | Uint8Array): void {
    const offset = this.count * LOOKUP_DIGEST_BYTES;
    if (offset === this.lookups.length) this.lookups = ownBytes(Buffer.concat([this.lookups, Buffer.alloc(offset)]));
    hash('sha256', json, 'buffer').copy(this.lookups, offset, 0, LOOKUP_DIGEST_BYTES);
    this.count++;
  }

  /** Each text is JSON without line breaks, so a line feed separates the texts. `references` are lookup numbers. */
  addRecord(json: string | Uint8Array, references: readonly number[]): void {
    this.records.update(json).update('\n');
    if (this.isReferenced.length < this.count) this.isReferenced = new Uint8Array(this.count);
    for (const reference of references) this.isReferenced[reference] = 1;
  }

  /** Returns the release's name. Ignores lookups to which no record refers. Frees the memory of the digests. */
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
