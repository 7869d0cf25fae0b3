// Last-Modified and If-Modified-Since, for clients that know no entity tags (ADR 0032).

import type { ReadRelease } from '../search/plan-page';
import type { CatalogState } from '../store/catalog-types';

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * When the newest release of the answer was published, rounded up to a whole second: until that second is over another publish
 * can fall into it, so until then there is none.
 */
export function lastModified(releases: readonly ReadRelease[], now: Date): string | undefined {
  const published = Math.max(...releases.map(({ entry }) => Date.parse(entry.publishedAt)));
  if (!Number.isFinite(published)) return undefined;
  const second = Math.ceil(published / 1000) * 1000;
  return second <= now.getTime() ? new Date(second).toUTCString() : undefined;
}

/**
 * Whether nothing was published, rolled back or withdrawn since. A rollback brings an older Last-Modified back, so the comparison
 * is with the catalog state and not with the release. A date in another form than that of HTTP is as good as none.
 */
export function isUnchangedSince(ifModifiedSince: string, { since }: CatalogState): boolean {
  if (since === null || !HTTP_DATE.test(ifModifiedSince)) return false;
  return Date.parse(ifModifiedSince) >= Date.parse(since);
}
