// The release of a catalog entry, opened for reading.

import type { CatalogEntry } from '../store/catalog-types';
import { FORMAT_VERSION, ReleaseGoneError, UnknownFormatError, type ReleaseReader, type Store } from '../store/port';

/** Throws ReleaseGoneError when it is no longer held. */
export async function openEntry(store: Store, { releaseId }: CatalogEntry): Promise<ReleaseReader> {
  const reader = await store.openRelease(releaseId);
  if (reader === undefined) throw new ReleaseGoneError();
  // Another program can publish while this one runs; what it does not know it must not read.
  if (reader.facts.formatVersion !== FORMAT_VERSION) throw new UnknownFormatError(releaseId);
  return reader;
}
