// Conditional requests (ADR 0032): entity tags (RFC 9110, 8.8.3) and Last-Modified.

import { buildConditionKey } from '../../query/condition';
import type { Operation } from '../../query/operations';
import type { OperationRequest } from '../../query/read-request';
import type { CatalogRelease } from '../../search/open-releases';
import type { CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';
import { readInteger } from '../../values/numbers';
import { createProblem } from './outcome';
import type { HttpRequest, HttpResponse } from './service';

/** Increase this with every change to the bytes of answers, so that clients fetch them again. */
export const ANSWER_FORMAT = 4;

/**
 * Matches consecutive entity tags in linear time. The group contains the text between the quotes. Some versions of
 * Apache write the name of the coding after the quotes.
 */
const TAGS = /[ \t,]*(?:W\/)?"([^"]*)"(?:-(?:gzip|br|deflate))?/gy;

/** Matches what a compressing proxy adds to a tag, such as Apache's mod_deflate and mod_brotli (D71). */
const CODING_SUFFIX = /[-;:+.](?:gzip|br|deflate|zstd)$/i;

/** Returns the tag as the service wrote it. */
function removeCoding(tag: string): string {
  return tag.replace(CODING_SUFFIX, '');
}

/** Matches the date format of HTTP. Dates in other formats are ignored. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Computes a digest that identifies the bytes of an answer. They depend on the releases, the canonical query and the
 * representation.
 */
export function computeAnswerDigest(
  operation: Pick<Operation, 'name'>,
  request: OperationRequest,
  releases: readonly CatalogRelease[],
  representation: readonly string[],
): string {
  const { condition, startIndex, recordCount, order, groupBy, facets } = request;
  const releaseIds = releases.map(({ reader, comparedWith }) =>
    [reader, comparedWith].flatMap((release) => release?.facts.releaseId ?? []).join(' '),
  );
  const names = [...groupBy.map(({ name }) => name), ...facets.map(({ grouping }) => grouping.name)];
  const groups = names.length === 0 ? [] : [names];
  const page = [startIndex, recordCount, ...(order === undefined ? [] : [order])];
  const queryParts = [operation.name, buildConditionKey(condition), ...page, ...groups];
  return digestContent(JSON.stringify([ANSWER_FORMAT, ...queryParts, representation, releaseIds]));
}

/** Formats the tag. It contains the total, so that a 304 can link to the next page without a search. */
export function formatEntityTag(digest: string, total: number): string {
  return `"${digest}-${total}"`;
}

/** Returns the digest in a tag from `formatEntityTag`. */
export function getTagDigest(tag: string): string {
  return tag.slice(1, tag.lastIndexOf('-'));
}

/** The client's copy of the answer. The total is undefined if the client sent no entity tag of the answer. */
interface ClientCopy {
  readonly total: number | undefined;
}

/** Undefined if the client has no copy of the answer. If-None-Match takes precedence (RFC 9110, section 13.2.2). */
export function findClientCopy(
  requestHeaders: HttpRequest['headers'],
  digest: string,
  state: CatalogState,
): ClientCopy | undefined {
  const tags = requestHeaders.get('if-none-match');
  if (tags !== null) return matchEntityTags(tags, digest);
  const since = requestHeaders.get('if-modified-since');
  if (since === null || state.since === null) return undefined;
  return readHttpDate(since) >= Date.parse(state.since) ? { total: undefined } : undefined;
}

/** Looks for the answer in If-None-Match, by weak comparison (RFC 9110, section 13.1.2). */
export function matchEntityTags(ifNoneMatch: string, digest: string): ClientCopy | undefined {
  if (ifNoneMatch.trim() === '*') return { total: undefined };
  const prefix = `${digest}-`;
  for (const [, sentTag = ''] of ifNoneMatch.matchAll(TAGS)) {
    const tag = removeCoding(sentTag);
    const total = tag.startsWith(prefix) ? readInteger(tag.slice(prefix.length)) : undefined;
    if (total !== undefined) return { total };
  }
  return undefined;
}

/** Whether If-None-Match contains a tag, by weak comparison. `tag` includes its quotes. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(TAGS)].some(([, text = '']) => `"${removeCoding(text)}"` === tag);
}

export const PRECONDITION_FAILED = createProblem(
  412,
  'Precondition failed',
  'The answer has changed since the version in If-Match or If-Unmodified-Since. Retry without that header.',
);

/**
 * Whether If-Match contains the tag of the answer, by strong comparison. Without If-Match: whether the answer is not
 * newer than If-Unmodified-Since (RFC 9110, section 13.2.2). Only a 2xx or a 304 can fail a precondition.
 */
export function meetsPreconditions(requestHeaders: HttpRequest['headers'], { status, headers }: HttpResponse): boolean {
  const tags = requestHeaders.get('if-match');
  const since = requestHeaders.get('if-unmodified-since');
  if ((tags === null && since === null) || (status >= 300 && status !== 304)) return true;
  const { ETag: tag, 'Last-Modified': modified } = headers;
  if (tags !== null) {
    if (tags.trim() === '*') return true;
    return [...tags.matchAll(TAGS)].some(([match, text = '']) => {
      const isWeak = /^[ \t,]*W/.test(match);
      return !isWeak && `"${removeCoding(text)}"` === tag;
    });
  }
  return since === null || modified === undefined || !(Date.parse(modified) > readHttpDate(since));
}

/** Returns milliseconds, or NaN if the header is ignored: NaN is neither before nor after any time. */
function readHttpDate(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : NaN;
}

/**
 * Returns when the state became current, rounded up to a second. Undefined until that second has passed, because
 * another state could follow within it. The publish times of the releases cannot be used instead: a withdrawal or a
 * rollback does not change the latest one.
 */
export function formatLastModified({ since }: CatalogState, now: Date): string | undefined {
  if (since === null) return undefined;
  const second = Math.ceil(Date.parse(since) / 1000) * 1000;
  return second <= now.getTime() ? new Date(second).toUTCString() : undefined;
}
