// An operation as an HTTP function: key, query, search, answer, headers, in the order of D31.

import type { HttpRequest } from '@azure/functions';
import { writePage } from '../envelope/write-page';
import type { Operation } from '../operations/operation';
import { readRequest, type OperationRequest } from '../operations/read-request';
import { accessKey } from '../parameters/paging-and-access';
import { splitQuery, type QueryItem } from '../parameters/query-text';
import { dataSetLayouts } from '../records/data-sets';
import { planPage } from '../search/plan-page';
import { isAccepted } from '../store/access-keys';
import type { CatalogState } from '../store/catalog-types';
import { ReleaseGoneError, UnknownFormatError } from '../store/port';
import { badParameters, OVERLOADED, UNAUTHORIZED, VERSION_GONE } from './problem';
import type { HttpFunction } from './http-function';
import { respond, type Outcome } from './respond';
import type { Service } from './service';

/** A release can be deleted between reading the pointer and opening it, if its state was just superseded. */
const TRIES = 3;

export function endpoint(operation: Operation): HttpFunction {
  return {
    name: operation.name,
    route: operation.route,
    handle: (request, service) => respond(request, service, () => answer(operation, request, service)),
  };
}

async function answer(operation: Operation, request: HttpRequest, service: Service): Promise<Outcome> {
  const items = splitQuery(queryOf(request.url));
  const key = keyOf(request, items);
  const isAllowed =
    key !== undefined &&
    (await isAccepted(key, service.store.keys, service.now(), developmentKeyFor(request, service)));
  if (!isAllowed) return { problem: UNAUTHORIZED };
  const read = readRequest(operation, items, service.reading);
  if (!read.ok) return { problem: badParameters(read.errors) };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const state = await stateFor(read.request, service);
    if (state === undefined) return { problem: VERSION_GONE };
    try {
      return await answerFrom(state, operation, read.request, service);
    } catch (error) {
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
function developmentKeyFor({ headers }: HttpRequest, { developmentKey }: Service): string | undefined {
  return headers.has('forwarded') || headers.has('x-forwarded-for') ? undefined : developmentKey;
}

/** One request reads one catalog state (D33). */
function stateFor({ dataVersion }: OperationRequest, { store }: Service): Promise<CatalogState | undefined> {
  return dataVersion === undefined ? store.currentState() : store.stateOf(dataVersion);
}

async function answerFrom(
  state: CatalogState,
  operation: Operation,
  request: OperationRequest,
  service: Service,
): Promise<Outcome> {
  const page = await planPage(service.store, state, operation.dataSet, request.criteria, request, service.caches);
  const body = await writePage(dataSetLayouts[operation.dataSet], page);
  const headers = { 'Data-Version': state.version, 'Cache-Control': 'private, no-cache' };
  return { body, contentType: 'application/json', headers };
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
