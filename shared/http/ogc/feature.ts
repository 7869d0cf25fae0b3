// GET /ogc/collections/ID/items/FEATURE: one feature by its id, which is stable over releases (D48).

import { isFeatureId } from '../../render/feature-ids';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import { crs, form } from '../../query/cql2/item-parameters';
import { JSON_LD_TYPE } from '../../render/json-ld';
import { dataVersion } from '../../query/paging-and-format';
import { accessKey } from '../../query/parameter';
import { QueryValues, splitQuery } from '../../query/query-values';
import { CRS84 } from '../../values/coordinate-systems';
import { digestNameOf } from '../../values/digest';
import { entityTag, matchEntityTags } from '../conditional-requests';
import { answerFromState } from '../memory/request-queue';
import { linkHeader, termsLinks } from '../outcome/links';
import { encodeBody, negotiateCoding } from '../outcome/negotiation';
import { badParameters, featureGone, NO_FEATURE, refused, type Outcome } from '../outcome/outcome';
import type { AskedRequest, Service } from '../service';
import { baseOf, formLinks, GEOJSON_TYPE } from './addresses';
import { writeForm } from './feature-forms';
import { findFeature, formerReleaseOf } from './find-feature';
import { formParameter, hasOwnPage, wantedForm } from './forms';

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

export function answerFeature(
  collection: FeatureCollection,
  id: string,
  { request, query }: { readonly request: AskedRequest; readonly query: string },
  service: Service,
): Promise<Outcome> {
  const values = new QueryValues({ spelledBy, spellings: names }, splitQuery(query), service.reading);
  const system = values.readOne(crs) ?? CRS84;
  const shown = values.readOne(formParameter(collection)) ?? wantedForm(request, collection);
  const version = values.readOne(dataVersion);
  if (values.errors.length > 0) return Promise.resolve(refused(badParameters(values.errors)));
  return answerFromState(version, service, async (state) => {
    // Pages and JSON-LD show degrees.
    const wanted = { collection, id, system: shown === 'json' ? system : CRS84 };
    const found = await findFeature(wanted, state, service);
    if (found === undefined) {
      // What was withdrawn is gone, and its last release is named (D49).
      const former = await formerReleaseOf(wanted, state, service);
      return refused(former === undefined ? NO_FEATURE : featureGone(former));
    }
    const collectionAddress = `${baseOf(request, service)}/ogc/collections/${collection.id}`;
    const address = `${collectionAddress}/items/${encodeURIComponent(id)}`;
    const links = [
      ...formLinks(address, shown === 'html' ? 'html' : 'json', GEOJSON_TYPE),
      ...(hasOwnPage(collection) ? [{ rel: 'alternate', type: JSON_LD_TYPE, href: `${address}?f=jsonld` }] : []),
      { rel: 'collection', type: 'application/json', href: collectionAddress },
    ];
    const text = `${found.text.slice(0, -1)},"links":${JSON.stringify(links)}}`;
    const written = await writeForm(text, { collection, shown, address, found, state }, service);
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
