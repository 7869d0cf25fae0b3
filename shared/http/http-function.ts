// An HTTP function: a route and what answers on it. The platform and the local host call the same declarations.

import type { HttpRequest, HttpResponseInit } from '@azure/functions';
import type { Service } from './service';

/** What handlers look at of a request: a host outside the platform need not make more of it. */
export interface AskedRequest extends Pick<HttpRequest, 'method'> {
  /** Absolute. Its query stands as it was sent: the handlers read it strictly. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Pick<HttpRequest['headers'], 'get' | 'has'>;
}

export interface HttpFunction {
  readonly name: string;
  /** Without a leading slash; `{*path}` takes every path that no other function has. */
  readonly route: string;
  readonly handle: (request: AskedRequest, service: Service) => Promise<HttpResponseInit>;
}
