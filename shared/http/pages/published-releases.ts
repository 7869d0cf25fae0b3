// The current releases as the landing page, the downloads and the catalog for harvesters show them.

import type { DataSetKind } from '../../records/data-sets';
import type { PeriodColumn } from '../../search/index/column-format';
import { periodColumnOf, placesOf } from '../../search/index/release-index';
import type { SearchCaches } from '../../search/index/search-caches';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import type { DownloadFile } from '../../store/download-files';
import type { ReleaseFacts, ReleaseReader } from '../../store/port';
import { findReleaseFault } from '../../store/readable-releases';
import { yearOf } from '../../query/groupings';
import { digestNameOf } from '../../values/digest';
import { unionOfBoxes, type Box } from '../../values/geometry';
import type { PageContent, Service } from '../pipeline/service';
import { html } from './page';

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

/** What a page reads of a release beside its facts. */
interface ReleaseDetails {
  /** False while more is about to come, such as files that are being made. */
  readonly isLasting: boolean;
}

export interface PublishedRelease {
  readonly entry: CatalogEntry;
  readonly facts: ReleaseFacts;
}

/**
 * What `write` makes of the current releases and their details, from memory while nothing else is published. A release
 * that cannot be read is left out until it can, and one whose details are not lasting is read each time.
 */
export async function contentOfReleases<Details extends ReleaseDetails>(
  name: string,
  { store, pages }: Pick<Service, 'store' | 'pages'>,
  readDetails: (reader: ReleaseReader) => Promise<Details>,
  write: (releases: readonly (PublishedRelease & Details)[], state: CatalogState) => PageContent,
): Promise<PageContent> {
  const state = await store.currentState();
  // Terms of use may change where the data do not.
  const key = `${name} ${digestNameOf(JSON.stringify(state))}`;
  const cached = pages.get(key);
  if (cached !== undefined) return cached;
  const read = state.entries.map(async (entry): Promise<readonly (PublishedRelease & Details)[]> => {
    const fault = await findReleaseFault(store, entry.releaseId, 'quick');
    const reader = fault === undefined ? await store.openRelease(entry.releaseId) : undefined;
    return reader === undefined ? [] : [{ entry, facts: reader.facts, ...(await readDetails(reader)) }];
  });
  const releases = (await Promise.all(read)).flat();
  const content = write(releases, state);
  const isLasting = releases.length === state.entries.length && releases.every((release) => release.isLasting);
  if (isLasting) pages.set(key, content, content.body.length);
  return content;
}

/** The files of a release, and where it lies. */
interface DownloadDetails extends ReleaseDetails {
  /** Around all of its places; undefined when none has a position. */
  readonly box: Box | undefined;
  /** Undefined until they are made. */
  readonly files: readonly DownloadFile[] | undefined;
}

export type PublishedDownload = PublishedRelease & DownloadDetails;

export async function readDownload(
  reader: ReleaseReader,
  { caches, downloads }: Pick<Service, 'caches' | 'downloads'>,
): Promise<DownloadDetails> {
  const [box, files] = await Promise.all([boxOfPlaces(reader, caches), downloads.findCurrent(reader.facts.releaseId)]);
  return { box, files, isLasting: files !== undefined };
}

/** Around all places of a release; undefined when none has a position. */
export async function boxOfPlaces(reader: ReleaseReader, caches: SearchCaches): Promise<Box | undefined> {
  const boxes = await placesOf(reader, caches);
  let union: Box | undefined;
  for (let at = 0; at < boxes.length; at += 4) {
    const [west = NaN, south = NaN, east = NaN, north = NaN] = boxes.subarray(at, at + 4);
    // The box of places that lie nowhere is infinite.
    if (Number.isFinite(west)) union = unionOfBoxes(union, [west, south, east, north]);
  }
  return union;
}

/** How many records of a release have each year (D39). */
export interface YearCounts {
  /** The year of the first count; each next one is of the next year. */
  readonly firstYear: number;
  readonly records: readonly number[];
  /** Records without dates, or with a timeframe that is longer than a year. */
  readonly withoutYear: number;
}

/** About what the count of a year takes in memory. */
const BYTES_PER_YEAR = 16;

/** Counts once for a release, in one pass over the codes of its periods: some 20 ms for a million records. */
export async function yearCountsOf(reader: ReleaseReader, caches: SearchCaches): Promise<YearCounts> {
  return caches.partOf<YearCounts>('years').remember(
    reader.facts.releaseId,
    async () => countYears(await periodColumnOf(reader, 'periods', caches)),
    ({ records }) => records.length * BYTES_PER_YEAR,
  );
}

/** By the year of D39, which a right has by its priority date. */
function countYears({ periods, codes }: PeriodColumn): YearCounts {
  const ofCodes = new Uint32Array(periods.length / 2);
  for (const code of codes) ofCodes[code] = (ofCodes[code] ?? 0) + 1;
  const byYear = new Map<number, number>();
  // Code 0 is that of records without dates.
  for (let code = 1; code < ofCodes.length; code++) {
    const year = yearOf(periods[2 * code] ?? 0, periods[2 * code + 1] ?? 0);
    if (year !== undefined) byYear.set(year, (byYear.get(year) ?? 0) + (ofCodes[code] ?? 0));
  }
  const years = [...byYear.keys()];
  const firstYear = years.reduce((first, year) => Math.min(first, year), Infinity);
  const lastYear = years.reduce((last, year) => Math.max(last, year), -Infinity);
  const length = years.length === 0 ? 0 : lastYear - firstYear + 1;
  const records = Array.from({ length }, (_, index) => byYear.get(firstYear + index) ?? 0);
  return { firstYear, records, withoutYear: codes.length - records.reduce((sum, count) => sum + count, 0) };
}
