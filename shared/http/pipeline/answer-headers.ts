// Headers that all kinds of routes share: caching, links, and terms of use.

import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import type { HeaderFields } from './outcome';

/** Headers of a 200 or a 304 in addition to the common ones. */
export interface ExtraHeaders {
  /** These come before the links to terms of use. */
  readonly links?: readonly string[];
  readonly headers?: HeaderFields;
}

/** The headers of every answer that depends on the catalog state. */
export function buildStateHeaders({ version }: CatalogState, vary: string): HeaderFields {
  return { 'Data-Version': version, 'Cache-Control': 'private, no-cache', Vary: vary };
}

/**
 * The limit for all links together: proxies commonly accept 4 KiB of headers. A client with a longer query has to
 * increase StartIndex itself.
 */
const MAX_LINK_BYTES = 3_000;

/** RFC 8288. The most useful links come first; links beyond the bound are left out. */
export function buildLinkHeader(links: readonly string[]): HeaderFields {
  let bytes = 0;
  const fitting: string[] = [];
  for (const link of links) {
    bytes += link.length;
    if (bytes <= MAX_LINK_BYTES) fitting.push(link);
  }
  return fitting.length === 0 ? {} : { Link: fitting.join(', ') };
}

/** Links to the licenses and the terms of use of data sets, where these are web addresses; each link once. */
export function buildTermsLinks(entries: readonly CatalogEntry[]): readonly string[] {
  const licenses = entries.map(({ submission }) => formatLink(submission?.license, 'license'));
  const terms = entries.map(({ submission }) => formatLink(submission?.termsOfUse, 'terms-of-service'));
  return [...new Set([...licenses, ...terms])].filter((link) => link !== undefined);
}

/** Undefined if the address is not a web address. The link is in ASCII, as headers require. */
function formatLink(address: string | null | undefined, relation: string): string | undefined {
  if (address === null || address === undefined || !/^https?:\/\//i.test(address)) return undefined;
  return URL.canParse(address) ? `<${new URL(address).href.replaceAll('>', '%3E')}>; rel="${relation}"` : undefined;
}
