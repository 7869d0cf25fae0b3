// Opens the release of a catalog entry.

import type { CatalogEntry } from '../../store/catalog-types';
import { FORMAT_VERSION, ReleaseGoneError, type ReleaseReader, type Store, UnknownFormatError } from '../../store/port';

/**
 * Throws ReleaseGoneError when the store no longer holds the release, and UnknownFormatError when the release has a
 * format that this program cannot read.
 */
export async function openEntry(store: Store, { releaseId }: Pick<CatalogEntry, 'releaseId'>): Promise<ReleaseReader> {
  const reader = await store.openRelease(releaseId);
  if (reader === undefined) throw new ReleaseGoneError();
  // Another version of the program can publish while this one runs.
  if (reader.facts.formatVersion !== FORMAT_VERSION) throw new UnknownFormatError(releaseId);
  return reader;
}
