// GET /ogc/collections/ID/items/FEATURE: one feature by its id, which is stable over releases (D48), as GeoJSON, as a
// page, and as JSON-LD where it has a page of its own (D49). It is found without reading others than may be it.

import { joinAll, type Condition, buildOrganizationCondition, buildTermCondition } from '../../query/condition';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { crs, type FeatureFormat, format } from '../../query/cql2/item-parameters';
import { dataVersion, RECORD_COUNT } from '../../query/paging-and-format';
import { QueryValues, splitQuery } from '../../query/query-values';
import { PLACE_FIELDS } from '../../query/filter-fields';
import { dataSetLayouts } from '../../records/data-sets';
import { parseFeatureId } from '../../records/feature-ids';
import { type FeatureContext, writePlaceFeatures, writeRecordFeatures } from '../../render/features';
import { buildJsonLd, buildThingAddress, buildThingId, type GeoJsonFeature, JSON_LD_TYPE } from '../../render/json-ld';
import { readSlice } from '../../render/read-page';
import { readPlacePage } from '../../render/read-places';
import { evaluate } from '../../search/evaluate';
import { findRecordsWithDigest } from '../../search/index/release-index';
import { openPlaceReleases, planPlaces } from '../../search/places/plan-places';
import { openReleases } from '../../search/plan-page';
import type { CatalogState } from '../../store/catalog-types';
import { ReleaseGoneError, UnknownFormatError } from '../../store/port';
import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { DIGEST_NAME } from '../../values/digest';
import { numberAt } from '../../values/numbers';
import { stateOutlines } from '../pages/charts-and-maps';
import { type FoundFeature, readPlaceDetails, readRightDetails } from '../pages/feature-details';
import { framed, framedFeature, type ShownPage, withdrawnPage, type WrittenForm } from '../pages/feature-frame';
import { pageOfPlace, pageOfRight } from '../pages/feature-pages';
import { pageAddresses } from '../pages/page-files';
import { getPageAccess } from '../pipeline/authorize';
import { badParameters, featureGone, NO_FEATURE, type Problem, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import { documentRoute } from '../pipeline/routes';
import type { Service } from '../pipeline/service';
import {
  baseOf,
  collectionOf,
  formLinks,
  formParameter,
  GEOJSON_TYPE,
  hasOwnPage,
  JSON_TYPE,
  wantedForm,
} from './addresses';
import { amountPage } from './ogc-pages';

interface WantedFeature {
  readonly collection: FeatureCollection;
  readonly id: string;
  readonly shown: FeatureFormat;
  /** Pages and JSON-LD show degrees whatever it is. */
  readonly system: CoordinateSystem;
  readonly dataVersion: string | undefined;
  /** In front of `/ogc`. */
  readonly base: string;
  /** The address of the feature, without a form. */
  readonly address: string;
}

export function featureRoute(collection: FeatureCollection, id: string, service: Service): Route {
  return documentRoute<WantedFeature>({
    access: getPageAccess(service, 'key or allowance'),
    vary: 'Accept, Accept-Encoding',
    read: (asked, text, service) => {
      const values = new QueryValues([crs, format, dataVersion], splitQuery(text), service.readingSettings);
      const system = values.readOne(crs) ?? CRS84;
      const shown = values.readOne(formParameter(collection)) ?? wantedForm(asked, collection);
      const version = values.readOne(dataVersion);
      if (values.errors.length > 0) return refuse(badParameters(values.errors));
      const base = baseOf(asked, service);
      const address = buildThingAddress(id, { base, collection: collection.id });
      return { kind: 'read', query: { collection, id, shown, system, dataVersion: version, base, address } };
    },
    write: async (wanted, state, service) => {
      const found = await findFeature(wanted, state, service);
      if (found === undefined) return refuse(await problemOf(wanted, state, service));
      const { body, contentType, ...written } = await writeForm(found, wanted, state, service);
      const headers = { 'Content-Crs': `<${wanted.system.uri}>`, ...written.headers };
      return { body, contentType, tagSource: body, count: 1, entries: [found.release.entry], headers, records: 1 };
    },
  });
}

/** What was withdrawn is gone, and its last release is named (D49): for people, as a page (D57). */
async function problemOf(wanted: WantedFeature, state: CatalogState, service: Service): Promise<Problem> {
  const former = await findFormerFeature(wanted, state, service);
  if (former === undefined) return NO_FEATURE;
  const { entry, reader } = former.release;
  const { releaseId: release, publishedAt } = entry;
  const problem = { ...featureGone(release), headers: { Vary: 'Accept, Accept-Encoding' } };
  if (wanted.shown !== 'html') return problem;
  const feature = JSON.parse(former.text) as GeoJsonFeature; // It was written a moment ago.
  const address = `${wanted.address}?f=html&DataVersion=${former.version}`;
  const lastRelease = { organization: reader.facts.organization, release, publishedAt, address };
  const { body, headers } = framed(withdrawnPage(feature, lastRelease, pageAddresses(service).base), service);
  return { ...problem, page: body, headers: { ...problem.headers, ...headers } };
}

async function writeForm(
  found: FoundFeature,
  { collection, shown, base, address }: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<WrittenForm> {
  if (shown === 'json') {
    const links = [
      ...formLinks(address, 'json', GEOJSON_TYPE),
      ...(hasOwnPage(collection) ? [{ rel: 'alternate', type: JSON_LD_TYPE, href: `${address}?f=jsonld` }] : []),
      { rel: 'collection', type: JSON_TYPE, href: collectionOf(address) },
    ];
    const body = `${found.text.slice(0, -1)},"links":${JSON.stringify(links)}}`;
    return { body, contentType: GEOJSON_TYPE, headers: {} };
  }
  const feature = JSON.parse(found.text) as GeoJsonFeature; // It was written a moment ago.
  const { reader, entry } = found.release;
  const { organization, statement: said } = reader.facts;
  const statement = { ...said, organization, release: entry.releaseId, publishedAt: entry.publishedAt };
  const where = { base, collection: collection.id, idPattern: service.linkedDataId };
  const jsonLd = buildJsonLd(feature, where, statement);
  if (shown === 'jsonld') return { body: JSON.stringify(jsonLd), contentType: JSON_LD_TYPE, headers: {} };
  if (!hasOwnPage(collection)) return amountPage(collection, feature, address, service);
  const shownPage: ShownPage = {
    feature,
    address,
    id: buildThingId(feature.id, where),
    statement,
    version: state.version,
    base: pageAddresses(service).base,
    states: stateOutlines(service.caches),
  };
  const page =
    collection.featureKind === 'WaterAllocations'
      ? pageOfRight(await readRightDetails(found, state, service), shownPage)
      : pageOfPlace(await readPlaceDetails(found, state, service), shownPage);
  return framedFeature(page, address, jsonLd, service);
}

function findFeature(wanted: WantedFeature, state: CatalogState, service: Service): Promise<FoundFeature | undefined> {
  return wanted.collection.operation.kind === 'places'
    ? findPlace(wanted, state, service)
    : findRecord(wanted, state, service);
}

/** The feature as the last release that had it and is still held has it (D49); undefined where none had it. */
async function findFormerFeature(
  wanted: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<(FoundFeature & { readonly version: string }) | undefined> {
  const looked = new Set(state.entries.map(({ releaseId }) => releaseId));
  for (const former of await service.store.history()) {
    const entries = former.entries.filter(({ releaseId }) => !looked.has(releaseId));
    for (const { releaseId } of entries) looked.add(releaseId);
    if (entries.length === 0) continue;
    try {
      const found = await findFeature(wanted, { ...former, entries }, service);
      if (found !== undefined) return { ...found, version: former.version };
    } catch (error) {
      // A former release may be deleted at any time, and is then as if it had never been.
      if (!(error instanceof ReleaseGoneError || error instanceof UnknownFormatError)) throw error;
    }
  }
  return undefined;
}

/** How the text of a feature is written. */
function contextOf({ shown, system }: WantedFeature, { caches }: Service): FeatureContext {
  return { system: shown === 'json' ? system : CRS84, caches };
}

/** Identifiers are compared folded, so that others may be found besides. */
async function findPlace(
  wanted: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<FoundFeature | undefined> {
  const { placeKind } = dataSetLayouts[wanted.collection.operation.dataSet];
  const { organization, localId } = parseFeatureId(wanted.id);
  const condition = joinAll([
    buildTermCondition(PLACE_FIELDS[placeKind], [localId]),
    buildOrganizationCondition([organization]),
  ]);
  const releases = await openPlaceReleases(service, state, placeKind, condition);
  const page = { startIndex: 0, recordCount: RECORD_COUNT.maximum };
  const { slices } = await planPlaces(releases, condition, page);
  const read = await readPlacePage(slices, { maxBytes: Infinity, reserve: () => true });
  if (read.kind !== 'texts') throw new Error('a place that no bound refuses was refused');
  for (const [index, slice] of read.slices.entries()) {
    const features = [...writePlaceFeatures(placeKind, slice, contextOf(wanted, service))];
    const at = features.findIndex(({ id }) => id === wanted.id);
    const feature = features[at];
    const place = slices[index]?.places[at];
    const release = releases.find(({ reader }) => reader === place?.reader);
    if (feature === undefined || place === undefined || release === undefined) continue;
    const { rank: number, allocations } = place;
    return { text: feature.text, release, number, releases, condition, allocations };
  }
  return undefined;
}

async function findRecord(
  wanted: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<FoundFeature | undefined> {
  const { dataSet } = wanted.collection.operation;
  const { organization, localId } = parseFeatureId(wanted.id);
  for (const identified of conditionsOf(wanted, localId)) {
    const condition = joinAll([buildOrganizationCondition([organization]), ...identified]);
    const releases = await openReleases(service, state, dataSet, condition);
    for (const release of releases) {
      const { reader } = release;
      const numbers =
        identified.length > 0
          ? (await evaluate(condition, release)).slice()
          : await findRecordsWithDigest(release, localId);
      if (numbers.length === 0) continue;
      const slice = await readSlice({ reader, numbers }, () => undefined);
      // Terms are folded and digests cut off, so that others may have been found besides.
      for (const [at, { id, text }] of [...writeRecordFeatures(dataSet, slice, contextOf(wanted, service))].entries()) {
        if (id === wanted.id) return { text, release, number: numberAt(numbers, at), releases, condition };
      }
    }
  }
  return undefined;
}

/** The searches that may find the feature, one after the other; without any it is found by the digest of its key. */
function conditionsOf({ collection }: WantedFeature, own: string): readonly (readonly Condition[])[] {
  if (collection.operation.dataSet !== 'WaterAllocations') return DIGEST_NAME.test(own) ? [[]] : [];
  return [[buildTermCondition('allocationUuid', [own])], [buildTermCondition('allocationNativeId', [own])]];
}
