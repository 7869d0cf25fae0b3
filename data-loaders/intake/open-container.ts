// Opens the container of a blob inbox. The storage's packages are large, so they are loaded only when there is such an inbox:
// by `import`, which brings their form for ES modules, and so the types of that form.

import type { ContainerClient as StorageContainer } from '@azure/storage-blob' with { 'resolution-mode': 'import' };
import type { InboxLocation } from '../../shared/inbox-location';

export type ContainerClient = StorageContainer;

export type BlobLocation = Exclude<InboxLocation, { readonly kind: 'folder' }>;

/** An address without a signature is opened with the identity of the process (Entra ID). */
export async function openContainer(location: BlobLocation): Promise<ContainerClient> {
  const storage = await import('@azure/storage-blob');
  if (location.kind === 'account') {
    const { connectionString, container } = location;
    return storage.BlobServiceClient.fromConnectionString(connectionString).getContainerClient(container);
  }
  if (new URL(location.url).searchParams.has('sig')) return new storage.ContainerClient(location.url);
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new storage.ContainerClient(location.url, new DefaultAzureCredential());
}
