// Answers each request with the function that the platform would call.

import { refuseUnknownPath } from '../shared/http/pipeline/send';
import type { HttpFunction, HttpRequest, HttpResponse, Service } from '../shared/http/pipeline/service';
import { createPlatformRouter } from './platform-router';

export type RequestHandler = (request: HttpRequest, service: Service) => Promise<HttpResponse>;

/** The platform answers 404 without a body if it finds no function. Here, the 404 has the same body as other errors. */
export function createRequestHandler(functions: readonly HttpFunction[]): RequestHandler {
  const findFunction = createPlatformRouter(functions);
  return (request, service) => {
    const match = findFunction(request.method, new URL(request.url).pathname);
    return match === undefined ? refuseUnknownPath(request, service) : match.handle(request, service);
  };
}
