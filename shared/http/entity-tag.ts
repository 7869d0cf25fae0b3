// The strong entity tag of an answer (RFC 9110, section 8.8.3) and the comparison with those that a client holds (ADR 0032).

import { criteriaKey } from '../query/criteria';
import type { ReadRelease } from '../search/plan-page';
import type { Operation } from '../query/operation';
import type { OperationRequest } from '../query/read-request';
import { digestNameOf } from '../values/digest';
import { readInteger } from '../values/numbers';

/** Of the bytes that the program makes of a release: raise it with every change of them, so that no client keeps the former. */
export const ANSWER_FORMAT = 1;

/**
 * Stands for the bytes of an answer without making them: they follow from the releases that it is read from, what is asked in
 * its canonical form, and the form that they are sent in.
 */
export function answerDigest(
  operation: Operation,
  request: OperationRequest,
  releases: readonly ReadRelease[],
  form: readonly string[],
): string {
  const { criteria, startIndex, recordCount } = request;
  const read = releases.map(({ reader }) => reader.facts.releaseId);
  const asked = [operation.name, criteriaKey(criteria), startIndex, recordCount];
  return digestNameOf(JSON.stringify([ANSWER_FORMAT, ...asked, form, read]));
}

/** The total stands in the tag so that an answer without a search can still link to the next page. */
export function entityTag(digest: string, total: number): string {
  return `"${digest}-${total}"`;
}

/** What a client holds of an answer: nothing, or the answer with this total, which is not known where it said `*`. */
export type Held = { readonly total: number | undefined } | undefined;

/** Whether If-None-Match names the answer, by weak comparison (RFC 9110, section 13.1.2). */
export function heldByTag(ifNoneMatch: string, digest: string): Held {
  if (ifNoneMatch.trim() === '*') return { total: undefined };
  const prefix = `${digest}-`;
  for (const tag of opaqueTags(ifNoneMatch)) {
    const total = tag.startsWith(prefix) ? readInteger(tag.slice(prefix.length)) : undefined;
    if (total !== undefined) return { total };
  }
  return undefined;
}

/** What stands between the quotes of each tag. Reads to the first thing that is none; the time is linear in the text. */
function* opaqueTags(list: string): Iterable<string> {
  let at = 0;
  while (at < list.length) {
    const character = list[at];
    if (character === ' ' || character === '\t' || character === ',') {
      at++;
      continue;
    }
    const start = list.startsWith('W/', at) ? at + 2 : at;
    const end = list[start] === '"' ? list.indexOf('"', start + 1) : -1;
    if (end === -1) return;
    yield list.slice(start + 1, end);
    at = end + 1;
  }
}
