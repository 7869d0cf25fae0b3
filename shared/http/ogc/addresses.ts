// Addresses, links and formats of the OGC API. Addresses are absolute, because some clients cannot follow relative
// ones.

import { countTrustedHops } from '../../access/client-address';
import { accessKey, KEY_PATTERN } from '../../query/access-key-parameter';
import type { FeatureCollection } from '../../query/cql2/feature-collections';
import {
  type FeatureFormat,
  format,
  formatWithJsonLd,
  type ItemFormat,
  type ItemParameter,
} from '../../query/cql2/item-parameters';
import { type QueryItem, splitQuery } from '../../query/query-string';
import { QueryValues } from '../../query/query-values';
import { JSON_LD_TYPE } from '../../render/json-ld';
import { readPreferences } from '../pipeline/negotiation';
import { badParameters, type Refusal, refuse } from '../pipeline/outcome';
import type { HttpRequest, Service } from '../pipeline/service';

export interface OgcLink {
  readonly href: string;
  readonly rel: string;
  readonly type?: string;
  readonly title?: string;
}

/** The prefix of link relations registered by OGC. */
export const OGC_RELATIONS = 'http://www.opengis.net/def/rel/ogc/1.0';
export const JSON_TYPE = 'application/json';
export const GEOJSON_TYPE = 'application/geo+json';
export const HTML_TYPE = 'text/html';
export const SCHEMA_TYPE = 'application/schema+json';
export const API_TYPE = 'application/vnd.oai.openapi+json;version=3.0';

/**
 * Returns the address before `/ogc`, without a trailing slash: the public address of the service, or else the requested
 * one, as trusted proxies report it (D71). The header Host is more reliable than the URL that a host passes on.
 */
export function getBaseUrl(
  request: HttpRequest,
  { publicUrl, trustedProxies }: Pick<Service, 'publicUrl' | 'trustedProxies'>,
): string {
  if (publicUrl !== '') return publicUrl;
  const { url, headers, address } = request;
  const hops = countTrustedHops({ socket: address, forwarded: headers.get('x-forwarded-for') }, trustedProxies);
  const { protocol, origin } = new URL(url);
  const scheme = readForwarded(headers.get('x-forwarded-proto'), hops, FORWARDED_SCHEME)?.toLowerCase();
  const host = readForwarded(headers.get('x-forwarded-host'), hops, FORWARDED_HOST) ?? headers.get('host') ?? '';
  return URL.parse(`${scheme ?? protocol.slice(0, -1)}://${host}`)?.origin ?? origin;
}

const FORWARDED_SCHEME = /^https?$/i;

/**
 * A host name or an address, with an optional port. The length is limited to that of a host name, because links repeat
 * it many times.
 */
const FORWARDED_HOST = /^(?:\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i;

/** Returns the first value that a trusted proxy wrote; undefined if there is none, or if it does not match `form`. */
function readForwarded(header: string | null, hops: number, form: RegExp): string | undefined {
  if (header === null || hops === 0) return undefined;
  const values = header.split(',').map((value) => value.trim());
  const value = values[Math.max(0, values.length - hops)] ?? '';
  return form.test(value) ? value : undefined;
}

/** Returns the address of a collection, given an address below it, such as that of its items. */
export function getCollectionAddress(address: string): string {
  return address.replace(/(\/collections\/[^/]+)\/.*$/, '$1');
}

/** Builds the links from a resource to itself and to its other format. */
export function buildFormatLinks(address: string, format: 'json' | 'html', type: string): readonly OgcLink[] {
  const json = { href: addFormat(address, 'json'), type };
  const page = { href: addFormat(address, 'html'), type: HTML_TYPE };
  const [self, alternate] = format === 'json' ? [json, page] : [page, json];
  return [
    { rel: 'self', ...self },
    { rel: 'alternate', ...alternate, title: format === 'json' ? 'This resource as HTML' : 'This resource as JSON' },
  ];
}

function addFormat(address: string, format: 'json' | 'html'): string {
  return `${address}${address.includes('?') ? '&' : '?'}f=${format}`;
}

/** Removes links that contain a key or part of a key (D30). */
export function removeKeyLinks(links: readonly OgcLink[]): readonly OgcLink[] {
  return links.filter(({ href }) => href.search(KEY_PATTERN) === -1);
}

export function formatQuery(items: readonly { readonly name: string; readonly value: string }[]): string {
  return items.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&');
}

const JSON_TYPES: readonly string[] = ['application/json', 'application/geo+json'];

/** Returns JSON, unless the client prefers HTML, as browsers do. */
export function negotiateFormat(accept: string | null): ItemFormat {
  const preferences = readPreferences(accept ?? '').filter(({ weight }) => weight > 0);
  const supported = preferences.filter(({ name }) => name === 'text/html' || JSON_TYPES.includes(name));
  const [best] = supported.toSorted((a, b) => b.weight - a.weight);
  return best?.name === 'text/html' ? 'html' : 'json';
}

/**
 * Reads the format, which is the only parameter of descriptions. A key is allowed but not needed. Pages ignore unknown
 * parameters (D70).
 */
export function readFormat(query: string, accept: string | null): ItemFormat | Refusal {
  const settings = { slashDateOrder: 'MDY' } as const;
  const items = splitQuery(query);
  const ofPage = new QueryValues([format], keepParameters(items, [format]), settings);
  const pageFormat = ofPage.readOne(format) ?? negotiateFormat(accept);
  if (ofPage.errors.length === 0 && pageFormat === 'html') return pageFormat;
  const values = new QueryValues([format], items, settings);
  const requestedFormat = values.readOne(format);
  return values.errors.length > 0 ? refuse(badParameters(values.errors)) : (requestedFormat ?? negotiateFormat(accept));
}

/**
 * Keeps the parameters that a page reads. Others, such as `fbclid` and `utm_source`, were added to the address by
 * someone else.
 */
export function keepParameters(
  items: readonly QueryItem[],
  parameters: readonly Pick<ItemParameter<unknown>, 'name'>[],
): readonly QueryItem[] {
  const names = [accessKey, ...parameters].map(({ name }) => name.toLowerCase());
  return items.filter(({ name }) => names.includes(name.trim().toLowerCase()));
}

export function getFormatParameter(collection: FeatureCollection): ItemParameter<FeatureFormat> {
  return hasOwnPage(collection) ? formatWithJsonLd : format;
}

export function negotiateFeatureFormat({ headers }: HttpRequest, collection: FeatureCollection): FeatureFormat {
  const accept = headers.get('accept');
  const isJsonLd = readPreferences(accept ?? '').some(({ name, weight }) => name === JSON_LD_TYPE && weight > 0);
  return isJsonLd && hasOwnPage(collection) ? 'jsonld' : negotiateFormat(accept);
}

/**
 * Whether the features of the collection have pages with charts and JSON-LD: sites, units and rights do; amounts do
 * not.
 */
export function hasOwnPage({ featureKind }: FeatureCollection): boolean {
  return featureKind !== 'SiteVariableAmounts' && featureKind !== 'AggregatedAmounts';
}

export function buildSelfLink(href: string): object {
  return { rel: 'self', type: JSON_TYPE, href };
}
