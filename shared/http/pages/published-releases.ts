// The current releases as the landing page, the downloads and the catalog for harvesters show them.

import type { DataSetKind } from '../../records/data-sets';
import { placesOf } from '../../search/index/release-index';
import type { Searched } from '../../search/index/search-caches';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import type { DownloadFile, DownloadName } from '../../store/download-files';
import type { ReleaseFacts, ReleaseReader } from '../../store/port';
import { findReleaseFault } from '../../store/readable-releases';
import { digestNameOf } from '../../values/digest';
import { type Box, unionOfBoxes } from '../../values/geometry';
import type { PageContent, Service } from '../pipeline/service';
import { formatNumber } from './charts-and-maps';
import { html, type Html, linkedText } from './page';

/** What people call the records of a kind. */
export const KIND_NAMES: Readonly<Record<DataSetKind, string>> = {
  SiteVariableAmounts: 'Amounts at sites',
  AggregatedAmounts: 'Aggregated amounts',
  WaterAllocations: 'Water rights',
};

export const SAMPLES_NOTICE = html`<p class="notice">
  <strong>Sample data.</strong> Everything here is invented, so that there is something to ask for; it goes when the
  first real submission is published.
</p>`;

export interface PublishedRelease {
  readonly entry: CatalogEntry;
  readonly facts: ReleaseFacts;
}

/** What a release has, and what the submission says of itself (ADR 0105), for a list of terms. */
export function releaseFacts({ entry, facts }: PublishedRelease): readonly Html[] {
  const { license, citation, termsOfUse, contact } = entry.submission ?? {};
  const { records, firstDay, lastDay } = facts;
  return [
    fact('Records', formatNumber(records)),
    fact('Period', firstDay === null || lastDay === null ? 'not stated' : `${firstDay} to ${lastDay}`),
    fact('Published', entry.publishedAt.slice(0, 10)),
    fact('Licence', linkedText(license) ?? 'not stated'),
    fact('Cite as', linkedText(citation) ?? 'not stated'),
    ...(termsOfUse == null ? [] : [fact('Terms of use', linkedText(termsOfUse) ?? '')]),
    ...(contact == null ? [] : [fact('Contact', contact)]),
  ];
}

export function fact(name: string, value: Html | string): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div> `;
}

export interface PublishedDownload extends PublishedRelease {
  /** Around all of its places; undefined when none has a position. */
  readonly box: Box | undefined;
  /** Undefined until they are made. */
  readonly files: readonly DownloadFile[] | undefined;
}

/** The things of a release are as open as their pages (D57). */
export function isOpenFile(name: DownloadName, access: Service['access']): boolean {
  return name === 'things.jsonl.gz' && access.hasOpenPages;
}

type Write<Release> = (releases: readonly Release[], state: CatalogState) => PageContent;

/** What `write` makes of the current releases. */
export function contentOfReleases(
  name: string,
  service: Pick<Service, 'store' | 'pages'>,
  write: Write<PublishedRelease>,
): Promise<PageContent> {
  const read = (entry: CatalogEntry, { facts }: ReleaseReader): PublishedRelease => ({ entry, facts });
  return contentOf(name, service, read, { write, isLasting: () => true });
}

/** What `write` makes of the current releases and their files. It is made anew until all files are there. */
export function contentOfDownloads(
  name: string,
  service: Pick<Service, 'store' | 'pages' | 'caches' | 'downloads'>,
  write: Write<PublishedDownload>,
): Promise<PageContent> {
  const read = async (entry: CatalogEntry, reader: ReleaseReader): Promise<PublishedDownload> => {
    const files = service.downloads.findCurrent(entry.releaseId);
    return {
      entry,
      facts: reader.facts,
      box: await boxOfReleases([{ reader, caches: service.caches }]),
      files: await files,
    };
  };
  return contentOf(name, service, read, { write, isLasting: ({ files }) => files !== undefined });
}

/**
 * From memory while nothing else is published, if all releases are lasting. A release that cannot be read is left out
 * until it can.
 */
async function contentOf<Release>(
  name: string,
  { store, pages }: Pick<Service, 'store' | 'pages'>,
  read: (entry: CatalogEntry, reader: ReleaseReader) => Release | Promise<Release>,
  { write, isLasting }: { readonly write: Write<Release>; readonly isLasting: (release: Release) => boolean },
): Promise<PageContent> {
  const state = await store.currentState();
  // Terms of use may change where the data do not.
  const key = `${name} ${digestNameOf(JSON.stringify(state))}`;
  const cached = pages.get(key);
  if (cached !== undefined) return cached;
  const readable = state.entries.map(async (entry): Promise<readonly Release[]> => {
    const fault = await findReleaseFault(store, entry.releaseId, 'quick');
    const reader = fault === undefined ? await store.openRelease(entry.releaseId) : undefined;
    return reader === undefined ? [] : [await read(entry, reader)];
  });
  const releases = (await Promise.all(readable)).flat();
  const content = write(releases, state);
  if (releases.length === state.entries.length && releases.every(isLasting))
    pages.set(key, content, content.body.length);
  return content;
}

/** Around all places of the releases; undefined when none has a position. */
export async function boxOfReleases(releases: readonly Searched[]): Promise<Box | undefined> {
  let union: Box | undefined;
  for (const boxes of await Promise.all(releases.map(placesOf))) {
    for (let at = 0; at < boxes.length; at += 4) {
      const [west = NaN, south = NaN, east = NaN, north = NaN] = boxes.subarray(at, at + 4);
      // The box of places that lie nowhere is infinite.
      if (Number.isFinite(west)) union = unionOfBoxes(union, [west, south, east, north]);
    }
  }
  return union;
}
