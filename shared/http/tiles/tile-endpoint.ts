// A vector tile as an HTTP function (D50): key, query, state, then the answer that the client has, that was sent
// before, or that is made.

import type { TileCollection } from '../../query/tile-collections';
import { readTileRequest } from '../../query/cql2/read-items';
import type { OperationRequest } from '../../query/read-request';
import { openPlaceReleases } from '../../search/places/plan-places';
import { openReleases, type ReadRelease } from '../../search/plan-page';
import { resolveBoundary } from '../../search/resolve-boundary';
import type { CatalogState } from '../../store/catalog-types';
import { currentDeadline } from '../../store/deadline';
import { makeTile } from '../../tiles/make-tile';
import type { TileAddress } from '../../tiles/tile-grid';
import { keyHolderFunction } from '../access';
import { answerDigest, clientCopy, entityTag, lastModified } from '../conditional-requests';
import type { CachedAnswer } from '../memory/answer-cache';
import { answerFromState } from '../memory/request-queue';
import { linkHeader, termsLinks } from '../outcome/links';
import { encodeBody, negotiateCoding, type ContentCoding } from '../outcome/negotiation';
import { badParameters, refused, type HeaderFields, type Outcome } from '../outcome/outcome';
import type { AskedRequest, HttpFunction, Service } from '../service';
import { TILE_TYPE } from '../../values/media-types';
import { splitForm } from './form-parameter';

/** Where the tiles of a collection are, without a slash at either end. */
export function tilesRoute({ id }: TileCollection): string {
  return `ogc/collections/${id}/tiles`;
}

export function tileFunction(collection: TileCollection, address: TileAddress): HttpFunction {
  const declared = { name: collection.name, route: `${tilesRoute(collection)}/{*path}` };
  return keyHolderFunction(declared, (asked, query, service) => {
    const { items, errors } = splitForm(query, ['mvt']);
    const read = readTileRequest(collection, items, service.reading);
    if (!read.ok) return Promise.resolve(refused(badParameters([...read.errors, ...errors])));
    if (errors.length > 0) return Promise.resolve(refused(badParameters(errors)));
    return answerFromState(read.request.dataVersion, service, (state) => {
      currentDeadline().check();
      const { request, cluster } = read;
      return answerTile({ collection, address, request, cluster, asked, state }, service);
    });
  });
}

interface TileQuery {
  readonly collection: TileCollection;
  readonly address: TileAddress;
  readonly request: OperationRequest;
  readonly cluster: number;
  readonly asked: AskedRequest;
  readonly state: CatalogState;
}

async function answerTile(query: TileQuery, service: Service): Promise<Outcome> {
  const { asked, state } = query;
  const condition = await resolveBoundary(service, state, query.request.condition);
  // No place is there whose geometry could be the boundary, so nothing matches.
  const request = { ...query.request, condition: condition ?? query.request.condition };
  const releases = condition === undefined ? [] : await releasesOf({ ...query, request }, service);
  const coding = negotiateCoding(asked.headers.get('accept-encoding'));
  const digest = digestOf({ ...query, request }, releases, coding);
  const copy = clientCopy(asked.headers, digest, state);
  const headersFor = (total: number): HeaderFields => headersOf(releases, digest, total, { state, service });
  if (copy !== undefined) return { kind: 'not modified', headers: headersFor(copy.total ?? 0) };
  const known = service.answers.find(digest);
  if (known === undefined) service.metrics.searched();
  else service.metrics.sentAgain();
  const tile = known ?? (await makeBody({ ...query, request }, releases, { digest, coding }, service));
  const headers = headersFor(tile.total);
  if (tile.body.length === 0) return { kind: 'no content', headers };
  return { kind: 'answer', body: tile.body, contentType: TILE_TYPE, headers: { ...headers, ...tile.headers } };
}

function releasesOf({ collection, request, state }: TileQuery, service: Service): Promise<readonly ReadRelease[]> {
  const { condition } = request;
  switch (collection.id) {
    case 'sites':
      return openPlaceReleases(service, state, 'Sites', condition);
    case 'reporting-units':
      return openPlaceReleases(service, state, 'ReportingUnits', condition);
    case 'allocations':
      return openReleases(service, state, 'WaterAllocations', condition);
  }
}

function digestOf(
  { collection, address, request, cluster }: TileQuery,
  releases: readonly ReadRelease[],
  coding: ContentCoding | undefined,
): string {
  const { zoom, row, column } = address;
  return answerDigest(collection, request, releases, [
    ...[`${zoom}/${row}/${column}`, coding ?? 'identity'],
    ...(cluster === 1 ? [] : [`cluster ${cluster}`]),
  ]);
}

/** An empty body stands for a tile without features. */
async function makeBody(
  { collection, address, request, cluster }: TileQuery,
  releases: readonly ReadRelease[],
  { digest, coding }: { readonly digest: string; readonly coding: ContentCoding | undefined },
  service: Service,
): Promise<CachedAnswer> {
  const asked = { collection: collection.id, address, condition: request.condition, cluster };
  const tile = await makeTile(asked, releases, service.caches);
  const { buffer, byteOffset, length } = tile?.body ?? new Uint8Array();
  const plain = Buffer.from(buffer, byteOffset, length);
  const answer = { ...(await encodeBody(plain, coding)), total: tile?.counted ?? 0, records: 0 };
  // The tiles of a map are asked for again and again, other than the pages of a walk.
  service.answers.keep(digest, answer);
  return answer;
}

function headersOf(
  releases: readonly ReadRelease[],
  digest: string,
  total: number,
  { state, service }: { readonly state: CatalogState; readonly service: Service },
): HeaderFields {
  const modified = lastModified(state, service.now());
  return {
    'Data-Version': state.version,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding',
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    ETag: entityTag(digest, total),
    ...linkHeader(termsLinks(releases.map(({ entry }) => entry))),
    'X-Total-Count': String(total),
  };
}
