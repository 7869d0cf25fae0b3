// Claims of a blob inbox: a small blob each, written only over the version that was read (ETag). Not the storage's own leases: those
// last a minute at most, which a loader that is busy sorting cannot promise to renew, and only the storage's clock ends them.

import { isStatus } from './blob-errors';
import { readClaimRecord, type ClaimRecord, type ClaimRegister, type StoredClaim } from './claims';
import { WORKING } from './inbox';
import type { ContainerClient } from './open-container';

/** The version of a blob that is not there. */
const ABSENT = '';

export class BlobClaims implements ClaimRegister {
  constructor(private readonly container: ContainerClient) {}

  async read(name: string): Promise<StoredClaim> {
    try {
      const blob = this.container.getBlockBlobClient(pathOf(name));
      const { etag = ABSENT } = await blob.getProperties();
      const content = await blob.downloadToBuffer(undefined, undefined, { conditions: { ifMatch: etag } });
      return { record: readClaimRecord(content.toString()), version: etag };
    } catch (error) {
      if (isStatus(error, 404)) return { record: undefined, version: ABSENT };
      // Written between the two looks: by somebody who has it now, or who gave it back.
      if (isStatus(error, 412)) return this.read(name);
      throw error;
    }
  }

  async write(name: string, record: ClaimRecord | undefined, version: string): Promise<string | undefined> {
    const blob = this.container.getBlockBlobClient(pathOf(name));
    const conditions = version === ABSENT ? { ifNoneMatch: '*' } : { ifMatch: version };
    try {
      if (record === undefined) {
        await blob.delete({ conditions });
        return ABSENT;
      }
      const text = JSON.stringify(record);
      const { etag } = await blob.upload(text, Buffer.byteLength(text), { conditions });
      return etag;
    } catch (error) {
      if (isStatus(error, 404, 409, 412)) return undefined;
      throw error;
    }
  }
}

function pathOf(name: string): string {
  return `${WORKING}/${name}/claim.json`;
}
