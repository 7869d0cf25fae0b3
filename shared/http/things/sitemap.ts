// GET /sitemap.xml: the addresses of all pages of things (D49), for search engines. Without a parameter it is the index
// of its parts, each of one release; a part is made once for a release and stays in memory compressed.

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { accessKey, type Parameter } from '../../query/parameter';
import { QueryValues, splitQuery } from '../../query/query-values';
import { thingLists, type ThingList } from '../../things/thing-ids';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { digestNameOf } from '../../values/digest';
import { success } from '../../values/result';
import { queryOf } from '../pipeline/authorize';
import { entityTag, matchEntityTags } from '../pipeline/conditional-requests';
import { answerFromState } from '../pipeline/pipeline';
import { readPreferences } from '../pipeline/negotiation';
import { badParameters, NO_SITEMAP_PART, refused, UNKNOWN_PATH, type Outcome } from '../pipeline/outcome';
import type { AskedRequest, Service } from '../pipeline/service';

/** The most that the protocol of sitemaps allows. */
const MOST_ADDRESSES = 50_000;

/** Some addresses of one list of things. */
interface SitemapPart {
  /** Stays the same as long as the release does. */
  readonly name: string;
  readonly list: ThingList;
  readonly from: number;
}

const part: Parameter<string> = {
  name: 'part',
  synonyms: [],
  isRepeatable: false,
  type: 'string',
  meaning: 'The name of a part, as the index links to it.',
  example: 'sites-0123456789abcdef-1',
  read: success,
};

const names = [part.name, accessKey.name];
const spelledBy = new Map(names.map((name) => [name.toLowerCase(), name]));

/** Addresses in a sitemap are absolute, so there is one only where the service knows its own. */
export function answerSitemap(request: AskedRequest, service: Service): Promise<Outcome> {
  if (service.publicUrl === '') return Promise.resolve(refused(UNKNOWN_PATH));
  const values = new QueryValues({ spelledBy, spellings: names }, splitQuery(queryOf(request)), service.reading);
  const name = values.readOne(part);
  if (values.errors.length > 0) return Promise.resolve(refused(badParameters(values.errors)));
  return answerFromState(undefined, service, async (state) => {
    const compressed = await documentOf(name, state, service);
    return compressed === undefined ? refused(NO_SITEMAP_PART) : outcomeOf(compressed, request, state);
  });
}

/** Undefined for a part that is not there, or not any more. */
async function documentOf(
  name: string | undefined,
  state: CatalogState,
  service: Service,
): Promise<Buffer | undefined> {
  const { caches, publicUrl } = service;
  const cache = caches.partOf<Buffer>('sitemap');
  // The day of a publish stands in the document, and may change where the release does not.
  const key = `${name ?? ''} ${digestNameOf(JSON.stringify([publicUrl, entriesOf(name, state)]))}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const parts = (await thingLists(service, state)).flatMap(partsOf);
  const asked = parts.find((one) => one.name === name);
  if (name !== undefined && asked === undefined) return undefined;
  const text = asked === undefined ? indexText(parts, publicUrl) : await partText(asked, publicUrl);
  const compressed = await promisify(gzip)(text);
  cache.set(key, compressed, compressed.length);
  return compressed;
}

/** What a document follows from: the index from all releases, a part from those of its organization. */
function entriesOf(name: string | undefined, { entries }: CatalogState): readonly CatalogEntry[] {
  const own = entries.find(({ releaseId }) => name?.split('-').at(-2) === releaseId);
  return own === undefined ? entries : entries.filter((entry) => entry.organizationUuid === own.organizationUuid);
}

function partsOf(list: ThingList): readonly SitemapPart[] {
  return Array.from({ length: Math.ceil(list.count / MOST_ADDRESSES) }, (_, index) => ({
    name: `${list.collection}-${list.entry.releaseId}-${index + 1}`,
    list,
    from: index * MOST_ADDRESSES,
  }));
}

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

function indexText(parts: readonly SitemapPart[], publicUrl: string): string {
  const entries = parts.map(
    ({ name, list }) =>
      `<sitemap>${located(`${publicUrl}/sitemap.xml?part=${encodeURIComponent(name)}`, list)}</sitemap>`,
  );
  return document('sitemapindex', entries);
}

async function partText({ list, from }: SitemapPart, publicUrl: string): Promise<string> {
  const items = `${publicUrl}/ogc/collections/${list.collection}/items`;
  const ids = await list.idsBetween(from, from + MOST_ADDRESSES);
  return document(
    'urlset',
    ids.map((id) => `<url>${located(`${items}/${encodeURIComponent(id)}`, list)}</url>`),
  );
}

function located(address: string, { entry }: ThingList): string {
  const escaped = address.replaceAll('&', '&amp;').replaceAll("'", '&apos;');
  return `<loc>${escaped}</loc><lastmod>${entry.publishedAt}</lastmod>`;
}

function document(root: string, entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${entries.join('\n')}\n</${root}>\n`;
}

async function outcomeOf(compressed: Buffer, { headers: sent }: AskedRequest, state: CatalogState): Promise<Outcome> {
  const takesGzip = readPreferences(sent.get('accept-encoding') ?? '').some(
    ({ name, weight }) => name === 'gzip' && weight > 0,
  );
  const digest = digestNameOf(`${compressed.toString('latin1')} ${String(takesGzip)}`);
  const headers = {
    'Data-Version': state.version,
    'Cache-Control': 'public, no-cache',
    Vary: 'Accept-Encoding',
    ETag: entityTag(digest, compressed.length),
  };
  if (matchEntityTags(sent.get('if-none-match') ?? '', digest) !== undefined) return { kind: 'not modified', headers };
  const contentType = 'application/xml; charset=utf-8';
  if (!takesGzip) return { kind: 'answer', body: await promisify(gunzip)(compressed), contentType, headers };
  return { kind: 'answer', body: compressed, contentType, headers: { ...headers, 'Content-Encoding': 'gzip' } };
}
