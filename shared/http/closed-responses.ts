// When an answer has left: the response of Node's HTTP server is closed, because all of it was sent or nobody takes it.

import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AskedRequest } from './service';

/** Calls back at once when the response is closed already: no event would tell so. */
function whenClosed(response: ServerResponse, act: () => void): void {
  if (response.closed) act();
  else response.once('close', act);
}

/** The header by which the host of the platform says which invocation a request is for. */
const INVOCATION_ID = 'x-ms-invocation-id';

/**
 * The responses by which the host of the platform takes answers, by invocation. @azure/functions makes the server that
 * it asks and shows it to nobody, but Node tells of the requests of all servers on a diagnostics channel.
 */
export class InvocationResponses {
  private readonly open = new Map<string, ServerResponse>();

  constructor() {
    subscribe('http.server.request.start', (message) => {
      // Node documents the members of this channel's messages.
      const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
      const id = request.headers[INVOCATION_ID];
      if (typeof id !== 'string') return;
      this.open.set(id, response);
      whenClosed(response, () => this.open.delete(id));
    });
  }

  /** Undefined when the host takes the answer in another way, which does not tell when it has it. */
  closingOf(invocationId: string): AskedRequest['onClosed'] {
    const response = this.open.get(invocationId);
    if (response === undefined) return undefined;
    return (act) => {
      whenClosed(response, act);
    };
  }
}
