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

/** Increase it with every change to the bytes of answers, so that clients fetch them again. */
export const ANSWER_FORMAT = 4;

/**
 * Matches consecutive entity tags in linear time. The group is the text between the quotes. Some versions of Apache
 * write the name of the coding after the quotes.
 */
const TAGS = /[ \t,]*(?:W\/)?"([^"]*)"(?:-(?:gzip|br|deflate))?/gy;

/** What a compressing proxy adds to a tag, such as Apache's mod_deflate and mod_brotli (D71). */
const CODING_SUFFIX = /[-;:+.](?:gzip|br|deflate|zstd)$/i;

/** The text of a tag as the service wrote it. */
function removeCoding(tag: string): string {
  return tag.replace(CODING_SUFFIX, '');
}

/** A date in any other form is ignored. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Identifies the bytes of an answer: they depend on the releases, the canonical query and the representation. */
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

/** The tag contains the total, so that a 304 can link to the next page without a search. */
export function formatEntityTag(digest: string, total: number): string {
  return `"${digest}-${total}"`;
}

/** The digest in a tag that `formatEntityTag` wrote. */
export function getTagDigest(tag: string): string {
  return tag.slice(1, tag.lastIndexOf('-'));
}

/** The answer as a client has it. The total is undefined if the client sent no tag of it. */
interface ClientCopy {
  readonly total: number | undefined;
}

/** Undefined if the client does not have the answer. If-None-Match takes precedence (RFC 9110, 13.2.2). */
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

/** Whether If-None-Match names the answer, by weak comparison (RFC 9110, section 13.1.2). */
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

/** Whether If-None-Match names a tag with its quotes, by weak comparison. */
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
 * Whether If-Match names the answer, by strong comparison; without it, whether the answer is not newer than
 * If-Unmodified-Since (RFC 9110, 13.2.2). Only a 2xx or a 304 can fail a precondition.
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

/** In milliseconds. NaN, which is neither before nor after any time, if the header is ignored. */
function readHttpDate(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : NaN;
}

/**
 * When the state became current, rounded up to a second; undefined until that second has passed, because another state
 * could follow within it. The publish times of the releases are no substitute: a withdrawal or a rollback does not
 * change the newest of them.
 */
export function formatLastModified({ since }: CatalogState, now: Date): string | undefined {
  if (since === null) return undefined;
  const second = Math.ceil(Date.parse(since) / 1000) * 1000;
  return second <= now.getTime() ? new Date(second).toUTCString() : undefined;
}
