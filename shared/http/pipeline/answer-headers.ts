// Headers that all kinds of routes share: caching, links, and terms of use.

import type { CatalogEntry, CatalogState } from '../../store/catalog-types';
import type { HeaderFields } from './outcome';

/** Headers of a 200 or a 304, in addition to the headers that all such answers share. */
export interface ExtraHeaders {
  /** Links that precede the links to terms of use. */
  readonly links?: readonly string[];
  readonly headers?: HeaderFields;
}

/** Builds the headers that every answer from a catalog state has. */
export function buildStateHeaders({ version }: CatalogState, vary: string): HeaderFields {
  return { 'Data-Version': version, 'Cache-Control': 'private, no-cache', Vary: vary };
}

/**
 * Limits the total length of all links, because proxies commonly accept 4 KiB of headers. A client with a longer query
 * has to increase StartIndex itself.
 */
const MAX_LINK_BYTES = 3_000;

/** Builds the header Link (RFC 8288). The most useful links come first; links beyond the limit are left out. */
export function buildLinkHeader(links: readonly string[]): HeaderFields {
  let bytes = 0;
  const fitting: string[] = [];
  for (const link of links) {
    bytes += link.length;
    if (bytes <= MAX_LINK_BYTES) fitting.push(link);
  }
  return fitting.length === 0 ? {} : { Link: fitting.join(', ') };
}

/** Builds links to the licenses and terms of use of data sets if these are web addresses, each link once. */
export function buildTermsLinks(entries: readonly CatalogEntry[]): readonly string[] {
  const licenses = entries.map(({ submission }) => formatLink(submission?.license, 'license'));
  const terms = entries.map(({ submission }) => formatLink(submission?.termsOfUse, 'terms-of-service'));
  return [...new Set([...licenses, ...terms])].filter((link) => link !== undefined);
}

/** Undefined if the address is not a web address. The link is ASCII only, as headers require. */
function formatLink(address: string | null | undefined, relation: string): string | undefined {
  if (address === null || address === undefined || !/^https?:\/\//i.test(address)) return undefined;
  return URL.canParse(address) ? `<${new URL(address).href.replaceAll('>', '%3E')}>; rel="${relation}"` : undefined;
}
