// Addresses of blobs that anybody may read for some minutes: signed by a key that the storage delegates to the identity
// of the process, or, with an emulator, by the key of the account.

import type { BlobSASPermissions, UserDelegationKey } from '@azure/storage-blob' with { 'resolution-mode': 'import' };
import type { BlobContainer } from './blob-container';

/** Long enough for a download manager that waits for its turn; a transfer that has begun may take any time. */
const ADDRESS_MS = 15 * 60_000;

/** The storage gives keys for up to a week. One serves until it ends before the next address would. */
const KEY_MS = 4 * 60 * 60_000;

/** What a request waits for the storage. */
export const PATIENCE_MS = 10_000;

export class BlobAddresses {
  private key: { readonly value: Promise<UserDelegationKey>; readonly expiresOn: Date } | undefined;

  constructor(
    private readonly container: BlobContainer,
    private readonly now: () => Date,
  ) {}

  async addressOf(path: string): Promise<string> {
    const { client, account, hasAccountKey } = this.container;
    const now = this.now().getTime();
    const signed = { permissions: await readOnly(), expiresOn: new Date(now + ADDRESS_MS) };
    const blob = client.getBlobClient(path);
    if (hasAccountKey) return blob.generateSasUrl(signed);
    if (this.key === undefined || this.key.expiresOn < signed.expiresOn) {
      const expiresOn = new Date(now + KEY_MS);
      const abortSignal = AbortSignal.timeout(PATIENCE_MS);
      this.key = { value: account.getUserDelegationKey(new Date(now), expiresOn, { abortSignal }), expiresOn };
    }
    const { value } = this.key;
    // The next request asks anew for a key that could not be had.
    value.catch(() => (this.key = undefined));
    return blob.generateUserDelegationSasUrl(signed, await value);
  }
}

async function readOnly(): Promise<BlobSASPermissions> {
  const storage = await import('@azure/storage-blob');
  return storage.BlobSASPermissions.parse('r');
}
