// The header Link (RFC 8288): bounded, and the terms under which the data of an answer may be used.

import type { CatalogEntry } from '../store/catalog-types';

/** All links together. Proxies commonly take 4 KiB of headers, ours included; a client with a longer query counts StartIndex up. */
const MAX_LINK_BYTES = 3_000;

/** The most useful links come first; those that do not fit are left out. */
export function linkHeader(links: readonly string[]): Readonly<Record<string, string>> {
  let bytes = 0;
  const header = links.filter((link) => (bytes += link.length) <= MAX_LINK_BYTES).join(', ');
  return header === '' ? {} : { Link: header };
}

/** Of the entries that an answer reads: where their licences and terms of use are web addresses, each once. */
export function termsLinks(entries: readonly CatalogEntry[]): readonly string[] {
  const licenses = entries.map(({ submission }) => linkTo(submission?.license, 'license'));
  const terms = entries.map(({ submission }) => linkTo(submission?.termsOfUse, 'terms-of-service'));
  return [...new Set([...licenses, ...terms])].filter((link) => link !== undefined);
}

/** In ASCII, as a header must be. */
function linkTo(address: string | null | undefined, relation: string): string | undefined {
  if (address === null || address === undefined || !/^https?:\/\//i.test(address)) return undefined;
  return URL.canParse(address) ? `<${new URL(address).href.replaceAll('>', '%3E')}>; rel="${relation}"` : undefined;
}
