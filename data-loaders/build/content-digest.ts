// The digest that names a release: of everything an answer can show of it, and of the format (design.md, section 4). How a
// store cuts it into documents does not count, so both stores give one name.

import { hash } from 'node:crypto';
import type { DataSetKind } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/organization';
import { FORMAT_VERSION } from '../../shared/store/port';
import { digestName, startDigest } from '../../shared/values/digest';

/** A call per text would cost more than the hashing. */
const BATCH_CHARACTERS = 1 << 16;

/** Of a lookup's own digest: enough to tell any two apart. */
const LOOKUP_DIGEST_BYTES = 16;

/** Of the lookups that records refer to. */
export class LookupDigests {
  private digests = Buffer.alloc(1024 * LOOKUP_DIGEST_BYTES);
  private count = 0;
  private referred = new Uint8Array(0);

  /** Lookups come in the order of their numbers, before the first record. */
  add(json: string): void {
    const offset = this.count * LOOKUP_DIGEST_BYTES;
    if (offset === this.digests.length) this.digests = Buffer.concat([this.digests, Buffer.alloc(offset)]);
    hash('sha256', json, 'buffer').copy(this.digests, offset, 0, LOOKUP_DIGEST_BYTES);
    this.count++;
  }

  /** `references` are numbers of lookups. */
  refer(references: readonly number[]): void {
    if (this.referred.length < this.count) this.referred = new Uint8Array(this.count);
    for (const reference of references) this.referred[reference] = 1;
  }

  /** One after the other; a lookup that no record refers to does not count. */
  ofReferred(): Uint8Array {
    const found: Buffer[] = [];
    for (let number = 0; number < this.count; number++) {
      const offset = number * LOOKUP_DIGEST_BYTES;
      if (this.referred[number] === 1) found.push(this.digests.subarray(offset, offset + LOOKUP_DIGEST_BYTES));
    }
    return Buffer.concat(found);
  }
}

export class ContentDigest {
  private readonly hash = startDigest();
  private batch: string[] = [];
  private length = 0;

  constructor(kind: DataSetKind, organization: Organization) {
    this.addRecord(JSON.stringify({ format: FORMAT_VERSION, kind, organization }));
  }

  /** Texts are JSON without line breaks, so a line each keeps them apart. */
  addRecord(json: string): void {
    this.batch.push(json, '\n');
    this.length += json.length;
    if (this.length >= BATCH_CHARACTERS) this.flush();
  }

  /** Records in UTF-8, a line feed behind each. */
  addLines(lines: Uint8Array): void {
    this.flush();
    this.hash.update(lines);
  }

  /** Ends the digest; `lookups` are LookupDigests.ofReferred. */
  name(lookups: Uint8Array): string {
    this.flush();
    this.hash.update(lookups);
    return digestName(this.hash);
  }

  private flush(): void {
    this.hash.update(this.batch.join(''));
    this.batch = [];
    this.length = 0;
  }
}
