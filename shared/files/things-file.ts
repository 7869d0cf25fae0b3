// `things.jsonl.gz` of a release (D58): a line of JSON-LD for each of its sites, reporting units or rights, the same as
// the page of each has, for harvesters that take all of them at once.

import { EVERYTHING } from '../query/condition';
import { dataSetLayouts } from '../records/data-sets';
import { type FeatureText, lookupsOfFeatures, placeFeatures, recordFeatures } from '../render/features';
import { jsonLdOf, type ReleaseStatement, type ShownFeature, type ThingAddress } from '../render/json-ld';
import { type ChooseLookups, readSlice } from '../render/read-page';
import { readPlacePage } from '../render/read-places';
import { createSearchCaches } from '../search/index/search-caches';
import { planPlaces } from '../search/places/plan-places';
import type { ReadRelease } from '../search/plan-page';
import type { CatalogEntry } from '../store/catalog-types';
import { CRS84 } from '../values/coordinate-systems';
import { digestNameOf } from '../values/digest';
import { type FileSink, GzipText } from './records-files';

/** Where the pages are, and what linked data know their things by: settings. */
export type ThingAddresses = Pick<ThingAddress, 'base' | 'idPattern'>;

/** Places may have polygons of megabytes, and rights some thousand sites. */
const THINGS_AT_ONCE = 200;

/** What places are counted by is read once. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** Stands for what the file follows from beside its release: another settings makes another file. */
export function thingsMadeFor({ base, idPattern }: ThingAddresses, { publishedAt }: CatalogEntry): string {
  return digestNameOf(JSON.stringify([base, idPattern, publishedAt]));
}

/** `isToStop` is asked between the lines, and the file is not whole when it says so. */
export async function writeThings(
  release: Pick<ReadRelease, 'entry' | 'reader'>,
  addresses: ThingAddresses,
  sink: FileSink,
  isToStop: () => boolean,
): Promise<void> {
  const { reader, entry } = release;
  const { organization, dataSet, statement: terms } = reader.facts;
  const { releaseId, publishedAt } = entry;
  const statement: ReleaseStatement = { ...terms, organization, release: releaseId, publishedAt };
  const { placeKind } = dataSetLayouts[dataSet];
  const isOfRights = dataSet === 'WaterAllocations';
  const collection = isOfRights ? 'allocations' : placeKind === 'Sites' ? 'sites' : 'reporting-units';
  const lines = new GzipText(sink);
  const searched = { ...release, caches: createSearchCaches(CACHE_BYTES) };
  for await (const { text } of isOfRights ? rightsOf(searched) : placesOf(searched)) {
    if (isToStop()) break;
    const feature = JSON.parse(text) as ShownFeature; // It was written a moment ago.
    const document = jsonLdOf(feature, { ...addresses, collection }, statement);
    await lines.write(`${JSON.stringify(document)}\n`);
  }
  await lines.finish();
}

async function* rightsOf({ reader, caches }: ReadRelease): AsyncIterable<FeatureText> {
  const { dataSet, records } = reader.facts;
  const choose: ChooseLookups = (from, kind, numbers) => lookupsOfFeatures(from, kind, numbers, caches);
  for (let from = 0; from < records; from += THINGS_AT_ONCE) {
    const length = Math.min(THINGS_AT_ONCE, records - from);
    const numbers = Uint32Array.from({ length }, (_, index) => from + index);
    const slice = await readSlice({ reader, numbers }, () => undefined, choose);
    yield* recordFeatures(dataSet, slice, { system: CRS84, caches });
  }
}

/** Those with records, as they are listed (D42). */
async function* placesOf(release: ReadRelease): AsyncIterable<FeatureText> {
  const { placeKind } = dataSetLayouts[release.reader.facts.dataSet];
  const form = { system: CRS84, caches: release.caches };
  for (let startIndex = 0; ; startIndex += THINGS_AT_ONCE) {
    const page = { startIndex, recordCount: THINGS_AT_ONCE };
    const { total, slices } = await planPlaces([release], EVERYTHING, page);
    const read = await readPlacePage(slices, { mostBytes: Infinity, reserve: () => true });
    if (read.kind !== 'texts') throw new Error('places that no bound refuses were refused');
    for (const slice of read.slices) yield* placeFeatures(placeKind, slice, form);
    if (startIndex + THINGS_AT_ONCE >= total) return;
  }
}
