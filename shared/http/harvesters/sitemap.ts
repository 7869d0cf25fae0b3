// GET /sitemap.xml: the addresses of the pages of all sites, units and rights (D49), for search engines. Without a
// parameter, it is the index of its parts. Each part is built once per release and kept in memory, compressed (ADR
// 0090).

import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Parameter } from '../../query/parameter';
import { splitQuery } from '../../query/query-string';
import { QueryValues } from '../../query/query-values';
import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import { ownBytes } from '../../values/bytes/own-bytes';
import { digestContent } from '../../values/digest';
import { success } from '../../values/result';
import { getQueryText } from '../pipeline/authorize';
import { formatEntityTag, matchEntityTags } from '../pipeline/conditional-requests';
import { readPreferences } from '../pipeline/negotiation';
import { badParameters, NO_SITEMAP_PART, type Outcome, refuse, UNKNOWN_PATH } from '../pipeline/outcome';
import { answerFromState } from '../pipeline/pipeline';
import type { HttpRequest, Service } from '../pipeline/service';
import { listParts, type SitemapPart } from './sitemap-parts';

const partParameter: Parameter<string> = {
  name: 'part',
  type: 'string',
  meaning: 'The name of a sitemap part, as linked from the index.',
  example: 'sites-0123456789abcdef-1',
  read: success,
};

/** Addresses in a sitemap must be absolute, so there is no sitemap unless PUBLIC_URL is set. */
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

/** Undefined if the part does not exist, or no longer exists. */
async function getDocument(
  name: string | undefined,
  state: CatalogState,
  service: Service,
): Promise<Buffer | undefined> {
  const { caches, publicUrl } = service;
  const cache = caches.getCache<Buffer>('sitemap');
  // The document contains the day of the publish, which may change even if the release does not.
  const key = `${name ?? ''} ${digestContent(JSON.stringify([publicUrl, state.entries]))}`;
  const cachedDocument = cache.get(key);
  if (cachedDocument !== undefined) return cachedDocument;
  const parts = await listParts(service, state);
  const part = parts.find((part) => part.name === name);
  if (name !== undefined && part === undefined) return undefined;
  const text = part === undefined ? writeIndex(parts, publicUrl) : await writePart(part, publicUrl);
  const compressed = ownBytes(await promisify(gzip)(text));
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
