// Tells the platform of a function. Outside the platform @azure/functions keeps no registration and warns, so there this
// does nothing: the local host calls the declarations itself.

import { app, type HttpMethod } from '@azure/functions';
import type { HttpFunction } from './http-function';
import { logFailure } from './log-failure';
import { isOnPlatform, platformSettings } from './platform';
import { createService, type Service } from './service';

/** Every method: which are allowed is for the function to say, with a 405 of ours. */
const METHODS: HttpMethod[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'];

let service: Service | undefined;

export function register(declaration: HttpFunction): HttpFunction {
  if (isOnPlatform() && platformSettings().functionsToRun !== 'timers') {
    app.http(declaration.name, {
      methods: METHODS,
      authLevel: 'anonymous', // The key is ours (D30).
      route: declaration.route,
      handler: (request) => declaration.handle(request, platformService()),
    });
  }
  return declaration;
}

/** One a process, made when the first request comes. */
function platformService(): Service {
  if (service === undefined) {
    const made = createService(platformSettings(), {
      developmentKey: undefined,
      now: () => new Date(),
      logError: logFailure,
    });
    app.hook.appTerminate(() => made.access.flush());
    service = made;
  }
  return service;
}
