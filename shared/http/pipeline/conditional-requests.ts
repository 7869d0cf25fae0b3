// Conditional requests (ADR 0032): entity tags (RFC 9110, 8.8.3), Last-Modified, and what a client has already.

import { buildConditionKey } from '../../query/condition';
import type { Operation } from '../../query/operations';
import type { OperationRequest } from '../../query/read-request';
import type { CatalogRelease } from '../../search/open-releases';
import type { CatalogState } from '../../store/catalog-types';
import { digestContent } from '../../values/digest';
import { readInteger } from '../../values/numbers';
import { createProblem } from './outcome';
import type { HttpRequest, HttpResponse } from './service';

/** Raise it with every change of the bytes of answers, so that no client keeps former ones. */
export const ANSWER_FORMAT = 1;

/** Matches tags up to the first thing that is none, with the text between their quotes, in linear time. */
const TAGS = /[ \t,]*(?:W\/)?"([^"]*)"/gy;

/** A date in any other form counts as not sent. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Stands for the bytes of an answer, which follow from the releases read, the canonical query and the form sent in. */
export function computeAnswerDigest(
  operation: Pick<Operation, 'name'>,
  request: OperationRequest,
  releases: readonly CatalogRelease[],
  form: readonly string[],
): string {
  const { condition, startIndex, recordCount, order, groupBy, facets } = request;
  const read = releases.map(({ reader, comparedWith }) =>
    [reader, comparedWith].flatMap((each) => each?.facts.releaseId ?? []).join(' '),
  );
  const names = [...groupBy.map(({ name }) => name), ...facets.map(({ grouping }) => grouping.name)];
  const groups = names.length === 0 ? [] : [names];
  const page = [startIndex, recordCount, ...(order === undefined ? [] : [order])];
  const asked = [operation.name, buildConditionKey(condition), ...page, ...groups];
  return digestContent(JSON.stringify([ANSWER_FORMAT, ...asked, form, read]));
}

/** The total stands in the tag so that a 304, which comes without a search, can still link to the next page. */
export function formatEntityTag(digest: string, total: number): string {
  return `"${digest}-${total}"`;
}

/** The answer as a client has it. Its total is unknown where the client named no tag. */
interface ClientCopy {
  readonly total: number | undefined;
}

/** Undefined when the client has not the answer. If-None-Match decides alone where it is sent (RFC 9110, 13.2.2). */
export function findClientCopy(
  sent: HttpRequest['headers'],
  digest: string,
  state: CatalogState,
): ClientCopy | undefined {
  const tags = sent.get('if-none-match');
  if (tags !== null) return matchEntityTags(tags, digest);
  const since = sent.get('if-modified-since');
  if (since === null || state.since === null) return undefined;
  return readHttpDate(since) >= Date.parse(state.since) ? { total: undefined } : undefined;
}

/** Whether If-None-Match names the answer, by weak comparison (RFC 9110, section 13.1.2). */
export function matchEntityTags(ifNoneMatch: string, digest: string): ClientCopy | undefined {
  if (ifNoneMatch.trim() === '*') return { total: undefined };
  const prefix = `${digest}-`;
  for (const [, tag = ''] of ifNoneMatch.matchAll(TAGS)) {
    const total = tag.startsWith(prefix) ? readInteger(tag.slice(prefix.length)) : undefined;
    if (total !== undefined) return { total };
  }
  return undefined;
}

/** Whether If-None-Match names a tag with its quotes, by weak comparison. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(TAGS)].some(([, one = '']) => `"${one}"` === tag);
}

export const PRECONDITION_FAILED = createProblem(
  412,
  'Precondition failed',
  'The answer is not the one that If-Match or If-Unmodified-Since names. Ask without it for the answer as it is now.',
);

/**
 * Whether If-Match names the answer, by strong comparison; without it, whether the answer is as old as
 * If-Unmodified-Since wants it (RFC 9110, 13.2.2). Only what would be sent else can fail by it.
 */
export function meetsPreconditions(sent: HttpRequest['headers'], { status, headers }: HttpResponse): boolean {
  const tags = sent.get('if-match');
  const since = sent.get('if-unmodified-since');
  if ((tags === null && since === null) || (status >= 300 && status !== 304)) return true;
  const { ETag: tag, 'Last-Modified': modified } = headers;
  if (tags !== null) {
    return tags.trim() === '*' || [...tags.matchAll(TAGS)].some(([found]) => found.replace(/^[ \t,]+/, '') === tag);
  }
  return since === null || modified === undefined || !(Date.parse(modified) > readHttpDate(since));
}

/** In milliseconds. NaN, which is neither before nor after anything, for what counts as not sent. */
function readHttpDate(text: string): number {
  return HTTP_DATE.test(text) ? Date.parse(text) : NaN;
}

/**
 * When the state became current, rounded up to a second; undefined until no other state can follow within that second.
 * The releases of an answer would say less: a withdrawal, or a rollback of one of them, leaves their newest publish.
 */
export function formatLastModified({ since }: CatalogState, now: Date): string | undefined {
  if (since === null) return undefined;
  const second = Math.ceil(Date.parse(since) / 1000) * 1000;
  return second <= now.getTime() ? new Date(second).toUTCString() : undefined;
}
