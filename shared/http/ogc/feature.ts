// GET /ogc/collections/ID/items/FEATURE: one feature by its id, which is stable over releases (D48), as GeoJSON, as a
// page, and as JSON-LD where it has a page of its own (D49). It is found without reading others than may be it.

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { crs, type FeatureForm, form } from '../../query/cql2/item-parameters';
import { JSON_LD_TYPE, jsonLdOf, type ShownFeature, thingAddress, thingId } from '../../render/json-ld';
import { dataVersion, RECORD_COUNT } from '../../query/paging-and-format';
import { QueryValues, splitQuery } from '../../query/query-values';
import { featureIdParts, isFeatureId } from '../../render/feature-ids';
import type { CatalogState } from '../../store/catalog-types';
import { type CoordinateSystem, CRS84 } from '../../values/coordinate-systems';
import { readPlaceDetails, readRightDetails } from '../pages/feature-details';
import { framed, framedFeature, type ShownPage, withdrawnPage, type WrittenForm } from '../pages/feature-frame';
import { pageOfPlace, pageOfRight } from '../pages/feature-pages';
import { stateOutlines } from '../pages/charts-and-maps';
import { pageAddresses } from '../pages/page-files';
import { pageAccess } from '../pipeline/authorize';
import { badParameters, featureGone, NO_FEATURE, type Problem, refused } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import { documentRoute } from '../pipeline/routes';
import type { Service } from '../pipeline/service';
import { baseOf, formLinks, formParameter, GEOJSON_TYPE, hasOwnPage, JSON_TYPE, wantedForm } from './addresses';
import { amountPage } from './ogc-pages';
import { readSlice } from '../../render/read-page';
import { placeFeatures, recordFeatures } from '../../render/features';
import { readPlacePage } from '../../render/read-places';
import { openPlaceReleases, planPlaces } from '../../search/places/plan-places';
import { allOf, type Condition, isOfOrganization, isOneOf } from '../../query/condition';
import { evaluate } from '../../search/evaluate';
import { PLACE_FIELDS } from '../../query/text-filters';
import { dataSetLayouts } from '../../records/data-sets';
import { openReleases, type ReadRelease } from '../../search/plan-page';
import { recordsWithDigest } from '../../search/index/release-index';
import { ReleaseGoneError, UnknownFormatError } from '../../store/port';
import { DIGEST_NAME } from '../../values/digest';

