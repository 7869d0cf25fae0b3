// Finds a feature by its id, which is stable across releases (D48), without reading other records.

import { buildOrganizationCondition, buildTermCondition, type Condition, joinAll } from '../../query/condition';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import type { FeatureFormat } from '../../query/cql2/item-parameters';
import { PLACE_FIELDS } from '../../query/filter-fields';
import { RECORD_COUNT } from '../../query/page-parameters';
import { DATA_SET_KINDS, type DataSetKind, dataSetLayouts } from '../../records/data-sets';
import { parseFeatureId } from '../../records/feature-ids';
import type { FeatureContext } from '../../render/feature-geometry';
import { collectFeatures, writePlaceFeatures, writeRecordFeatures } from '../../render/features';
import { readSlice } from '../../render/read-page';
import { readPlacePage } from '../../render/read-places';
import { evaluate } from '../../search/evaluate';
import { findRecordsWithDigest } from '../../search/index/release-index';
import { openReleases } from '../../search/open-releases';
import { openPlaceReleases } from '../../search/places/open-place-releases';
import { planPlaces } from '../../search/places/plan-places';
import { listPastReleases } from '../../search/release-history';
import type { CatalogState } from '../../store/catalog-types';
import { giveWayIfSliceOver } from '../../store/deadline';
import { ReleaseGoneError, UnknownFormatError } from '../../store/port';
import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { DIGEST_NAME } from '../../values/digest';
import { numberAt } from '../../values/number-arrays';
import type { FeatureMatch } from '../pages/features/feature-match';
import type { Service } from '../pipeline/service';

export interface FeatureRequest {
  readonly collection: FeatureCollection;
  readonly id: string;
  readonly format: FeatureFormat;
  /** Ignored by pages and JSON-LD, which always use degrees. */
  readonly system: CoordinateSystem;
  readonly dataVersion: string | undefined;
  /** The address before `/ogc`. */
  readonly base: string;
  /** The address of the feature, without a format. */
  readonly address: string;
}

export function findFeature(
  request: FeatureRequest,
  state: CatalogState,
  service: Service,
): Promise<FeatureMatch | undefined> {
  return request.collection.operation.kind === 'places'
    ? findPlace(request, state, service)
    : findRecord(request, state, service);
}

/**
 * The number of an organization's previous releases in which to look for a feature. Each release may require opening
 * two files, and a request for an unknown feature must not cost more than a request for an existing one.
 */
const MAX_SEARCHED_RELEASES = 20;

/**
 * Returns the feature from the latest previous release that contained it (D49). Searches up to `MAX_SEARCHED_RELEASES`
 * releases that are kept. Undefined if none of them contained the feature.
 */
export async function findPreviousFeature(
  request: FeatureRequest,
  currentState: CatalogState,
  service: Service,
): Promise<(FeatureMatch & { readonly version: string }) | undefined> {
  const { organization } = parseFeatureId(request.id);
  const searchedReleases = new Set(currentState.entries.map(({ releaseId }) => releaseId));
  const endSize = searchedReleases.size + MAX_SEARCHED_RELEASES;
  for (const { entry, state, deletedReleases } of await listPastReleases(
    service,
    organization,
    listDataSets(request),
  )) {
    if (searchedReleases.size === endSize) return undefined;
    if (searchedReleases.has(entry.releaseId)) continue;
    searchedReleases.add(entry.releaseId);
    if (deletedReleases.has(entry.releaseId)) continue;
    await giveWayIfSliceOver();
    try {
      const match = await findFeature(request, { ...state, entries: [entry] }, service);
      if (match !== undefined) return { ...match, version: state.version };
    } catch (error) {
      // A previous release may be deleted at any time. If so, it is skipped.
      if (!(error instanceof ReleaseGoneError || error instanceof UnknownFormatError)) throw error;
      deletedReleases.add(entry.releaseId);
    }
  }
  return undefined;
}

/** Lists the data sets that may contain features of the collection. */
function listDataSets({ collection: { operation } }: FeatureRequest): readonly DataSetKind[] {
  if (operation.kind !== 'places') return [operation.dataSet];
  const { placeKind } = dataSetLayouts[operation.dataSet];
  return DATA_SET_KINDS.filter((dataSet) => dataSetLayouts[dataSet].placeKind === placeKind);
}

/** Only GeoJSON can use another coordinate system. */
function buildContext({ format, system }: FeatureRequest, { caches }: Service): FeatureContext {
  return { system: format === 'json' ? system : CRS84, caches };
}

/** Finds a place. The search compares folded identifiers, so it may return more than the requested place. */
async function findPlace(
  request: FeatureRequest,
  state: CatalogState,
  service: Service,
): Promise<FeatureMatch | undefined> {
  const { placeKind } = dataSetLayouts[request.collection.operation.dataSet];
  const { organization, localId } = parseFeatureId(request.id);
  const condition = joinAll([
    buildTermCondition(PLACE_FIELDS[placeKind], [localId]),
    buildOrganizationCondition([organization]),
  ]);
  const releases = await openPlaceReleases(service, state, placeKind, condition);
  const page = { startIndex: 0, recordCount: RECORD_COUNT.maximum };
  const { slices } = await planPlaces(releases, condition, page);
  const read = await readPlacePage(slices, { maxBytes: Infinity, reserve: () => true });
  if (read.kind !== 'texts') throw new Error('a place without a limit was refused');
  for (const [index, slice] of read.slices.entries()) {
    const steps = writePlaceFeatures(placeKind, slice, buildContext(request, service));
    const features = await collectFeatures(steps);
    const position = features.findIndex(({ id }) => id === request.id);
    const feature = features[position];
    const place = slices[index]?.places[position];
    const release = releases.find(({ reader }) => reader === place?.reader);
    if (feature === undefined || place === undefined || release === undefined) continue;
    const { rank: number, allocations } = place;
    return { text: feature.text, release, number, releases, condition, allocations };
  }
  return undefined;
}

async function findRecord(
  request: FeatureRequest,
  state: CatalogState,
  service: Service,
): Promise<FeatureMatch | undefined> {
  const { dataSet } = request.collection.operation;
  const { organization, localId } = parseFeatureId(request.id);
  for (const idConditions of listIdConditions(request, localId)) {
    const condition = joinAll([buildOrganizationCondition([organization]), ...idConditions]);
    const releases = await openReleases(service, state, dataSet, condition);
    for (const release of releases) {
      const { reader } = release;
      const numbers =
        idConditions.length > 0
          ? (await evaluate(condition, release)).slice()
          : await findRecordsWithDigest(release, localId);
      if (numbers.length === 0) continue;
      const slice = await readSlice({ reader, numbers }, () => undefined);
      // The search compares folded terms and truncated digests, so it may return more than the requested record.
      const steps = writeRecordFeatures(dataSet, slice, buildContext(request, service));
      for (const [position, { id, text }] of (await collectFeatures(steps)).entries()) {
        if (id === request.id) return { text, release, number: numberAt(numbers, position), releases, condition };
      }
    }
  }
  return undefined;
}

/** Lists the conditions to try in turn. If one is empty, the record is looked up by the digest of its key. */
function listIdConditions({ collection }: FeatureRequest, localId: string): readonly (readonly Condition[])[] {
  if (collection.operation.dataSet !== 'WaterAllocations') return DIGEST_NAME.test(localId) ? [[]] : [];
  return [[buildTermCondition('allocationUuid', [localId])], [buildTermCondition('allocationNativeId', [localId])]];
}
