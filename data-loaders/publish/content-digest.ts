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

export class ContentDigest {
  private readonly hash = startDigest();
  private lookups = Buffer.alloc(1024 * LOOKUP_DIGEST_BYTES);
  private lookupCount = 0;
  private referred = new Uint8Array(0);
  private batch: string[] = [];
  private length = 0;

  constructor(kind: DataSetKind, organization: Organization) {
    this.add(JSON.stringify({ format: FORMAT_VERSION, kind, organization }));
  }

  /** Lookups come in the order of their numbers; only those that a record refers to count. */
  addLookup(json: string): void {
    const offset = this.lookupCount * LOOKUP_DIGEST_BYTES;
    if (offset === this.lookups.length) this.lookups = Buffer.concat([this.lookups, Buffer.alloc(offset)]);
    hash('sha256', json, 'buffer').copy(this.lookups, offset, 0, LOOKUP_DIGEST_BYTES);
    this.lookupCount++;
  }

  /** `references` are numbers of lookups. */
  addRecord(json: string, references: readonly number[]): void {
    if (this.referred.length < this.lookupCount) this.referred = new Uint8Array(this.lookupCount);
    for (const reference of references) this.referred[reference] = 1;
    this.add(json);
  }

  /** Texts are JSON without line breaks, so a line each keeps them apart. */
  private add(text: string): void {
    this.batch.push(text, '\n');
    this.length += text.length;
    if (this.length >= BATCH_CHARACTERS) this.flush();
  }

  /** Ends the digest. */
  name(): string {
    this.flush();
    for (let number = 0; number < this.lookupCount; number++) {
      const offset = number * LOOKUP_DIGEST_BYTES;
      if (this.referred[number] === 1) this.hash.update(this.lookups.subarray(offset, offset + LOOKUP_DIGEST_BYTES));
    }
    return digestName(this.hash);
  }

  private flush(): void {
    this.hash.update(this.batch.join(''));
    this.batch = [];
    this.length = 0;
  }
}
