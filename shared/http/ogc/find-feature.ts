// Finds one feature by its id, which is stable over releases (D48), without reading others than may be it.

import { featureIdParts } from '../../render/feature-ids';
import { readSlice } from '../../render/read-page';
import { placeFeatures, recordFeatures } from '../../render/features';
import { readPlacePage } from '../../render/read-places';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { openPlaceReleases, planPlaces } from '../../search/places/plan-places';
import { allOf, isOfOrganization, isOneOf, type Condition } from '../../query/condition';
import { evaluate } from '../../search/evaluate';
import { PLACE_FIELDS } from '../../query/text-filters';
import { RECORD_COUNT } from '../../query/paging-and-format';
import { dataSetLayouts } from '../../records/data-sets';
import { openReleases, type ReadRelease } from '../../search/plan-page';
import { recordsWithDigest } from '../../search/index/release-index';
import type { CatalogState } from '../../store/catalog-types';
import { ReleaseGoneError, UnknownFormatError } from '../../store/port';
import type { CoordinateSystem } from '../../values/coordinate-systems';
import { DIGEST_NAME } from '../../values/digest';
import type { Service } from '../pipeline/service';

export interface WantedFeature {
  readonly collection: FeatureCollection;
  readonly id: string;
  readonly system: CoordinateSystem;
}

export interface FoundFeature {
  /** As JSON. */
  readonly text: string;
  readonly release: ReadRelease;
}

export function findFeature(
  wanted: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<FoundFeature | undefined> {
  return wanted.collection.operation.kind === 'places'
    ? findPlace(wanted, state, service)
    : findRecord(wanted, state, service);
}

/** A feature that is not published any more, and the data version that had it last. */
export interface FormerFeature extends FoundFeature {
  readonly version: string;
}

/** The feature as the last release that had it and is still held has it (D49); undefined where none had it. */
export async function findFormerFeature(
  wanted: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<FormerFeature | undefined> {
  const looked = new Set(state.entries.map(({ releaseId }) => releaseId));
  for (const former of await service.store.history()) {
    const entries = former.entries.filter(({ releaseId }) => !looked.has(releaseId));
    for (const { releaseId } of entries) looked.add(releaseId);
    if (entries.length === 0) continue;
    const found = await findInFormer(wanted, { ...former, entries }, service);
    if (found !== undefined) return { ...found, version: former.version };
  }
  return undefined;
}

/** A former release may be deleted at any time, and is then as if it had never been. */
async function findInFormer(
  wanted: WantedFeature,
  former: CatalogState,
  service: Service,
): Promise<FoundFeature | undefined> {
  try {
    return await findFeature(wanted, former, service);
  } catch (error) {
    if (error instanceof ReleaseGoneError || error instanceof UnknownFormatError) return undefined;
    throw error;
  }
}

/** Identifiers are compared folded, so that others may be found besides. */
async function findPlace(
  { collection, id, system }: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<FoundFeature | undefined> {
  const { placeKind } = dataSetLayouts[collection.operation.dataSet];
  const { organization, own } = featureIdParts(id);
  const condition = allOf([isOneOf(PLACE_FIELDS[placeKind], [own]), isOfOrganization([organization])]);
  const releases = await openPlaceReleases(service, state, placeKind, condition);
  const page = { startIndex: 0, recordCount: RECORD_COUNT.maximum };
  const { slices } = await planPlaces(releases, condition, page);
  const read = await readPlacePage(slices, { mostBytes: Infinity, reserve: () => true });
  if (read.kind !== 'texts') throw new Error('a place that no bound refuses was refused');
  for (const [index, slice] of read.slices.entries()) {
    const features = placeFeatures(placeKind, slice, { system, caches: service.caches });
    for (const [place, { id: featureId, text }] of [...features].entries()) {
      const reader = slices[index]?.places[place]?.reader;
      const release = releases.find((one) => one.reader === reader);
      if (featureId === id && release !== undefined) return { text, release };
    }
  }
  return undefined;
}

async function findRecord(
  wanted: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<FoundFeature | undefined> {
  const { collection, id, system } = wanted;
  const { dataSet } = collection.operation;
  const { organization, own } = featureIdParts(id);
  for (const identified of conditionsOf(wanted, own)) {
    const condition = allOf([isOfOrganization([organization]), ...identified]);
    for (const release of await openReleases(service, state, dataSet, condition)) {
      const { reader } = release;
      const found =
        identified.length > 0 ? (await evaluate(condition, release)).numbers() : await recordsWithDigest(release, own);
      if (found.length === 0) continue;
      const slice = await readSlice({ reader, numbers: found }, () => undefined);
      // Terms are folded and digests cut off, so that others may have been found besides.
      for (const feature of recordFeatures(dataSet, slice, { system, caches: service.caches })) {
        if (feature.id === id) return { text: feature.text, release };
      }
    }
  }
  return undefined;
}

/** The searches that may find the feature, one after the other; without any it is found by the digest of its key. */
function conditionsOf({ collection }: WantedFeature, own: string): readonly (readonly Condition[])[] {
  if (collection.operation.dataSet !== 'WaterAllocations') return DIGEST_NAME.test(own) ? [[]] : [];
  return [[isOneOf('allocationUuid', [own])], [isOneOf('allocationNativeId', [own])]];
}
