// The steps of every request: authorize, read, wait for a turn, open one catalog state, compare with the client's copy,
// answer, compress, send. A route is data: who may use it, and how it answers, usually with a search or a document.

import { countParameters, decodeEscapes } from '../../query/query-string';
import { PreviousVersionGoneError } from '../../search/open-releases';
import { LargeBoundaryError } from '../../search/resolve-boundary';
import type { CatalogState } from '../../store/catalog-types';
import { DeadlinePassedError, getCurrentDeadline } from '../../store/deadline';
import { ReleaseGoneError, StoreUnavailableError, UnknownFormatError } from '../../store/port';
import { UnreadableReleasesError } from '../../store/readable-releases';
import { authorize, getQueryText } from './authorize';
import {
  boundaryTooLarge,
  MAX_PARAMETERS,
  type Outcome,
  OVERLOADED,
  PREVIOUS_VERSION_GONE,
  type Problem,
  refuse,
  TOO_MANY_PARAMETERS,
  TOOK_TOO_LONG,
  VERSION_GONE,
} from './outcome';
import { answerPostedQuery } from './posted-query';
import type { Route, RouteEntry } from './route';
import { createRouteTable } from './route-table';
import { refuseUnknownPath, respond, type RouteMethod } from './send';
import { HTTP_METHODS, type HttpFunction, type HttpRequest, type HttpResponse, type Service } from './service';

interface FunctionDeclaration {
  readonly name: string;
  /**
   * The route template of the platform, without a leading slash. `{*path}` matches the path before it and every path
   * below.
   */
  readonly route: string;
  readonly routes: readonly RouteEntry[];
  /** Adds an HTML page to a problem response for a browser. */
  readonly addPage?: AddPage;
}

type AddPage = (problem: Problem, request: HttpRequest, service: Service) => Problem;

/** For functions that only programs call: they read problems as JSON. */
const addNoPage: AddPage = (problem) => problem;

/** Creates a function from one or more routes. Its answers are counted and timed for the metrics, by route. */
export function httpFunction({ name, route, routes, addPage = addNoPage }: FunctionDeclaration): HttpFunction {
  const findEntry = createRouteTable(routes);
  return {
    name,
    route,
    methods: HTTP_METHODS,
    handle: async (request, service) => {
      const startedAt = service.clock();
      const entry = findEntry(request.url);
      const response = await handle(await findRoute(entry, request, service), request, service, addPage);
      const label = entry?.name ?? name;
      const { requests, seconds, bytes } = service.metrics;
      requests.inc({ function: label, status: response.status });
      seconds.observe({ function: label }, Math.max(0, service.clock() - startedAt) / 1000);
      bytes.inc({ function: label }, response.body instanceof Uint8Array ? response.body.length : 0);
      return response;
    },
  };
}

function findRoute(
  entry: RouteEntry | undefined,
  request: HttpRequest,
  service: Service,
): Route | undefined | Promise<Route | undefined> {
  const route = entry?.route;
  return typeof route === 'function' ? route(request, service) : route;
}

/** Handles a request. Refuses an unknown path before checking the key (D31). */
function handle(
  route: Route | undefined,
  request: HttpRequest,
  service: Service,
  addPage: AddPage,
): Promise<HttpResponse> {
  if (route === undefined) return refuseUnknownPath(request, service, addPage);
  return respond(request, service, listMethods(route), async () => {
    // Checked first, because even looking for a key would decode all parameters.
    if (hasTooManyParameters(request)) return refuse(TOO_MANY_PARAMETERS);
    const outcome = await authorize(route.access, request, service, (countMore, caller) =>
      route.acceptsPost === true && request.method === 'POST'
        ? answerPostedQuery(request, service, (query) => route.answer(query, service, countMore, caller))
        : route.answer(request, service, countMore, caller),
    );
    return outcome.kind === 'problem' ? refuse(addPage(outcome.createProblem, request, service)) : outcome;
  });
}

function hasTooManyParameters(request: HttpRequest): boolean {
  return countParameters(getQueryText(request), MAX_PARAMETERS + 1) > MAX_PARAMETERS;
}

function listMethods({ methods = ['GET'], acceptsPost = false }: Route): readonly RouteMethod[] {
  return acceptsPost ? [...methods, 'POST'] : methods;
}

/**
 * Returns the segments of a path after the first `count`, each decoded once (D53). Trailing slashes add no segments.
 */
export function readPathSegments(count: number, url: string): readonly string[] {
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '');
  // A segment that cannot be decoded becomes a character that occurs in no route.
  return segments.slice(count).map((segment) => decodeEscapes(segment) ?? '\ufffd');
}

/** How many times to try. A release can be deleted before it is opened, if its state has just been superseded. */
const MAX_TRIES = 3;

/**
 * Answers from the current state, or from the state of a data version (D33), as soon as the queue has room. Starts over
 * if a release is deleted in the meantime. Throws UnreadableReleasesError if a release cannot be read, because an
 * answer must not leave one out (ADR 0050).
 */
export async function answerFromState(
  dataVersion: string | undefined,
  { queue, store, health }: Pick<Service, 'queue' | 'store' | 'health'>,
  answer: (state: CatalogState) => Promise<Outcome>,
): Promise<Outcome> {
  const answered = await queue.run(async () => {
    for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
      const state = await (dataVersion === undefined ? store.currentState() : store.findState(dataVersion));
      if (state === undefined) return refuse(VERSION_GONE);
      try {
        // The request may have waited too long for its turn.
        getCurrentDeadline().check();
        return await answer(state);
      } catch (error) {
        if (error instanceof DeadlinePassedError && error.waitedFor === 'search') return refuse(TOOK_TOO_LONG);
        if (error instanceof PreviousVersionGoneError) return refuse(PREVIOUS_VERSION_GONE);
        if (error instanceof LargeBoundaryError) return refuse(boundaryTooLarge(error.message));
        const isGone = error instanceof ReleaseGoneError;
        // A state from before a rebuild refers to releases that only the previous version of the program can read.
        if (dataVersion !== undefined && (isGone || error instanceof UnknownFormatError)) return refuse(VERSION_GONE);
        // The release was deleted after a publish. The new state does not refer to it.
        if (isGone && attempt < MAX_TRIES - 1) continue;
        if (error instanceof DeadlinePassedError || error instanceof StoreUnavailableError) throw error;
        const unreadable = await health.releases.explainFailure(store, state.entries);
        if (unreadable.length > 0) throw new UnreadableReleasesError(unreadable, error);
        if (!isGone) throw error;
      }
    }
    return undefined;
  });
  return answered ?? refuse(OVERLOADED);
}
