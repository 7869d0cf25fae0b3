// GET /sitemap.xml and /robots.txt: the addresses of all pages of sites, units and rights (D49), for search engines.
// The sitemap without a parameter is the index of its parts, each of one release; a part is made once for a release and
// stays in memory compressed (ADR 0090).

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { EVERYTHING } from '../../query/condition';
import { downloads } from '../../query/operations';
import type { Parameter } from '../../query/parameter';
import { splitQuery } from '../../query/query-string';
import { QueryValues } from '../../query/query-values';
import type { PlaceKind } from '../../records/data-sets';
import { buildFeatureId, buildRightId } from '../../records/feature-ids';
import { loadPlaceIdentifiers } from '../../search/index/release-index';
import type { SearchContext } from '../../search/index/search-caches';
import { type CatalogRelease, openReleases } from '../../search/open-releases';
import { openPlaceReleases } from '../../search/places/open-place-releases';
import { findMatchingPlaces } from '../../search/places/plan-places';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { giveWayIfSliceOver } from '../../store/deadline';
import { parseItems, type ReleaseReader } from '../../store/port';
import { digestContent } from '../../values/digest';
import { success } from '../../values/result';
import { answerFile, createContent } from '../pages/page';
import { getPageAddresses } from '../pages/page-files';
import { getQueryText } from '../pipeline/authorize';
import { formatEntityTag, matchEntityTags } from '../pipeline/conditional-requests';
import { readPreferences } from '../pipeline/negotiation';
import { badParameters, NO_SITEMAP_PART, type Outcome, refuse, UNKNOWN_PATH } from '../pipeline/outcome';
import { answerFromState } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';

/** The most that the protocol of sitemaps allows. */
const MAX_ADDRESSES = 50_000;

/** The addresses of some features of one release, which never changes; each feature stands in one part. */
interface SitemapPart {
  /** Stays the same as long as the release does. */
  readonly name: string;
  readonly collection: FeaturePageCollection;
  readonly entry: CatalogEntry;
  readonly readIds: () => Promise<readonly string[]>;
}

/** The collections whose features have pages. */
type FeaturePageCollection = 'sites' | 'reporting-units' | 'allocations';

const partParameter: Parameter<string> = {
  name: 'part',
  type: 'string',
  meaning: 'The name of a part, as the index links to it.',
  example: 'sites-0123456789abcdef-1',
  read: success,
};

/** Addresses in a sitemap are absolute, so there is one only where the service knows its own. */
export function answerSitemap(request: HttpRequest, service: Service): Promise<Outcome> {
  if (service.publicUrl === '') return Promise.resolve(refuse(UNKNOWN_PATH));
  const values = new QueryValues([partParameter], splitQuery(getQueryText(request)), service.readingSettings);
  const name = values.readOne(partParameter);
  if (values.errors.length > 0) return Promise.resolve(refuse(badParameters(values.errors)));
  return answerFromState(undefined, service, async (state) => {
    const compressed = await getDocument(name, state, service);
    return compressed === undefined ? refuse(NO_SITEMAP_PART) : answerCompressed(compressed, request, state);
  });
}

