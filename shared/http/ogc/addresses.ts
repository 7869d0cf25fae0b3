// Addresses and links of the OGC API. They are absolute, because some clients cannot follow others.

import { KEY_TRACE } from '../../query/parameter';
import type { AskedRequest, Service } from '../service';

export interface OgcLink {
  readonly href: string;
  readonly rel: string;
  readonly type?: string;
  readonly title?: string;
}

/** In front of the names of relations that OGC has registered. */
export const OGC_RELATIONS = 'http://www.opengis.net/def/rel/ogc/1.0';

export const JSON_TYPE = 'application/json';
export const GEOJSON_TYPE = 'application/geo+json';
export const HTML_TYPE = 'text/html';
export const SCHEMA_TYPE = 'application/schema+json';
export const API_TYPE = 'application/vnd.oai.openapi+json;version=3.0';

/**
 * In front of `/ogc`, without a slash at the end: the service's public address, else the one that was asked, of which
 * the header Host knows more than the URL that a host hands over.
 */
export function baseOf({ url, headers }: AskedRequest, { publicUrl }: Pick<Service, 'publicUrl'>): string {
  if (publicUrl !== '') return publicUrl;
  const { protocol, origin } = new URL(url);
  return URL.parse(`${protocol}//${headers.get('host') ?? ''}`)?.origin ?? origin;
}

/** The address of the collection that something lies in, such as its items or one of these. */
export function collectionOf(address: string): string {
  return address.replace(/(\/collections\/[^/]+)\/.*$/, '$1');
}

/** The links of a resource to itself and to its other form. */
export function formLinks(address: string, form: 'json' | 'html', type: string): readonly OgcLink[] {
  const json = { href: withForm(address, 'json'), type };
  const page = { href: withForm(address, 'html'), type: HTML_TYPE };
  const [self, other] = form === 'json' ? [json, page] : [page, json];
  return [
    { rel: 'self', ...self },
    { rel: 'alternate', ...other, title: form === 'json' ? 'This as a page' : 'This as JSON' },
  ];
}

function withForm(address: string, form: 'json' | 'html'): string {
  return `${address}${address.includes('?') ? '&' : '?'}f=${form}`;
}

/** No link holds a key or a part of one (D30). */
export function withoutKeyLinks(links: readonly OgcLink[]): readonly OgcLink[] {
  return links.filter(({ href }) => href.search(KEY_TRACE) === -1);
}

export function queryText(items: readonly { readonly name: string; readonly value: string }[]): string {
  return items.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&');
}
