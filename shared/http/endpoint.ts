// An operation as an HTTP function: key, query, search, answer, headers, in the order of D31.

import { answerWriters } from '../answer/answer-writers';
import type { Operation } from '../query/operation';
import { readRequest, type OperationRequest, type ParameterError } from '../query/read-request';
import type { AnswerFormat } from '../query/answer-format';
import { recordCount as recordCountParameter } from '../query/paging-and-access';
import type { QueryItem } from '../query/query-text';
import { resolveBoundary } from '../search/resolve-boundary';
import { openReleases, planPage } from '../search/plan-page';
import type { CatalogState } from '../store/catalog-types';
import { currentDeadline } from '../store/deadline';
import { forKeyHolder } from './access';
import { negotiateCoding } from './content-coding';
import { answerDigest, entityTag, heldByTag, type Held } from './entity-tag';
import type { AskedRequest, HttpFunction } from './http-function';
import { isUnchangedSince, lastModified } from './last-modified';
import { makeAnswer } from './make-answer';
import { negotiateFormat } from './negotiation';
import { badParameters, NOT_ACCEPTABLE } from './problem';
import { linkHeader, termsLinks } from './links';
import { answerFromState } from './read-state';
import { respond, type Outcome } from './respond';
import type { Service } from './service';
import { countHeaders, walkLinks } from './walk-links';

/** The request headers, beside the key, that an answer depends on. */
const VARY = 'Accept, Accept-Encoding';

export function endpoint(operation: Operation): HttpFunction {
  return {
    name: operation.name,
    route: operation.route,
    handle: (request, service) =>
      respond(request, service, () =>
        forKeyHolder(request, service, (items) => answer(operation, request, items, service)),
      ),
  };
}

async function answer(
  operation: Operation,
  request: AskedRequest,
  items: readonly QueryItem[],
  service: Service,
): Promise<Outcome> {
  const read = readRequest(operation, items, service.reading);
  if (!read.ok) return { problem: badParameters(read.errors) };
  const format = read.request.format ?? negotiateFormat(request.headers.get('accept'));
  if (format === undefined) return { problem: NOT_ACCEPTABLE };
  return answerFromState(read.request.dataVersion, service, (state) =>
    answerFrom(state, operation, read.request, format, request, service),
  );
}

async function answerFrom(
  state: CatalogState,
  operation: Operation,
  asked: OperationRequest,
  format: AnswerFormat,
  { method, headers: sent }: AskedRequest,
  service: Service,
): Promise<Outcome> {
  // What waited too long for its turn is not searched for.
  currentDeadline().check();
  const { dataSet } = operation;
  const criteria = await resolveBoundary(service, state, asked.criteria);
  const releases = criteria === undefined ? [] : await openReleases(service, state, dataSet, criteria);
  const request = { ...asked, criteria: criteria ?? asked.criteria };
  const coding = negotiateCoding(sent.get('accept-encoding'));
  const digest = answerDigest(operation, request, releases, [format, coding ?? 'identity']);
  const modified = lastModified(releases, service.now());
  const terms = termsLinks(releases.map(({ entry }) => entry));
  const headersFor = (total: number): Readonly<Record<string, string>> => ({
    'Data-Version': state.version,
    'Cache-Control': 'private, no-cache',
    Vary: VARY,
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    ETag: entityTag(digest, total),
    ...linkHeader([...walkLinks(operation, request, state.version, total, service.publicUrl), ...terms]),
    ...countHeaders(request, total),
  });
  const held = heldAnswer(sent, digest, state);
  if (held?.total !== undefined) return { notModified: headersFor(held.total) };
  if (held !== undefined) {
    return { notModified: headersFor((await planPage(releases, request.criteria, request, service.caches)).total) };
  }
  const wanted = { operation, request, format, coding, digest, isHead: method === 'HEAD' };
  const made = await makeAnswer(wanted, releases, state, service);
  if (!made.ok) return { problem: badParameters([tooManyRecords(request, made.problem)]) };
  const { body, headers, total, records } = made.value;
  const { contentType } = answerWriters[format];
  return { body, contentType, headers: { ...headersFor(total), ...headers }, records };
}

function tooManyRecords({ recordCount }: OperationRequest, message: string): ParameterError {
  return { parameter: recordCountParameter.name, message, value: String(recordCount) };
}

/** If-None-Match decides alone where it is sent (RFC 9110, section 13.2.2). */
function heldAnswer(sent: AskedRequest['headers'], digest: string, state: CatalogState): Held {
  const tags = sent.get('if-none-match');
  if (tags !== null) return heldByTag(tags, digest);
  const since = sent.get('if-modified-since');
  return since !== null && isUnchangedSince(since, state) ? { total: undefined } : undefined;
}
