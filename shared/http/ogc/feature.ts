// GET /ogc/collections/ID/items/FEATURE: one feature by its id, which is stable over releases (D48), as GeoJSON, as a
// page, and as JSON-LD where it has a page of its own (D49). It is found without reading others than may be it.

import { buildOrganizationCondition, buildTermCondition, type Condition, joinAll } from '../../query/condition';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { crs, type FeatureFormat, format } from '../../query/cql2/item-parameters';
import { PLACE_FIELDS } from '../../query/filter-fields';
import { RECORD_COUNT } from '../../query/page-parameters';
import { splitQuery } from '../../query/query-string';
import { QueryValues } from '../../query/query-values';
import { dataVersion } from '../../query/version-parameters';
import { dataSetLayouts } from '../../records/data-sets';
import { parseFeatureId } from '../../records/feature-ids';
import { type FeatureContext, writePlaceFeatures, writeRecordFeatures } from '../../render/features';
import { buildJsonLd, buildThingAddress, buildThingId, type GeoJsonFeature, JSON_LD_TYPE } from '../../render/json-ld';
import { readSlice } from '../../render/read-page';
import { readPlacePage } from '../../render/read-places';
import { evaluate } from '../../search/evaluate';
import { findRecordsWithDigest } from '../../search/index/release-index';
import { openReleases } from '../../search/open-releases';
import { openPlaceReleases } from '../../search/places/open-place-releases';
import { planPlaces } from '../../search/places/plan-places';
import type { CatalogState } from '../../store/catalog-types';
import { ReleaseGoneError, UnknownFormatError } from '../../store/port';
import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { DIGEST_NAME } from '../../values/digest';
import { numberAt } from '../../values/numbers';
import { getStateOutlines } from '../pages/charts-and-maps';
import { type FeatureMatch, readPlaceDetails, readRightDetails } from '../pages/feature-details';
import {
  type FeaturePageContext,
  framePage,
  framePageWithJsonLd,
  renderWithdrawnPage,
  type WrittenDocument,
} from '../pages/feature-frame';
import { renderPlacePage, renderRightPage } from '../pages/feature-pages';
import { getPageAddresses } from '../pages/page-files';
import { getPageAccess } from '../pipeline/authorize';
import { badParameters, featureGone, NO_FEATURE, type Problem, refuse } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import { documentRoute } from '../pipeline/routes';
import type { Service } from '../pipeline/service';
import {
  buildFormatLinks,
  GEOJSON_TYPE,
  getBaseUrl,
  getCollectionAddress,
  getFormatParameter,
  hasOwnPage,
  JSON_TYPE,
  negotiateFeatureFormat,
} from './addresses';
import { renderAmountPage } from './ogc-pages';

interface FeatureRequest {
  readonly collection: FeatureCollection;
  readonly id: string;
  readonly format: FeatureFormat;
  /** Pages and JSON-LD show degrees whatever it is. */
  readonly system: CoordinateSystem;
  readonly dataVersion: string | undefined;
  /** In front of `/ogc`. */
  readonly base: string;
  /** The address of the feature, without a form. */
  readonly address: string;
}

export function createFeatureRoute(collection: FeatureCollection, id: string, service: Service): Route {
  return documentRoute<FeatureRequest>({
    access: getPageAccess(service, 'key or allowance'),
    vary: 'Accept, Accept-Encoding',
    read: (httpRequest, text, service) => {
      const values = new QueryValues([crs, format, dataVersion], splitQuery(text), service.readingSettings);
      const system = values.readOne(crs) ?? CRS84;
      const requestedFormat =
        values.readOne(getFormatParameter(collection)) ?? negotiateFeatureFormat(httpRequest, collection);
      const version = values.readOne(dataVersion);
      if (values.errors.length > 0) return refuse(badParameters(values.errors));
      const base = getBaseUrl(httpRequest, service);
      const address = buildThingAddress(id, { base, collection: collection.id });
      return {
        kind: 'read',
        query: { collection, id, format: requestedFormat, system, dataVersion: version, base, address },
      };
    },
    write: async (request, state, service) => {
      const match = await findFeature(request, state, service);
      if (match === undefined) return refuse(await explainMissing(request, state, service));
      const { body, contentType, ...document } = await writeDocument(match, request, state, service);
      const headers = { 'Content-Crs': `<${request.system.uri}>`, ...document.headers };
      return { body, contentType, tagSource: body, count: 1, entries: [match.release.entry], headers, records: 1 };
    },
  });
}

