// Converts the platform's requests for our handlers, and the handlers' answers for the platform.

import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadableStream } from 'node:stream/web';
import type { HttpHandler, HttpRequest as PlatformRequest } from '@azure/functions';
import { listenForClose } from '../shared/http/pipeline/send';
import type { HttpFunction, HttpRequest, Service } from '../shared/http/pipeline/service';
import { readBodyStream, restoreAddress, streamBody } from './platform-request';
import { toPlatformBody } from './platform-response';

/** The handler that is registered for a function. `getService` creates the service at the first request. */
export function createPlatformHandler(
  { handle }: Pick<HttpFunction, 'handle'>,
  getService: () => Service,
  responses: InvocationResponses,
): HttpHandler {
  return async (platformRequest, { invocationId }) => {
    const response = responses.find(invocationId);
    const { body, ...answer } = await handle(toHttpRequest(platformRequest, response), getService());
    return body === undefined ? answer : { ...answer, body: toPlatformBody(body, response) };
  };
}

function toHttpRequest(platformRequest: PlatformRequest, response: ServerResponse | undefined): HttpRequest {
  const { method, headers, body } = platformRequest;
  const request: HttpRequest = {
    method,
    url: restoreAddress(platformRequest),
    headers,
    onClosed: response && listenForClose(response),
    // The library declares streams with chunks of any type, but the chunks are bytes.
    readBody: (maxBytes) => readBodyStream(body as ReadableStream<Uint8Array> | null, maxBytes),
    streamBody: () => streamBody(body as ReadableStream<Uint8Array> | null),
  };
  return request;
}

/** The header that contains the id that the platform's host gives to each request. */
const INVOCATION_ID = 'x-ms-invocation-id';

/**
 * Finds the response to the platform's host by invocation id. The server that @azure/functions creates is not
 * accessible, but Node publishes the requests of all servers on a diagnostics channel.
 */
export class InvocationResponses {
  private readonly open = new Map<string, ServerResponse>();

  constructor() {
    subscribe('http.server.request.start', (message) => {
      // Node documents these members of the channel's messages.
      const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
      const id = request.headers[INVOCATION_ID];
      if (typeof id !== 'string') return;
      this.open.set(id, response);
      response.once('close', () => this.open.delete(id));
    });
  }

  /** Undefined if the host does not use HTTP streaming. The end of an answer cannot be detected then. */
  find(invocationId: string): ServerResponse | undefined {
    return this.open.get(invocationId);
  }
}
