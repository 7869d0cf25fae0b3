// The app on Azure Functions, which package.json names. It registers the functions and timers and detects when an
// answer was sent. Nothing else loads @azure/functions, because that takes as long as a whole small request.

import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadableStream } from 'node:stream/web';
import { app, type HttpMethod, type HttpRequest as PlatformRequest } from '@azure/functions';
import { timerFunctions } from '../../data-loaders/intake/timers';
import { httpFunctions } from '../../functions/main';
import { readBodyStream, restoreAddress } from '../../functions/platform-request';
import { toPlatformBody } from '../../functions/platform-response';
import { createService, logFailure } from '../../shared/http/make-service';
import { listenForClose } from '../../shared/http/pipeline/send';
import type { HttpRequest, Service } from '../../shared/http/pipeline/service';
import { findProjectDirectory } from '../../shared/project-files';
import { readSettings, type Settings } from '../../shared/settings';

/** All methods are registered. The functions answer 405 themselves. */
const METHODS: HttpMethod[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'];

/** The platform runs a timer on one instance at a time. It stops a run by ending the process, which is safe. */
function registerTimers(settings: Settings): void {
  for (const { name, schedule: readSchedule, run } of timerFunctions) {
    const schedule = readSchedule(settings);
    const handler = (): Promise<unknown> => run(settings, new AbortController().signal);
    if (schedule !== undefined) app.timer(name, { schedule, handler });
  }
}

function registerHttpFunctions(settings: Settings): void {
  // One service for each process, created at the first request.
  let service: Service | undefined;
  const responses = new InvocationResponses();
  for (const { name, route, handle } of httpFunctions) {
    app.http(name, {
      methods: METHODS,
      authLevel: 'anonymous', // The key is ours (D30).
      route,
      handler: async (platformRequest, { invocationId }) => {
        const response = responses.find(invocationId);
        service ??= openService(settings);
        const { body, ...answer } = await handle(toHttpRequest(platformRequest, response), service);
        return body === undefined ? answer : { ...answer, body: toPlatformBody(body, response) };
      },
    });
  }
}

function toHttpRequest(platformRequest: PlatformRequest, response: ServerResponse | undefined): HttpRequest {
  const { method, headers, body } = platformRequest;
  const request: HttpRequest = {
    method,
    url: restoreAddress(platformRequest),
    headers,
    onClosed: response && listenForClose(response),
    // The library declares its streams with chunks of any type. They are bytes.
    readBody: (maxBytes) => readBodyStream(body as ReadableStream<Uint8Array> | null, maxBytes),
  };
  return request;
}

function openService(settings: Settings): Service {
  const service = createService(settings, { developmentKey: undefined, now: () => new Date(), logError: logFailure });
  service.metrics.watchProcess();
  app.hook.appTerminate(async () => {
    await service.selfService?.mails?.idle();
    await service.access.usage.flush();
  });
  return service;
}

/** The header with which the platform's host names the invocation of a request. */
const INVOCATION_ID = 'x-ms-invocation-id';

/**
 * The responses to the platform's host, by invocation. The server that @azure/functions creates is not accessible, but
 * Node publishes the requests of all servers on a diagnostics channel.
 */
class InvocationResponses {
  private readonly open = new Map<string, ServerResponse>();

  constructor() {
    subscribe('http.server.request.start', (message) => {
      // Node documents the members of this channel's messages.
      const { request, response } = message as { readonly request: IncomingMessage; readonly response: ServerResponse };
      const id = request.headers[INVOCATION_ID];
      if (typeof id !== 'string') return;
      this.open.set(id, response);
      response.once('close', () => this.open.delete(id));
    });
  }

  /** Undefined when the host does not use HTTP streaming; then the end of an answer cannot be detected. */
  find(invocationId: string): ServerResponse | undefined {
    return this.open.get(invocationId);
  }
}

// A wrong setting throws, and so stops the start.
const settings = readSettings(process.env, findProjectDirectory());
// Large bodies then bypass the host's message channel.
app.setup({ enableHttpStream: true });
// One app may leave HTTP to another (ADR 0029).
if (settings.functionsToRun !== 'timers') registerHttpFunctions(settings);
if (settings.functionsToRun !== 'http') registerTimers(settings);
