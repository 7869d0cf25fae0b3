// The digest that names a release: of everything an answer can show of it, and of the format (design.md, section 4). How a
// store cuts it into documents does not count, so both stores give one name.

import type { DataSetKind } from '../../shared/records/data-sets';
import type { Organization } from '../../shared/records/organization';
import { FORMAT_VERSION } from '../../shared/store/port';
import { digestName, startDigest } from '../../shared/values/digest';

/** A call per text would cost more than the hashing. */
const BATCH_CHARACTERS = 1 << 16;

export class ContentDigest {
  private readonly hash = startDigest();
  private batch: string[] = [];
  private length = 0;

  constructor(kind: DataSetKind, organization: Organization) {
    this.add(JSON.stringify({ format: FORMAT_VERSION, kind, organization }));
  }

  /** Texts are JSON without line breaks, so a line each keeps them apart. */
  add(text: string): void {
    this.batch.push(text, '\n');
    this.length += text.length;
    if (this.length >= BATCH_CHARACTERS) this.flush();
  }

  /** Ends the digest. */
  name(): string {
    this.flush();
    return digestName(this.hash);
  }

  private flush(): void {
    this.hash.update(this.batch.join(''));
    this.batch = [];
    this.length = 0;
  }
}
