// The forms of a feature: GeoJSON, a page, and for sites, units and rights JSON-LD (D49).

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import type { FeatureForm } from '../../query/cql2/item-parameters';
import { jsonLdOf, JSON_LD_TYPE, type ShownFeature } from '../../render/json-ld';
import type { CatalogState } from '../../store/catalog-types';
import { readPlaceDetails, readRightDetails } from '../pages/feature-details';
import { framedFeature, type PageText, type ShownPage, type WrittenForm } from '../pages/feature-frame';
import { pageOfPlace, pageOfRight } from '../pages/feature-pages';
import { stateOutlines } from '../pages/maps';
import { pageAddresses } from '../pages/page-files';
import type { Service } from '../service';
import { GEOJSON_TYPE } from './addresses';
import type { FoundFeature } from './find-feature';
import { hasOwnPage } from './forms';
import { amountPage } from './ogc-pages';

interface WrittenFeature {
  readonly collection: FeatureCollection;
  readonly shown: FeatureForm;
  /** The address of the feature, without a form. */
  readonly address: string;
  readonly found: FoundFeature;
  readonly state: CatalogState;
}

/** `text` is the feature as GeoJSON. */
export async function writeForm(text: string, written: WrittenFeature, service: Service): Promise<WrittenForm> {
  const { collection, shown, address, found, state } = written;
  if (shown === 'json') return { body: text, contentType: GEOJSON_TYPE, headers: {} };
  const feature = JSON.parse(text) as ShownFeature; // It was written a moment ago.
  const { reader, entry } = found.release;
  const { releaseId: release, publishedAt } = entry;
  const statement = { ...reader.facts.statement, release, publishedAt };
  const jsonLd = jsonLdOf(feature, address, statement);
  if (shown === 'jsonld') return { body: JSON.stringify(jsonLd), contentType: JSON_LD_TYPE, headers: {} };
  if (!hasOwnPage(collection)) return amountPage(collection, feature, address, service);
  const { base } = pageAddresses(service);
  const shownPage = {
    feature,
    address,
    statement,
    version: state.version,
    base,
    states: stateOutlines(service.caches),
  };
  return framedFeature(await featurePage(shownPage, written, service), address, jsonLd, service);
}

async function featurePage(
  shown: ShownPage,
  { collection, found, state }: WrittenFeature,
  service: Service,
): Promise<PageText> {
  const { id } = shown.feature;
  return collection.featureKind === 'WaterAllocations'
    ? pageOfRight(await readRightDetails(id, found.release, state, service), shown)
    : pageOfPlace(await readPlaceDetails(id, found.release, state, service), shown);
}
