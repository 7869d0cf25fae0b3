// The features of a collection are what the operation behind it finds: records, or places (D42, D43, D47).

import { readPage, type ChooseLookups, type PageBounds, type PageTexts, type SliceTexts } from '../../render/read-page';
import { lookupsOfFeatures, placeFeatures, recordFeatures, type FeatureContext, type FeatureText } from '../../render/features';
import { readPlacePage } from '../../render/read-places';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { openPlaceReleases, planPlaces } from '../../search/places/plan-places';
import { dataSetLayouts } from '../../records/data-sets';
import { openReleases, planPage, type Page, type ReadRelease } from '../../search/plan-page';
import type { SearchCaches, SearchContext } from '../../search/index/search-caches';
import type { CatalogState } from '../../store/catalog-types';
import type { Condition } from '../../query/condition';

/** A page of features before its texts are read. */
export interface PlannedFeatures {
  /** Over all pages. */
  readonly total: number;
  readonly read: (bounds: PageBounds) => Promise<PageTexts>;
}

/** The releases that can have features of an answer. Throws as openReleases does. */
export function openCollection(
  { operation }: FeatureCollection,
  state: CatalogState,
  condition: Condition,
  context: SearchContext,
): Promise<readonly ReadRelease[]> {
  const { kind, dataSet } = operation;
  if (kind === 'places') return openPlaceReleases(context, state, dataSetLayouts[dataSet].placeKind, condition);
  return openReleases(context, state, dataSet, condition);
}

/** `releases` are those of `openCollection`. Throws as planPage does. */
export async function planFeatures(
  { operation }: FeatureCollection,
  releases: readonly ReadRelease[],
  { condition, ...page }: Page & { readonly condition: Condition },
  caches: SearchCaches,
): Promise<PlannedFeatures> {
  if (operation.kind === 'places') {
    const { total, slices } = await planPlaces(releases, condition, page, caches);
    return { total, read: (bounds) => readPlacePage(slices, bounds) };
  }
  const { total, slices } = await planPage(releases, condition, page, caches);
  const choose: ChooseLookups = (reader, kind, numbers) => lookupsOfFeatures(reader, kind, numbers, caches);
  return { total, read: (bounds) => readPage(slices, bounds, choose) };
}

/** The features of a slice that a page of the collection read. */
export function featuresOf(
  { operation }: FeatureCollection,
  slice: SliceTexts,
  form: FeatureContext,
): Iterable<FeatureText> {
  const { kind, dataSet } = operation;
  if (kind === 'places') return placeFeatures(dataSetLayouts[dataSet].placeKind, slice, form);
  return recordFeatures(dataSet, slice, form);
}
