// The way of every request: authorize, read, admit, take one catalog state, compare with the client's copy, answer,
// code, send. A route is data: who may ask, and how it is answered, mostly as a search or as a document (routes.ts).

import { decodeEscapes } from '../../query/query-string';
import { PreviousVersionGoneError } from '../../search/open-releases';
import { LargeBoundaryError } from '../../search/resolve-boundary';
import type { CatalogState } from '../../store/catalog-types';
import { DeadlinePassedError, getCurrentDeadline } from '../../store/deadline';
import { ReleaseGoneError, StoreUnavailableError, UnknownFormatError } from '../../store/port';
import { UnreadableReleasesError } from '../../store/readable-releases';
import { type Access, authorize } from './authorize';
import {
  boundaryTooLarge,
  type Outcome,
  OVERLOADED,
  PREVIOUS_VERSION_GONE,
  refuse,
  TOOK_TOO_LONG,
  VERSION_GONE,
} from './outcome';
import { refuseUnknownPath, respond, type RouteMethod } from './send';
import type { HttpFunction, HttpRequest, HttpResponse, Service } from './service';

export interface Route {
  readonly access: Access;
  /** GET alone where it is left out. Whoever takes GET takes HEAD, too. */
  readonly methods?: readonly RouteMethod[];
  readonly answer: (request: HttpRequest, service: Service) => Promise<Outcome>;
}

/**
 * Which route a path has that the function takes; undefined, and so a 404, for an unknown one. A promise of it lets a
 * function load the code of its routes with the first request for them.
 */
type FindRoute = (request: HttpRequest, service: Service) => Route | undefined | Promise<Route | undefined>;

/** A function of one route, or of several below one path. Its answers are counted and timed for the metrics. */
export function httpFunction(name: string, path: string, found: Route | FindRoute): HttpFunction {
  const find = typeof found === 'function' ? found : (): Route => found;
  return {
    name,
    route: path,
    handle: async (request, service) => {
      const startedAt = service.clock();
      const response = await handle(await find(request, service), request, service);
      const { requests, seconds, bytes } = service.metrics;
      requests.inc({ function: name, status: response.status });
      seconds.observe({ function: name }, Math.max(0, service.clock() - startedAt) / 1000);
      bytes.inc({ function: name }, response.body instanceof Uint8Array ? response.body.length : 0);
      return response;
    },
  };
}

/** An unknown path is refused before a key is looked at (D31). */
function handle(route: Route | undefined, request: HttpRequest, service: Service): Promise<HttpResponse> {
  if (route === undefined) return refuseUnknownPath(request, service);
  return respond(request, service, route.methods ?? ['GET'], () =>
    authorize(route.access, request, service, () => route.answer(request, service)),
  );
}

/** The segments of a path behind the first ones, each decoded once (D53); slashes at the end make none. */
export function readPathSegments(count: number, url: string): readonly string[] {
  const segments = new URL(url).pathname.split('/').filter((segment) => segment !== '');
  // What cannot be decoded is a character that no path has.
  return segments.slice(count).map((segment) => decodeEscapes(segment) ?? '\ufffd');
}

/** A release can be deleted between reading the pointer and opening it, if its state was just superseded. */
const TRIES = 3;

/**
 * Answers from the current state, or that of a data version (D33), when there is room for one more request; begins anew
 * when a release is deleted meanwhile. Throws UnreadableReleasesError: a release that cannot be read is never left out
 * of an answer (ADR 0050).
 */
export async function answerFromState(
  dataVersion: string | undefined,
  { queue, store, health }: Pick<Service, 'queue' | 'store' | 'health'>,
  answer: (state: CatalogState) => Promise<Outcome>,
): Promise<Outcome> {
  const answered = await queue.run(async () => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const state = await (dataVersion === undefined ? store.currentState() : store.findState(dataVersion));
      if (state === undefined) return refuse(VERSION_GONE);
      try {
        // A request that waited too long for its turn is not searched for.
        getCurrentDeadline().check();
        return await answer(state);
      } catch (error) {
        if (error instanceof DeadlinePassedError && error.waitedFor === 'search') return refuse(TOOK_TOO_LONG);
        if (error instanceof PreviousVersionGoneError) return refuse(PREVIOUS_VERSION_GONE);
        if (error instanceof LargeBoundaryError) return refuse(boundaryTooLarge(error.message));
        const isGone = error instanceof ReleaseGoneError;
        // A state from before a rebuild names releases that only the former program can read.
        if (dataVersion !== undefined && (isGone || error instanceof UnknownFormatError)) return refuse(VERSION_GONE);
        // A release that was deleted after a publish is not there either: the next state does not name it.
        if (isGone && attempt < TRIES - 1) continue;
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