/** What was withdrawn is gone, and its last release is named (D49): for people, as a page (D57). */
async function explainMissing(request: FeatureRequest, state: CatalogState, service: Service): Promise<Problem> {
  const previous = await findPreviousFeature(request, state, service);
  if (previous === undefined) return NO_FEATURE;
  const { entry, reader } = previous.release;
  const { releaseId: release, publishedAt } = entry;
  const problem = { ...featureGone(release), headers: { Vary: 'Accept, Accept-Encoding' } };
  if (request.format !== 'html') return problem;
  const feature = JSON.parse(previous.text) as GeoJsonFeature; // It was written a moment ago.
  const address = `${request.address}?f=html&DataVersion=${previous.version}`;
  const lastRelease = { organization: reader.facts.organization, release, publishedAt, address };
  const { body, headers } = framePage(
    renderWithdrawnPage(feature, lastRelease, getPageAddresses(service).base),
    service,
  );
  return { ...problem, page: body, headers: { ...problem.headers, ...headers } };
}

async function writeDocument(
  match: FeatureMatch,
  { collection, format, base, address }: FeatureRequest,
  state: CatalogState,
  service: Service,
): Promise<WrittenDocument> {
  if (format === 'json') {
    const links = [
      ...buildFormatLinks(address, 'json', GEOJSON_TYPE),
      ...(hasOwnPage(collection) ? [{ rel: 'alternate', type: JSON_LD_TYPE, href: `${address}?f=jsonld` }] : []),
      { rel: 'collection', type: JSON_TYPE, href: getCollectionAddress(address) },
    ];
    const body = `${match.text.slice(0, -1)},"links":${JSON.stringify(links)}}`;
    return { body, contentType: GEOJSON_TYPE, headers: {} };
  }
  const feature = JSON.parse(match.text) as GeoJsonFeature; // It was written a moment ago.
  const { reader, entry } = match.release;
  const { organization, statement: terms } = reader.facts;
  const statement = { ...terms, organization, release: entry.releaseId, publishedAt: entry.publishedAt };
  const location = { base, collection: collection.id, idPattern: service.linkedDataId };
  const jsonLd = buildJsonLd(feature, location, statement);
  if (format === 'jsonld') return { body: JSON.stringify(jsonLd), contentType: JSON_LD_TYPE, headers: {} };
  if (!hasOwnPage(collection)) return renderAmountPage(collection, feature, address, service);
  const context: FeaturePageContext = {
    feature,
    address,
    id: buildThingId(feature.id, location),
    statement,
    version: state.version,
    base: getPageAddresses(service).base,
    states: getStateOutlines(service.caches),
  };
  const page =
    collection.featureKind === 'WaterAllocations'
      ? renderRightPage(await readRightDetails(match, state, service), context)
      : renderPlacePage(await readPlaceDetails(match, state, service), context);
  return framePageWithJsonLd(page, address, jsonLd, service);
}

function findFeature(
  request: FeatureRequest,
  state: CatalogState,
  service: Service,
): Promise<FeatureMatch | undefined> {
  return request.collection.operation.kind === 'places'
    ? findPlace(request, state, service)
    : findRecord(request, state, service);
}

/** The feature as the last release that had it and is still held has it (D49); undefined where none had it. */
async function findPreviousFeature(
  request: FeatureRequest,
  state: CatalogState,
  service: Service,
): Promise<(FeatureMatch & { readonly version: string }) | undefined> {
  const searchedReleases = new Set(state.entries.map(({ releaseId }) => releaseId));
  for (const previous of await service.store.history()) {
    const entries = previous.entries.filter(({ releaseId }) => !searchedReleases.has(releaseId));
    for (const { releaseId } of entries) searchedReleases.add(releaseId);
    if (entries.length === 0) continue;
    try {
      const match = await findFeature(request, { ...previous, entries }, service);
      if (match !== undefined) return { ...match, version: previous.version };
    } catch (error) {
      // A former release may be deleted at any time, and is then as if it had never been.
      if (!(error instanceof ReleaseGoneError || error instanceof UnknownFormatError)) throw error;
    }
  }
  return undefined;
}

/** How the text of a feature is written. */
function buildContext({ format, system }: FeatureRequest, { caches }: Service): FeatureContext {
  return { system: format === 'json' ? system : CRS84, caches };
}

/** Identifiers are compared folded, so that others may be found besides. */
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
  if (read.kind !== 'texts') throw new Error('a place that no bound refuses was refused');
  for (const [index, slice] of read.slices.entries()) {
    const features = [...writePlaceFeatures(placeKind, slice, buildContext(request, service))];
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
      // Terms are folded and digests cut off, so that others may have been found besides.
      for (const [position, { id, text }] of [
        ...writeRecordFeatures(dataSet, slice, buildContext(request, service)),
      ].entries()) {
        if (id === request.id) return { text, release, number: numberAt(numbers, position), releases, condition };
      }
    }
  }
  return undefined;
}

/** The searches that may find the feature, one after the other; without any it is found by the digest of its key. */
function listIdConditions({ collection }: FeatureRequest, localId: string): readonly (readonly Condition[])[] {
  if (collection.operation.dataSet !== 'WaterAllocations') return DIGEST_NAME.test(localId) ? [[]] : [];
  return [[buildTermCondition('allocationUuid', [localId])], [buildTermCondition('allocationNativeId', [localId])]];
}
