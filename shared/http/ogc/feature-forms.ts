// The forms of a feature: GeoJSON, a page, and of things with a page of their own JSON-LD (D49).

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { form, thingForm, type FeatureForm, type ItemParameter } from '../../query/cql2/item-parameters';
import { jsonLdOf, JSON_LD_TYPE, type ShownFeature } from '../../answer/features/json-ld';
import { readPlace } from '../../things/place-thing';
import { readRight } from '../../things/right-thing';
import type { CatalogState } from '../../store/catalog-types';
import { readPreferences } from '../outcome/negotiation';
import { pageAddresses } from '../pages/page-files';
import { pagePolicy } from '../pages/page-outcome';
import type { AskedRequest, Service } from '../service';
import { pageOfPlace } from '../things/place-page';
import { pageOfRight } from '../things/right-page';
import { stateOutlines } from '../things/state-outlines';
import { framedThing, type ShownThing, type ThingPage } from '../things/thing-frame';
import { GEOJSON_TYPE } from './addresses';
import type { FoundFeature } from './find-feature';
import { negotiateForm } from './forms';
import type { WrittenForm } from './doors-frame';
import { amountPage } from './item-pages';

/** Things with a page of their own have JSON-LD as well. */
export function formParameter(collection: FeatureCollection): ItemParameter<FeatureForm> {
  return isThing(collection) ? thingForm : form;
}

export function wantedForm({ headers }: AskedRequest, collection: FeatureCollection): FeatureForm {
  const accept = headers.get('accept');
  const isJsonLd = readPreferences(accept ?? '').some(({ name, weight }) => name === JSON_LD_TYPE && weight > 0);
  return isJsonLd && isThing(collection) ? 'jsonld' : negotiateForm(accept);
}

/** Whether its features are sites, units or rights, which have a page and JSON-LD; amounts have neither. */
export function isThing({ featureKind }: FeatureCollection): boolean {
  return featureKind !== 'SiteVariableAmounts' && featureKind !== 'AggregatedAmounts';
}

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
  if (!isThing(collection)) return amountPage(collection, feature, address, service);
  const addresses = pageAddresses(service);
  const states = stateOutlines(service.caches);
  const thing = { feature, address, statement, version: state.version, base: addresses.base, states };
  const page = framedThing(await thingPage(thing, written, service), { ...thing, jsonLd }, addresses);
  const headers = { 'Content-Security-Policy': pagePolicy() };
  return { body: page.text, contentType: 'text/html; charset=utf-8', headers };
}

async function thingPage(
  shown: ShownThing,
  { collection, found, state }: WrittenFeature,
  service: Service,
): Promise<ThingPage> {
  const { id } = shown.feature;
  const { featureKind } = collection;
  if (featureKind === 'Sites' || featureKind === 'ReportingUnits') {
    return pageOfPlace(await readPlace(featureKind, id, state, service), shown);
  }
  return pageOfRight(await readRight(id, found.release, state, service), shown);
}
