// GET /ogc/collections/ID/items/FEATURE: one feature by its id, which is stable over releases (D48), as GeoJSON, as a
// page, and as JSON-LD where it has a page of its own (D49).

import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { crs, form, type FeatureForm } from '../../query/cql2/item-parameters';
import { jsonLdOf, JSON_LD_TYPE, thingAddress, thingId, type ShownFeature } from '../../render/json-ld';
import { dataVersion } from '../../query/paging-and-format';
import { accessKey } from '../../query/parameter';
import { QueryValues, splitQuery } from '../../query/query-values';
import { isFeatureId } from '../../render/feature-ids';
import type { CatalogState } from '../../store/catalog-types';
import { CRS84, type CoordinateSystem } from '../../values/coordinate-systems';
import { readPlaceDetails, readRightDetails } from '../pages/feature-details';
import { framed, framedFeature, withdrawnPage, type ShownPage, type WrittenForm } from '../pages/feature-frame';
import { pageOfPlace, pageOfRight } from '../pages/feature-pages';
import { stateOutlines } from '../pages/maps';
import { pageAddresses } from '../pages/page-files';
import { pageAccess } from '../pipeline/authorize';
import { badParameters, featureGone, NO_FEATURE, refused, type Problem } from '../pipeline/outcome';
import type { Route } from '../pipeline/pipeline';
import { documentRoute } from '../pipeline/routes';
import type { Service } from '../pipeline/service';
import { baseOf, formLinks, formParameter, GEOJSON_TYPE, hasOwnPage, JSON_TYPE, wantedForm } from './addresses';
import {
  findFeature,
  findFormerFeature,
  type FormerFeature,
  type FoundFeature,
  type WantedFeature,
} from './find-feature';
import { amountPage } from './ogc-pages';

const names = [crs, form, dataVersion, accessKey].map(({ name }) => name);
const spelledBy = new Map(names.map((name) => [name.toLowerCase(), name]));

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
      const values = new QueryValues({ spelledBy, spellings: names }, splitQuery(text), service.reading);
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