/** Undefined for a part that is not there, or not any more. */
async function getDocument(
  name: string | undefined,
  state: CatalogState,
  service: Service,
): Promise<Buffer | undefined> {
  const { caches, publicUrl } = service;
  const cache = caches.getCache<Buffer>('sitemap');
  // The day of a publish stands in the document, and may change where the release does not.
  const key = `${name ?? ''} ${digestContent(JSON.stringify([publicUrl, state.entries]))}`;
  const cachedDocument = cache.get(key);
  if (cachedDocument !== undefined) return cachedDocument;
  const parts = await listParts(service, state);
  const part = parts.find((part) => part.name === name);
  if (name !== undefined && part === undefined) return undefined;
  const text = part === undefined ? writeIndex(parts, publicUrl) : await writePart(part, publicUrl);
  const compressed = await promisify(gzip)(text);
  cache.set(key, compressed, compressed.length);
  return compressed;
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function writeIndex(parts: readonly SitemapPart[], publicUrl: string): string {
  const entries = parts.map(
    ({ name, entry }) =>
      `<sitemap>${writeLocation(`${publicUrl}/sitemap.xml?part=${encodeURIComponent(name)}`, entry)}</sitemap>`,
  );
  return writeDocument('sitemapindex', entries);
}

async function writePart({ collection, entry, readIds }: SitemapPart, publicUrl: string): Promise<string> {
  const items = `${publicUrl}/ogc/collections/${collection}/items`;
  const ids = await readIds();
  return writeDocument(
    'urlset',
    ids.map((id) => `<url>${writeLocation(`${items}/${encodeURIComponent(id)}`, entry)}</url>`),
  );
}

function writeLocation(address: string, { publishedAt }: CatalogEntry): string {
  const escaped = address.replaceAll('&', '&amp;').replaceAll("'", '&apos;');
  return `<loc>${escaped}</loc><lastmod>${publishedAt}</lastmod>`;
}

function writeDocument(root: string, entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${entries.join('\n')}\n</${root}>\n`;
}

async function answerCompressed(
  compressed: Buffer,
  { headers: sent }: HttpRequest,
  state: CatalogState,
): Promise<Outcome> {
  const takesGzip = readPreferences(sent.get('accept-encoding') ?? '').some(
    ({ name, weight }) => name === 'gzip' && weight > 0,
  );
  const digest = digestContent(`${compressed.toString('latin1')} ${String(takesGzip)}`);
  const headers = {
    'Data-Version': state.version,
    'Cache-Control': 'public, no-cache',
    Vary: 'Accept-Encoding',
    ETag: formatEntityTag(digest, compressed.length),
  };
  if (matchEntityTags(sent.get('if-none-match') ?? '', digest) !== undefined)
    return { kind: 'no body', status: 304, headers };
  const contentType = 'application/xml; charset=utf-8';
  if (!takesGzip) return { kind: 'answer', body: await promisify(gunzip)(compressed), contentType, headers };
  return { kind: 'answer', body: compressed, contentType, headers: { ...headers, 'Content-Encoding': 'gzip' } };
}

/** In the order of D17 within a collection. Throws as openReleases does. */
async function listParts(context: SearchContext, state: CatalogState): Promise<readonly SitemapPart[]> {
  const rights = await openReleases(context, state, 'WaterAllocations', EVERYTHING);
  return [
    ...(await listPlaceParts('Sites', context, state)),
    ...(await listPlaceParts('ReportingUnits', context, state)),
    ...rights.flatMap(({ reader, entry }) =>
      splitIntoParts('allocations', entry, reader.facts.records, (from, to) => readRightIds(reader, from, to)),
    ),
  ];
}

/** A site that amounts and rights of an organization hold stands in a part of the amounts (D42). */
async function listPlaceParts(
  placeKind: PlaceKind,
  context: SearchContext,
  state: CatalogState,
): Promise<readonly SitemapPart[]> {
  const collection = placeKind === 'Sites' ? 'sites' : 'reporting-units';
  const releases = await openPlaceReleases(context, state, placeKind, EVERYTHING);
  const matches = await findMatchingPlaces(releases, EVERYTHING);
  return matches.flatMap(({ release, ranks }) =>
    splitIntoParts(collection, release.entry, ranks.length, (from, to) =>
      readPlaceIds(release, ranks.subarray(from, to)),
    ),
  );
}

/** `readIds` reads the ids of the features from one index to before another. */
function splitIntoParts(
  collection: FeaturePageCollection,
  entry: CatalogEntry,
  count: number,
  readIds: (from: number, to: number) => Promise<readonly string[]>,
): readonly SitemapPart[] {
  return Array.from({ length: Math.ceil(count / MAX_ADDRESSES) }, (_, index) => ({
    name: `${collection}-${entry.releaseId}-${index + 1}`,
    collection,
    entry,
    readIds: () => readIds(index * MAX_ADDRESSES, (index + 1) * MAX_ADDRESSES),
  }));
}

async function readPlaceIds(release: CatalogRelease, ranks: Uint32Array): Promise<readonly string[]> {
  const names = await loadPlaceIdentifiers(release);
  const { OrganizationUUID: organization } = release.reader.facts.organization;
  return Array.from(ranks, (rank) => buildFeatureId(organization, names[rank] ?? ''));
}

/** So many rights are some megabytes of JSON. */
const RIGHTS_PER_READ = 1_000;

async function readRightIds(reader: ReleaseReader, from: number, to: number): Promise<readonly string[]> {
  const { facts } = reader;
  const { OrganizationUUID: organization } = facts.organization;
  const ids = new Set<string>();
  for (let first = from; first < Math.min(to, facts.records); first += RIGHTS_PER_READ) {
    await giveWayIfSliceOver();
    const count = Math.min(RIGHTS_PER_READ, to - first, facts.records - first);
    const texts = await reader.texts(
      'records',
      Uint32Array.from({ length: count }, (_, index) => first + index),
    );
    for (const record of parseItems(texts)) ids.add(buildRightId(organization, record));
  }
  return [...ids];
}

/** GET /robots.txt (RFC 9309): crawlers may follow the pages of features where these need no key, and never queries. */
export function answerRobots(request: HttpRequest, service: Service): Promise<Outcome> {
  const { access, publicUrl, pages } = service;
  const { base } = getPageAddresses(service);
  const areOpen = access.limits.hasOpenPages || access.limits.answersWithoutKey;
  const lines = [
    'User-agent: *',
    ...(access.limits.hasOpenPages ? [`Allow: ${base}/${downloads.route}/*/things.jsonl.gz`] : []),
    `Disallow: ${base}/v1/`,
    ...(areOpen ? listClosedPaths(base) : [`Disallow: ${base}/ogc/`]),
    ...(areOpen && publicUrl !== '' ? ['', `Sitemap: ${publicUrl}/sitemap.xml`] : []),
  ];
  return answerFile(request, createContent(`${lines.join('\n')}\n`, 'text/plain; charset=utf-8'), pages);
}

/** Lists of items and tiles are as endless as queries; the forms of one thing are few. */
function listClosedPaths(base: string): readonly string[] {
  const formats = ['html', 'json', 'jsonld'].map((format) => `Allow: ${base}/ogc/collections/*/items/*?f=${format}$`);
  return [...formats, `Disallow: ${base}/ogc/*?`, `Disallow: ${base}/ogc/collections/*/tiles/`];
}
