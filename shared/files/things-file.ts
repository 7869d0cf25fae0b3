// `things.jsonl.gz` of a release (D58), for harvesters that read everything: one line of JSON-LD for each site,
// reporting unit or right, identical to the JSON-LD on its page.

import { EVERYTHING } from '../query/condition';
import { type DataSetKind, dataSetLayouts } from '../records/data-sets';
import { type FeatureSteps, type FeatureText, writePlaceFeatures, writeRecordFeatures } from '../render/features';
import { buildJsonLd, type GeoJsonFeature, type ReleaseStatement, type ThingLocation } from '../render/json-ld';
import { type ChooseLookups, readSlice } from '../render/read-page';
import { readPlacePage } from '../render/read-places';
import { selectFeatureLookups } from '../render/site-details';
import { createSearchCaches } from '../search/index/search-caches';
import type { CatalogRelease } from '../search/open-releases';
import { planPlaces } from '../search/places/plan-places';
import type { CatalogEntry } from '../store/catalog-types';
import { CRS84 } from '../values/coordinate-systems';
import { digestContent } from '../values/digest';
import { GzipText } from './gzip-text';
import type { FileSink } from './sinks';

/** The settings that determine the addresses of pages and the ids in linked data. */
export type ThingAddressSettings = Pick<ThingLocation, 'base' | 'idPattern'>;

/** Small, because a polygon of a place can take megabytes, and a right can have thousands of sites. */
const THINGS_PER_READ = 200;

/** Room for the columns with the record counts of places, which are read once. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** A digest of the inputs of the file other than its release. If the settings differ, so does the file. */
export function digestThingsInputs({ base, idPattern }: ThingAddressSettings, { publishedAt }: CatalogEntry): string {
  return digestContent(JSON.stringify([base, idPattern, publishedAt]));
}

/** `shouldStop` is called between lines. The file is incomplete when it returns true. */
export async function writeThings(
  release: Pick<CatalogRelease, 'entry' | 'reader'>,
  addresses: ThingAddressSettings,
  sink: FileSink,
  shouldStop: () => boolean,
): Promise<void> {
  const { reader, entry } = release;
  const { organization, dataSet, statement: terms } = reader.facts;
  const { releaseId, publishedAt } = entry;
  const statement: ReleaseStatement = { ...terms, organization, release: releaseId, publishedAt };
  const hasRights = dataSet === 'WaterAllocations';
  const collection = findCollection(dataSet);
  const lines = new GzipText(sink);
  const cachedRelease = { ...release, caches: createSearchCaches(CACHE_BYTES) };
  for await (const { text } of hasRights ? readRights(cachedRelease) : readPlaces(cachedRelease)) {
    if (shouldStop()) break;
    const feature = JSON.parse(text) as GeoJsonFeature; // The text is GeoJSON that this program has just written.
    const document = buildJsonLd(feature, { ...addresses, collection }, statement);
    await lines.write(`${JSON.stringify(document)}\n`);
  }
  await lines.finish();
}

/** Finds the OGC API collection that contains the things of a data set. */
function findCollection(dataSet: DataSetKind): string {
  if (dataSet === 'WaterAllocations') return 'allocations';
  return dataSetLayouts[dataSet].placeKind === 'Sites' ? 'sites' : 'reporting-units';
}

async function* readRights({ reader, caches }: CatalogRelease): AsyncIterable<FeatureText> {
  const { dataSet, records } = reader.facts;
  const choose: ChooseLookups = (from, kind, numbers) => selectFeatureLookups(from, kind, numbers, caches);
  for (let from = 0; from < records; from += THINGS_PER_READ) {
    const length = Math.min(THINGS_PER_READ, records - from);
    const numbers = Uint32Array.from({ length }, (_, index) => from + index);
    const slice = await readSlice({ reader, numbers }, () => undefined, choose);
    yield* dropSteps(writeRecordFeatures(dataSet, slice, { system: CRS84, caches }));
  }
}

/** Reads only places with records, as lists of places do (D42). */
async function* readPlaces(release: CatalogRelease): AsyncIterable<FeatureText> {
  const { placeKind } = dataSetLayouts[release.reader.facts.dataSet];
  const context = { system: CRS84, caches: release.caches };
  for (let startIndex = 0; ; startIndex += THINGS_PER_READ) {
    const page = { startIndex, recordCount: THINGS_PER_READ };
    const { total, slices } = await planPlaces([release], EVERYTHING, page);
    const read = await readPlacePage(slices, { maxBytes: Infinity, reserve: () => true });
    if (read.kind !== 'texts') throw new Error('a list of places without a limit was refused');
    for (const slice of read.slices) yield* dropSteps(writePlaceFeatures(placeKind, slice, context));
    if (startIndex + THINGS_PER_READ >= total) return;
  }
}

/**
 * Skips the points at which other requests could run: files are written in a separate process, which answers no
 * requests.
 */
function* dropSteps(steps: FeatureSteps): Iterable<FeatureText> {
  for (const feature of steps) if (feature !== undefined) yield feature;
}
