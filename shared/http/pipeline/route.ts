// A route as data: who may use it, and how it answers. The pipeline runs routes.

import type { Access, Caller, CountMoreRequests } from './authorize';
import type { Outcome } from './outcome';
import type { RouteMethod } from './send';
import type { HttpRequest, Service } from './service';

export interface Route {
  readonly access: Access;
  /** Defaults to GET, which includes HEAD. */
  readonly methods?: readonly RouteMethod[];
  /** Whether POST works like GET, but with parameters in the body (D68). */
  readonly acceptsPost?: boolean;
  /** A body with several messages counts as several requests. Call `countMore` to count all but the first. */
  readonly answer: (
    request: HttpRequest,
    service: Service,
    countMore: CountMoreRequests,
    caller: Caller,
  ) => Promise<Outcome>;
}

/**
 * Finds the route of a request. Undefined for an unknown path, which becomes a 404. A function may return a promise, to
 * load the code of its routes with the first request.
 */
export type FindRoute = (request: HttpRequest, service: Service) => Route | undefined | Promise<Route | undefined>;

export interface RouteEntry {
  /** Labels the route in metrics. */
  readonly name: string;
  /**
   * The complete path, without a leading slash. `/{*path}` at the end matches the path before it and every path below
   * it.
   */
  readonly path: string;
  readonly route: Route | FindRoute;
}
