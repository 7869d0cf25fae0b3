// An HTTP function: a route and what answers on it. The platform and the local host call the same declarations.

import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import type { Service } from './service';

export interface HttpFunction {
  readonly name: string;
  /** Without a leading slash; `{*path}` takes every path that no other function has. */
  readonly route: string;
  readonly handle: (request: HttpRequest, service: Service) => Promise<HttpResponseInit>;
}
