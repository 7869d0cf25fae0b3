// Conditional requests (ADR 0032): entity tags (RFC 9110, 8.8.3), Last-Modified, and what a client has already.

import { criteriaKey } from '../query/criteria';
import type { Operation } from '../query/operations';
import type { OperationRequest } from '../query/read-request';
import type { ReadRelease } from '../search/plan-page';
import type { CatalogState } from '../store/catalog-types';
import { digestNameOf } from '../values/digest';
import { readInteger } from '../values/numbers';
import type { AskedRequest } from './service';

/** Raise it with every change of the bytes of answers, so that no client keeps former ones. */
export const ANSWER_FORMAT = 1;

/** Matches tags up to the first thing that is none, with the text between their quotes, in linear time. */
const TAGS = /[ \t,]*(?:W\/)?"([^"]*)"/gy;

/** One tag, as clients send it mostly. */
const ONE_TAG = /^(?:W\/)?"([^"]*)"$/;

/** A date in any other form counts as not sent. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Stands for the bytes of an answer, which follow from the releases read, the canonical query and the form sent in. */
export function answerDigest(
  operation: Pick<Operation, 'name'>,
  request: OperationRequest,
  releases: readonly ReadRelease[],
  form: readonly string[],
): string {
  const { criteria, startIndex, recordCount, order, groupBy, facets } = request;
  const read = releases.map(({ reader, comparedWith }) =>
    [reader, comparedWith].flatMap((each) => each?.facts.releaseId ?? []).join(' '),
  );
  const names = [...groupBy.map(({ name }) => name), ...facets.map(({ grouping }) => grouping.name)];
  const groups = names.length === 0 ? [] : [names];
  const page = [startIndex, recordCount, ...(order === undefined ? [] : [order])];
  const asked = [operation.name, criteriaKey(criteria), ...page, ...groups];
  return digestNameOf(JSON.stringify([ANSWER_FORMAT, ...asked, form, read]));
}

/** The total stands in the tag so that a 304, which comes without a search, can still link to the next page. */
export function entityTag(digest: string, total: number): string {
  return `"${digest}-${total}"`;
}

/** The answer as a client has it. Its total is unknown where the client named no tag. */
interface ClientCopy {
  readonly total: number | undefined;
}

/** Undefined when the client has not the answer. If-None-Match decides alone where it is sent (RFC 9110, 13.2.2). */
export function clientCopy(sent: AskedRequest['headers'], digest: string, state: CatalogState): ClientCopy | undefined {
  const tags = sent.get('if-none-match');
  if (tags !== null) return matchEntityTags(tags, digest);
  const since = sent.get('if-modified-since');
  return since !== null && isUnchangedSince(since, state) ? { total: undefined } : undefined;
}

/** Whether If-None-Match names the answer, by weak comparison (RFC 9110, section 13.1.2). */
export function matchEntityTags(ifNoneMatch: string, digest: string): ClientCopy | undefined {
  if (ifNoneMatch.trim() === '*') return { total: undefined };
  const single = ONE_TAG.exec(ifNoneMatch);
  for (const [, tag = ''] of single === null ? ifNoneMatch.matchAll(TAGS) : [single]) {
    const prefix = `${digest}-`;
    const total = tag.startsWith(prefix) ? readInteger(tag.slice(prefix.length)) : undefined;
    if (total !== undefined) return { total };
  }
  return undefined;
}

/** Whether If-None-Match names a tag with its quotes, by weak comparison. */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.trim() === '*' || [...ifNoneMatch.matchAll(TAGS)].some(([, one = '']) => `"${one}"` === tag);
}

/** When the newest release of the answer was published, in milliseconds; -Infinity when there is none. */
export function lastPublish(releases: readonly ReadRelease[]): number {
  return Math.max(...releases.map(({ entry }) => Date.parse(entry.publishedAt)));
}

/** The time of a publish rounded up to a second; undefined until no other publish can fall into it. */
export function lastModified(publishedAt: number, now: Date): string | undefined {
  if (!Number.isFinite(publishedAt)) return undefined;
  const second = Math.ceil(publishedAt / 1000) * 1000;
  return second <= now.getTime() ? new Date(second).toUTCString() : undefined;
}

/** Compares the state and not its releases: a rollback brings an older Last-Modified back. */
function isUnchangedSince(ifModifiedSince: string, { since }: CatalogState): boolean {
  if (since === null || !HTTP_DATE.test(ifModifiedSince)) return false;
  return Date.parse(ifModifiedSince) >= Date.parse(since);
}
