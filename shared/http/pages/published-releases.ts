// The current releases, as shown by the landing page, the downloads page and the DCAT catalog.

import { KIND_NAMES } from '../../records/data-set-names';
import { loadPlaceChunkBoxes } from '../../search/index/release-index';
import type { SearchableRelease } from '../../search/index/search-caches';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import type { DownloadFile, DownloadName } from '../../store/download-files';
import type { ReleaseFacts, ReleaseReader } from '../../store/port';
import { findReleaseFault } from '../../store/readable-releases';
import { type Box, uniteBoxes } from '../../values/geometry';
import type { PageContent, Service } from '../pipeline/service';
import { digestState } from '../pipeline/state-digests';
import { formatNumber } from './format-number';
import { html, linkAddress } from './html';
import { getOrRender, type RenderedContent } from './page-answers';
import type { Fact } from './page-parts';

export const SAMPLES_NOTICE = html`<p class="notice">
  <strong>Sample data.</strong> Everything here is made up, so that you can try the service. It is removed when the
  first real submission is published.
</p>`;

export interface PublishedRelease {
  readonly entry: CatalogEntry;
  readonly reader: ReleaseReader;
  readonly facts: ReleaseFacts;
}

/** Lists the facts of a release, and the statements of its submission (ADR 0105). */
export function listReleaseFacts({ entry, facts }: Pick<PublishedRelease, 'entry' | 'facts'>): readonly Fact[] {
  const { license, citation, termsOfUse, contact } = entry.submission ?? {};
  const { records, firstDay, lastDay } = facts;
  return [
    ['Records', formatNumber(records)],
    ['Period', firstDay === null || lastDay === null ? 'not stated' : `${firstDay} to ${lastDay}`],
    ['Published', entry.publishedAt.slice(0, 10)],
    ['License', linkAddress(license) ?? 'not stated'],
    ['Cite as', linkAddress(citation) ?? buildCitation({ entry, facts })],
    ['Terms of use', linkAddress(termsOfUse)],
    ['Contact', contact],
  ];
}

/** Builds a citation for data whose submission does not state one. The explorer builds the same citation. */
function buildCitation({ entry, facts }: Pick<PublishedRelease, 'entry' | 'facts'>): string {
  const published = entry.publishedAt.slice(0, 10);
  const title = `${facts.organization.OrganizationName} (${published.slice(0, 4)}). ${KIND_NAMES[facts.dataSet]}`;
  return `${title}, published ${published}. Release ${entry.releaseId.slice(0, 8)}.`;
}

export interface PublishedDownload extends PublishedRelease {
  /** Undefined until the files exist. */
  readonly files: readonly DownloadFile[] | undefined;
}

/** The JSON-LD file of a release needs a key only if the pages of its features do (D57). */
export function isOpenFile(name: DownloadName, access: Service['access']): boolean {
  return name === 'things.jsonl.gz' && access.limits.hasOpenPages;
}

type RenderReleases<Release> = (
  releases: readonly Release[],
  state: CatalogState,
) => RenderedContent | Promise<RenderedContent>;

/**
 * Renders the current releases, except those that cannot be read. Caches the result until something is published,
 * unless a release could not be read.
 */
export async function getReleasesContent(
  name: string,
  { store, pages, caches }: Pick<Service, 'store' | 'pages' | 'caches'>,
  render: RenderReleases<PublishedRelease>,
): Promise<PageContent> {
  const state = await store.currentState();
  return getOrRender(`${name} ${digestState(state, caches)}`, pages, async () => {
    const readable = state.entries.map(async (entry): Promise<readonly PublishedRelease[]> => {
      const fault = await findReleaseFault(store, entry.releaseId, 'quick');
      const reader = fault === undefined ? await store.openRelease(entry.releaseId) : undefined;
      return reader === undefined ? [] : [{ entry, reader, facts: reader.facts }];
    });
    const releases = (await Promise.all(readable)).flat();
    const { isLasting = true, ...content } = await render(releases, state);
    return { ...content, isLasting: isLasting && releases.length === state.entries.length };
  });
}

/** Renders the current releases and their files. The result is cached only if all files exist. */
export function getDownloadsContent(
  name: string,
  service: Pick<Service, 'store' | 'pages' | 'caches' | 'downloads'>,
  render: RenderReleases<PublishedDownload>,
): Promise<PageContent> {
  return getReleasesContent(name, service, async (releases, state) => {
    const files = await Promise.all(releases.map(({ entry }) => service.downloads.findCurrent(entry.releaseId)));
    const downloads = releases.map((release, index) => ({ ...release, files: files[index] }));
    return { ...(await render(downloads, state)), isLasting: !files.includes(undefined) };
  });
}

/** Returns the bounding box of all places; undefined if no place has a position. */
export async function readReleasesBox(releases: readonly SearchableRelease[]): Promise<Box | undefined> {
  let union: Box | undefined;
  for (const boxes of await Promise.all(releases.map(loadPlaceChunkBoxes))) {
    for (let offset = 0; offset < boxes.length; offset += 4) {
      const [west = NaN, south = NaN, east = NaN, north = NaN] = boxes.subarray(offset, offset + 4);
      // Places without a position have an infinite box.
      if (Number.isFinite(west)) union = uniteBoxes(union, [west, south, east, north]);
    }
  }
  return union;
}
