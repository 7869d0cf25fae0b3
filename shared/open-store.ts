// Opens the store that the settings select, and the storage for the files of its releases. Each adapter loads its
// database module or SDK only when it is used.

import type { Settings } from './settings';
import { BlobDownloads } from './store/blob-downloads';
import { openCosmosStore } from './store/cosmos/cosmos-store';
import type { DownloadFiles } from './store/download-files';
import { LocalDownloads } from './store/local-downloads';
import type { Store } from './store/port';
import { openEmbeddedStore } from './store/sqlite/embedded-store';

/** `maxOpenReleases` is for programs that need few open releases at a time. */
export function openStore(
  settings: Pick<Settings, 'store' | 'dataDirectory' | 'stagingDirectory'>,
  maxOpenReleases?: number,
): Store {
  const { store, dataDirectory, stagingDirectory } = settings;
  if (store.kind === 'embedded') return openEmbeddedStore(dataDirectory, maxOpenReleases);
  return openCosmosStore(store, { stagingDirectory, now: () => new Date() });
}

/**
 * With the embedded store, files are in the data directory. With Cosmos DB, all instances of an app share a blob
 * container.
 */
export function openDownloads(
  settings: Pick<Settings, 'store' | 'dataDirectory' | 'stagingDirectory' | 'exportsContainer'>,
): DownloadFiles {
  const { store, dataDirectory, stagingDirectory, exportsContainer } = settings;
  if (store.kind === 'embedded' || exportsContainer === undefined) return new LocalDownloads(dataDirectory);
  return new BlobDownloads(exportsContainer, { stagingDirectory, now: () => new Date() });
}
