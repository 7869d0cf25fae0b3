// An operation as an HTTP function: key, query, search, answer, headers, in the order of D31.

import type { HttpRequest } from '@azure/functions';
import { answerWriters } from '../envelope/answer-writers';
import type { Operation } from '../operations/operation';
import { readRequest, type OperationRequest, type ParameterError } from '../operations/read-request';
import type { AnswerFormat } from '../parameters/answer-format';
import { accessKey, recordCount as recordCountParameter } from '../parameters/paging-and-access';
import { splitQuery, type QueryItem } from '../parameters/query-text';
import { dataSetLayouts } from '../records/data-sets';
import { Deadline, DeadlinePassedError } from '../search/deadline';
import { resolveBoundary } from '../search/places/resolve-boundary';
import { openReleases, planPage } from '../search/plan-page';
import { isAccepted } from '../store/access-keys';
import type { CatalogState } from '../store/catalog-types';
import { ReleaseGoneError, UnknownFormatError } from '../store/port';
import { encodeBody, negotiateCoding } from './content-coding';
import { answerDigest, entityTag, heldByTag, type Held } from './entity-tag';
import { isUnchangedSince, lastModified } from './last-modified';
import { negotiateFormat } from './negotiation';
import { badParameters, NOT_ACCEPTABLE, OVERLOADED, TOOK_TOO_LONG, UNAUTHORIZED, VERSION_GONE } from './problem';
import type { HttpFunction } from './http-function';
import { queryHint } from './query-hint';
import { respond, type Outcome } from './respond';
import type { Service } from './service';
import { walkHeaders } from './walk-headers';

/** A release can be deleted between reading the pointer and opening it, if its state was just superseded. */
const TRIES = 3;

/** The request headers, beside the key, that an answer depends on. */
const VARY = 'Accept, Accept-Encoding';

export function endpoint(operation: Operation): HttpFunction {
  return {
    name: operation.name,
    route: operation.route,
    handle: (request, service) => respond(request, service, () => answer(operation, request, service)),
  };
}

async function answer(operation: Operation, request: HttpRequest, service: Service): Promise<Outcome> {
  const deadline = new Deadline(service.now, service.deadlineMs);
  const items = splitQuery(queryOf(request.url));
  const key = keyOf(request, items);
  const isAllowed =
    key !== undefined &&
    (await isAccepted(key, service.store.keys, service.now(), developmentKeyFor(request, service)));
  if (!isAllowed) return { problem: UNAUTHORIZED };
  const read = readRequest(operation, items, service.reading);
  if (!read.ok) return { problem: badParameters(read.errors) };
  const format = read.request.format ?? negotiateFormat(request.headers.get('accept'));
  if (format === undefined) return { problem: NOT_ACCEPTABLE };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const state = await stateFor(read.request, service);
    if (state === undefined) return { problem: VERSION_GONE };
    try {
      return await answerFrom(state, operation, read.request, format, request, service, deadline);
    } catch (error) {
      if (error instanceof DeadlinePassedError) return { problem: TOOK_TOO_LONG };
      const isFormer = read.request.dataVersion !== undefined;
      // A state of before a rebuild names releases that only the former program can read.
      if (isFormer && error instanceof UnknownFormatError) return { problem: VERSION_GONE };
      if (!(error instanceof ReleaseGoneError)) throw error;
      if (isFormer) return { problem: VERSION_GONE };
    }
  }
  return { problem: OVERLOADED };
}

/** Behind a proxy everybody comes from loopback, so the development key does not count there. */
export function developmentKeyFor({ headers }: HttpRequest, { developmentKey }: Service): string | undefined {
  return headers.has('forwarded') || headers.has('x-forwarded-for') ? undefined : developmentKey;
}

/** One request reads one catalog state (D33). */
function stateFor({ dataVersion }: OperationRequest, { store }: Service): Promise<CatalogState | undefined> {
  return dataVersion === undefined ? store.currentState() : store.stateOf(dataVersion);
}

async function answerFrom(
  state: CatalogState,
  operation: Operation,
  asked: OperationRequest,
  format: AnswerFormat,
  { headers: sent }: HttpRequest,
  service: Service,
  deadline: Deadline,
): Promise<Outcome> {
  const { dataSet } = operation;
  const { store, caches } = service;
  const criteria = await resolveBoundary(store, state, asked.criteria, caches);
  const releases = criteria === undefined ? [] : await openReleases(store, state, dataSet, criteria, caches);
  const request = { ...asked, criteria: criteria ?? asked.criteria };
  const coding = negotiateCoding(sent.get('accept-encoding'));
  const digest = answerDigest(operation, request, releases, [format, coding ?? 'identity']);
  const modified = lastModified(releases, service.now());
  const headersFor = (total: number): Readonly<Record<string, string>> => ({
    'Data-Version': state.version,
    'Cache-Control': 'private, no-cache',
    Vary: VARY,
    ...(modified === undefined ? {} : { 'Last-Modified': modified }),
    ETag: entityTag(digest, total),
    ...walkHeaders(operation, request, state.version, total, service.publicUrl),
  });
  const held = heldAnswer(sent, digest, state);
  if (held?.total !== undefined) return { notModified: headersFor(held.total) };
  const page = await planPage(releases, request.criteria, request, caches, deadline);
  if (held !== undefined) return { notModified: headersFor(page.total) };
  const hint = page.total === 0 ? await queryHint(operation, request, state, service) : {};
  const { contentType, write } = answerWriters[format];
  const body = await write(dataSetLayouts[dataSet], page, service.bodies);
  if (!body.ok) return { problem: badParameters([tooManyRecords(request, body.problem)]) };
  const coded = await encodeBody(body.value, coding);
  if (coded.body !== body.value) service.bodies.giveBack(body.value);
  const own = { ...dispositionOf(operation, request, format), ...hint };
  const headers = { ...headersFor(page.total), ...own, ...coded.headers };
  return { body: coded.body, contentType, headers };
}

/** A browser saves a CSV answer as a file, each page of a walk under its own name. */
function dispositionOf({ name }: Operation, { startIndex }: OperationRequest, format: AnswerFormat): object {
  if (format !== 'csv') return {};
  return { 'Content-Disposition': `attachment; filename="${name}${startIndex === 0 ? '' : `-${startIndex}`}.csv"` };
}

function tooManyRecords({ recordCount }: OperationRequest, message: string): ParameterError {
  return { parameter: recordCountParameter.name, message, value: String(recordCount) };
}

/** If-None-Match decides alone where it is sent (RFC 9110, section 13.2.2). */
function heldAnswer(sent: HttpRequest['headers'], digest: string, state: CatalogState): Held {
  const tags = sent.get('if-none-match');
  if (tags !== null) return heldByTag(tags, digest);
  const since = sent.get('if-modified-since');
  return since !== null && isUnchangedSince(since, state) ? { total: undefined } : undefined;
}

/** The header wins (D30); of several in the query the first counts, and reading the request then refuses the others. */
function keyOf(request: HttpRequest, items: readonly QueryItem[]): string | undefined {
  const header = request.headers.get('x-api-key')?.trim();
  if (header !== undefined && header !== '') return header;
  const name = accessKey.name.toLowerCase();
  return items.find((item) => item.name.trim().toLowerCase() === name && item.value.trim() !== '')?.value.trim();
}

/** As it was sent: URL parsers repair what a strict reader must see. */
function queryOf(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return '';
  const end = url.indexOf('#', start);
  return url.slice(start + 1, end === -1 ? undefined : end);
}
