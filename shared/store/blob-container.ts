// Opens a container of Azure Blob Storage and signs addresses of its blobs. The storage packages are large, so they are
// loaded dynamically, only if a setting specifies a container. `import` loads their ES modules, whose types are used
// here.

import type { BlobServiceClient, ContainerClient, UserDelegationKey } from '@azure/storage-blob' with {
  'resolution-mode': 'import',
};

export type ContainerLocation =
  /** Opened with the identity of the process unless the query of the address has a signature. */
  | { readonly kind: 'container'; readonly url: string }
  /** The connection string of an account, for development. */
  | { readonly kind: 'account'; readonly connectionString: string; readonly container: string };

export interface BlobContainer {
  readonly client: ContainerClient;
  /**
   * Whether addresses are signed with the account key of a connection string rather than with the identity of the
   * process.
   */
  readonly hasAccountKey: boolean;
  readonly account: BlobServiceClient;
}

/** Uses the identity of the process (Entra ID) for an address without a signature. */
export async function openContainer(location: ContainerLocation): Promise<BlobContainer> {
  const [account, container] = await openAccount(location);
  return { account, client: account.getContainerClient(container), hasAccountKey: location.kind === 'account' };
}

/** Returns the account and the name of the container. */
async function openAccount(location: ContainerLocation): Promise<readonly [BlobServiceClient, string]> {
  const { BlobServiceClient } = await import('@azure/storage-blob');
  if (location.kind === 'account') {
    return [BlobServiceClient.fromConnectionString(location.connectionString), location.container];
  }
  const { origin, pathname, search, searchParams } = new URL(location.url);
  const segments = pathname.split('/').filter((part) => part !== '');
  const address = [origin, ...segments.slice(0, -1)].join('/');
  const container = decodeURIComponent(segments.at(-1) ?? '');
  if (searchParams.has('sig')) return [new BlobServiceClient(`${address}${search}`), container];
  const { DefaultAzureCredential } = await import('@azure/identity');
  return [new BlobServiceClient(address, new DefaultAzureCredential()), container];
}

/** Returns the result of a call, or undefined if it fails with one of these statuses. */
export async function ignoreStatuses<Answer>(
  statuses: readonly number[],
  answer: Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await answer;
  } catch (error) {
    const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
    if (typeof status === 'number' && statuses.includes(status)) return undefined;
    throw error;
  }
}

/** Long enough for a queued download. A transfer that has started may take any time. */
const ADDRESS_MS = 15 * 60_000;

/**
 * A delegated key is reused until it would expire before the next signed address does. The storage issues keys for up
 * to a week.
 */
const KEY_MS = 4 * 60 * 60_000;

/** How long a request waits for the storage. */
export const REQUEST_TIMEOUT_MS = 10_000;

/**
 * Signs addresses that let anyone read a blob for a few minutes. The storage delegates the signing key to the identity
 * of the process; with an emulator, it is the account key.
 */
export class BlobAddresses {
  private key: { readonly value: Promise<UserDelegationKey>; readonly expiresOn: Date } | undefined;

  constructor(
    readonly container: BlobContainer,
    private readonly now: () => Date,
  ) {}

  async signAddress(path: string, contentDisposition?: string): Promise<string> {
    const { client, account, hasAccountKey } = this.container;
    const now = this.now().getTime();
    const { BlobSASPermissions } = await import('@azure/storage-blob');
    const permission = {
      permissions: BlobSASPermissions.parse('r'),
      expiresOn: new Date(now + ADDRESS_MS),
      ...(contentDisposition === undefined ? {} : { contentDisposition }),
    };
    const blob = client.getBlobClient(path);
    if (hasAccountKey) return blob.generateSasUrl(permission);
    if (this.key === undefined || this.key.expiresOn < permission.expiresOn) {
      const expiresOn = new Date(now + KEY_MS);
      const abortSignal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
      this.key = { value: account.getUserDelegationKey(new Date(now), expiresOn, { abortSignal }), expiresOn };
    }
    const { value } = this.key;
    // If the storage issues no key, the next request tries again.
    value.catch(() => {
      this.key = undefined;
    });
    return blob.generateUserDelegationSasUrl(permission, await value);
  }
}
