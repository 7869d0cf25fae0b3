// The current releases with the files that each has, for the page at /downloads and the catalog for harvesters.

import { placesOf } from '../../../search/index/release-index';
import type { SearchCaches } from '../../../search/index/search-caches';
import type { CatalogEntry, CatalogState } from '../../../store/catalog-types';
import type { DownloadFile } from '../../../store/download-files';
import type { ReleaseFacts, ReleaseReader } from '../../../store/port';
import { findReleaseFault } from '../../../store/readable-releases';
import { digestNameOf } from '../../../values/digest';
import { unionOfBoxes, type Box } from '../../../values/geometry';
import type { PageContent, Service } from '../../service';

export interface PublishedDownload {
  readonly entry: CatalogEntry;
  readonly facts: ReleaseFacts;
  /** Around all of its places; undefined when none has a position. */
  readonly box: Box | undefined;
  /** Undefined until they are made. */
  readonly files: readonly DownloadFile[] | undefined;
}

/**
 * What `write` makes of the current releases, from memory while nothing else is published. A release that cannot be
 * read is left out until it can, and one whose files are missing is asked for each time.
 */
export async function contentOfDownloads(
  name: string,
  service: Service,
  write: (downloads: readonly PublishedDownload[], state: CatalogState) => PageContent,
): Promise<PageContent> {
  const { store, pages } = service;
  const state = await store.currentState();
  // Terms of use may change where the data do not.
  const key = `${name} ${digestNameOf(JSON.stringify(state))}`;
  const cached = pages.get(key);
  if (cached !== undefined) return cached;
  const downloads = (await Promise.all(state.entries.map((entry) => readDownload(entry, service)))).flat();
  const content = write(downloads, state);
  const isLasting = downloads.length === state.entries.length && downloads.every(({ files }) => files !== undefined);
  if (isLasting) pages.set(key, content, content.body.length);
  return content;
}

async function readDownload(
  entry: CatalogEntry,
  { store, caches, downloads }: Service,
): Promise<readonly PublishedDownload[]> {
  const { releaseId } = entry;
  const fault = await findReleaseFault(store, releaseId, 'glance');
  const reader = fault === undefined ? await store.openRelease(releaseId) : undefined;
  if (reader === undefined) return [];
  const [box, files] = await Promise.all([boxOf(reader, caches), downloads.findCurrent(releaseId)]);
  return [{ entry, facts: reader.facts, box, files }];
}

async function boxOf(reader: ReleaseReader, caches: SearchCaches): Promise<Box | undefined> {
  const boxes = await placesOf(reader, caches);
  let union: Box | undefined;
  for (let at = 0; at < boxes.length; at += 4) {
    const [west = NaN, south = NaN, east = NaN, north = NaN] = boxes.subarray(at, at + 4);
    // The box of places that lie nowhere is infinite.
    if (Number.isFinite(west)) union = unionOfBoxes(union, [west, south, east, north]);
  }
  return union;
}