/** The id of a path, decoded once; undefined for one that is none. */
export function readFeatureId(segment: string): string | undefined {
  try {
    const id = decodeURIComponent(segment);
    return isFeatureId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

interface FeatureQuery {
  readonly system: CoordinateSystem;
  readonly shown: FeatureForm;
  readonly dataVersion: string | undefined;
  /** In front of `/ogc`. */
  readonly base: string;
}

export function featureRoute(collection: FeatureCollection, id: string, service: Service): Route {
  return documentRoute<FeatureQuery>({
    access: pageAccess(service, 'key or allowance'),
    vary: 'Accept, Accept-Encoding',
    read: (asked, text, service) => {
      const values = new QueryValues([crs, form, dataVersion], splitQuery(text), service.reading);
      const system = values.readOne(crs) ?? CRS84;
      const shown = values.readOne(formParameter(collection)) ?? wantedForm(asked, collection);
      const version = values.readOne(dataVersion);
      if (values.errors.length > 0) return refused(badParameters(values.errors));
      return { kind: 'read', query: { system, shown, dataVersion: version, base: baseOf(asked, service) } };
    },
    write: async ({ system, shown, base }, state, service) => {
      // Pages and JSON-LD show degrees.
      const wanted = { collection, id, system: shown === 'json' ? system : CRS84 };
      const found = await findFeature(wanted, state, service);
      if (found === undefined) {
        const former = await findFormerFeature(wanted, state, service);
        return refused(former === undefined ? NO_FEATURE : goneProblem(former, { wanted, shown, base }, service));
      }
      const collectionAddress = `${base}/ogc/collections/${collection.id}`;
      const address = thingAddress(id, { base, collection: collection.id });
      const links = [
        ...formLinks(address, shown === 'html' ? 'html' : 'json', GEOJSON_TYPE),
        ...(hasOwnPage(collection) ? [{ rel: 'alternate', type: JSON_LD_TYPE, href: `${address}?f=jsonld` }] : []),
        { rel: 'collection', type: JSON_TYPE, href: collectionAddress },
      ];
      const text = `${found.text.slice(0, -1)},"links":${JSON.stringify(links)}}`;
      const { body, contentType, ...written } = await writeForm(
        text,
        { collection, shown, base, address, found, state },
        service,
      );
      const headers = { 'Content-Crs': `<${system.uri}>`, ...written.headers };
      const { entry } = found.release;
      return { body, contentType, tagged: body, count: 1, entries: [entry], headers, records: 1 };
    },
  });
}

/** What was withdrawn is gone, and its last release is named (D49): for people, as a page (D57). */
function goneProblem(
  { text, release, version }: FormerFeature,
  { wanted, shown, base }: Pick<FeatureQuery, 'shown' | 'base'> & { readonly wanted: WantedFeature },
  service: Service,
): Problem {
  const { releaseId, publishedAt } = release.entry;
  const problem = { ...featureGone(releaseId), headers: { Vary: 'Accept, Accept-Encoding' } };
  if (shown !== 'html') return problem;
  const feature = JSON.parse(text) as ShownFeature; // It was written a moment ago.
  const address = `${thingAddress(wanted.id, { base, collection: wanted.collection.id })}?f=html&DataVersion=${version}`;
  const former = { organization: release.reader.facts.organization, release: releaseId, publishedAt, address };
  const { body, headers } = framed(withdrawnPage(feature, former, pageAddresses(service).base), service);
  return { ...problem, page: body, headers: { ...problem.headers, ...headers } };
}

interface WrittenFeature {
  readonly collection: FeatureCollection;
  readonly shown: FeatureForm;
  /** In front of `/ogc`. */
  readonly base: string;
  /** The address of the feature, without a form. */
  readonly address: string;
  readonly found: FoundFeature;
  readonly state: CatalogState;
}

/** `text` is the feature as GeoJSON. */
async function writeForm(text: string, written: WrittenFeature, service: Service): Promise<WrittenForm> {
  const { collection, shown, base, address, found, state } = written;
  if (shown === 'json') return { body: text, contentType: GEOJSON_TYPE, headers: {} };
  const feature = JSON.parse(text) as ShownFeature; // It was written a moment ago.
  const { reader, entry } = found.release;
  const { releaseId: release, publishedAt } = entry;
  const { organization } = reader.facts;
  const statement = { ...reader.facts.statement, organization, release, publishedAt };
  const where = { base, collection: collection.id, idPattern: service.linkedDataId };
  const jsonLd = jsonLdOf(feature, where, statement);
  if (shown === 'jsonld') return { body: JSON.stringify(jsonLd), contentType: JSON_LD_TYPE, headers: {} };
  if (!hasOwnPage(collection)) return amountPage(collection, feature, address, service);
  const shownPage: ShownPage = {
    feature,
    address,
    id: thingId(feature.id, where),
    statement,
    version: state.version,
    base: pageAddresses(service).base,
    states: stateOutlines(service.caches),
  };
  const page =
    collection.featureKind === 'WaterAllocations'
      ? pageOfRight(await readRightDetails(feature.id, found.release, state, service), shownPage)
      : pageOfPlace(await readPlaceDetails(feature.id, found.release, state, service), shownPage);
  return framedFeature(page, address, jsonLd, service);
}

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

function findFeature(wanted: WantedFeature, state: CatalogState, service: Service): Promise<FoundFeature | undefined> {
  return wanted.collection.operation.kind === 'places'
    ? findPlace(wanted, state, service)
    : findRecord(wanted, state, service);
}

/** A feature that is not published any more, and the data version that had it last. */
export interface FormerFeature extends FoundFeature {
  readonly version: string;
}

/** The feature as the last release that had it and is still held has it (D49); undefined where none had it. */
async function findFormerFeature(
  wanted: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<FormerFeature | undefined> {
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
