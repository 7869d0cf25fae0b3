// GET /ogc/collections/ID/items/FEATURE: one feature by its id, which is stable over releases (D48).

import { readSlice } from '../../answer/page-texts';
import { recordsOfDigest } from '../../answer/key-digests';
import { featuresOf, ID_SEPARATOR } from '../../answer/write-features';
import type { FeatureCollection } from '../../ogc/collections';
import { crs, form } from '../../ogc/item-parameters';
import { filterTerm } from '../../query/filter-terms';
import { dataVersion } from '../../query/paging-and-format';
import { accessKey } from '../../query/parameter';
import { QueryValues, splitQuery } from '../../query/query-values';
import { openReleases, type ReadRelease } from '../../search/plan-page';
import { searchRelease } from '../../search/search-release';
import { criteriaKey, type Criteria } from '../../query/criteria';
import { CRS84, type CoordinateSystem } from '../../values/coordinate-systems';
import { DIGEST_NAME, digestNameOf } from '../../values/digest';
import { foldText } from '../../values/text';
import type { CatalogState } from '../../store/catalog-types';
import { entityTag, matchEntityTags } from '../conditional-requests';
import { answerFromState } from '../memory/request-queue';
import { linkHeader, termsLinks } from '../outcome/links';
import { encodeBody, negotiateCoding } from '../outcome/negotiation';
import { badParameters, NO_FEATURE, refused, type Outcome } from '../outcome/outcome';
import type { AskedRequest, Service } from '../service';
import { baseOf, formLinks, GEOJSON_TYPE } from './addresses';
import { negotiateForm } from './forms';
import { documentPage } from './item-pages';

const names = [crs, form, dataVersion, accessKey].map(({ name }) => name);
const spelledBy = new Map(names.map((name) => [name.toLowerCase(), name]));

/** The id of a path, decoded once; undefined for one that is none. */
export function readFeatureId(segment: string): string | undefined {
  try {
    const id = decodeURIComponent(segment);
    return id.includes(ID_SEPARATOR) ? id : undefined;
  } catch {
    return undefined;
  }
}

export function answerFeature(
  collection: FeatureCollection,
  id: string,
  { request, query }: { readonly request: AskedRequest; readonly query: string },
  service: Service,
): Promise<Outcome> {
  const values = new QueryValues({ spelledBy, spellings: names }, splitQuery(query), service.reading);
  const system = values.readOne(crs) ?? CRS84;
  const shown = values.readOne(form) ?? negotiateForm(request.headers.get('accept'));
  const version = values.readOne(dataVersion);
  if (values.errors.length > 0) return Promise.resolve(refused(badParameters(values.errors)));
  return answerFromState(version, service, async (state) => {
    const found = await findFeature({ collection, id, system }, state, service);
    if (found === undefined) return refused(NO_FEATURE);
    const collectionAddress = `${baseOf(request, service)}/ogc/collections/${collection.id}`;
    const address = `${collectionAddress}/items/${encodeURIComponent(id)}`;
    const links = [
      ...formLinks(address, shown, GEOJSON_TYPE),
      { rel: 'collection', type: 'application/json', href: collectionAddress },
    ];
    const text = `${found.open},"links":${JSON.stringify(links)}}`;
    const written =
      shown === 'html'
        ? documentPage(id, JSON.parse(text) as object, service)
        : { body: text, contentType: GEOJSON_TYPE, headers: {} };
    const coding = negotiateCoding(request.headers.get('accept-encoding'));
    const digest = digestNameOf(JSON.stringify([written.body, coding ?? 'identity']));
    const headers = {
      'Data-Version': state.version,
      'Cache-Control': 'private, no-cache',
      Vary: 'Accept, Accept-Encoding',
      ETag: entityTag(digest, 1),
      'Content-Crs': `<${system.uri}>`,
      ...linkHeader(termsLinks([found.release.entry])),
      ...written.headers,
    };
    if (matchEntityTags(request.headers.get('if-none-match') ?? '', digest) !== undefined) {
      return { kind: 'not modified', headers };
    }
    const coded = await encodeBody(Buffer.from(written.body), coding);
    const { contentType } = written;
    return { kind: 'answer', body: coded.body, contentType, headers: { ...headers, ...coded.headers }, records: 1 };
  });
}

interface WantedFeature {
  readonly collection: FeatureCollection;
  readonly id: string;
  readonly system: CoordinateSystem;
}

interface FoundFeature {
  readonly open: string;
  readonly release: ReadRelease;
}

async function findFeature(
  wanted: WantedFeature,
  state: CatalogState,
  service: Service,
): Promise<FoundFeature | undefined> {
  const { collection, id, system } = wanted;
  const { dataSet } = collection.operation;
  const separator = id.indexOf(ID_SEPARATOR);
  const [organization, own] = [id.slice(0, separator), id.slice(separator + 1)];
  for (const terms of termsOf(wanted, own)) {
    const criteria: Criteria = { terms, period: {}, organizations: [foldText(organization)] };
    for (const release of await openReleases(service, state, dataSet, criteria)) {
      const { reader } = release;
      const found =
        terms.length > 0
          ? (await searchRelease(release, criteria, criteriaKey(criteria), service.caches)).numbers()
          : await recordsOfDigest(reader, own, service.caches);
      if (found.length === 0) continue;
      const slice = await readSlice({ reader, numbers: found }, () => undefined);
      // Terms are folded and digests cut off, so that others may have been found besides.
      for (const feature of featuresOf(dataSet, slice, system)) {
        if (feature.id === id) return { open: feature.open, release };
      }
    }
  }
  return undefined;
}

/** The searches that may find the feature, one after the other; without terms it is found by the digest of its key. */
function termsOf({ collection }: WantedFeature, own: string): readonly Criteria['terms'][] {
  if (collection.operation.dataSet !== 'WaterAllocations') return DIGEST_NAME.test(own) ? [[]] : [];
  return [[[filterTerm('allocationUuid', own)]], [[filterTerm('allocationNativeId', own)]]];
}
