// Tells the platform of a function. Outside the platform @azure/functions keeps no registration and warns, so there this
// does nothing: the local host calls the declarations itself.

import { app, type HttpMethod } from '@azure/functions';
import { readSettings } from '../settings';
import { projectDirectory } from '../project-files';
import type { HttpFunction } from './http-function';
import { createService, type Service } from './service';

/** Every method: which are allowed is for the function to say, with a 405 of ours. */
const METHODS: HttpMethod[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'];

let service: Service | undefined;
let isSetUp = false;

export function register(declaration: HttpFunction): HttpFunction {
  if (isOnPlatform()) {
    // Large bodies then bypass the host's message channel (design.md, section 8).
    if (!isSetUp) app.setup({ enableHttpStream: true });
    isSetUp = true;
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
  service ??= createService(readSettings(process.env, projectDirectory()), {
    developmentKey: undefined,
    now: () => new Date(),
    logError: (message, error) => {
      console.error(message, error);
    },
  });
  return service;
}

/** The platform's worker, and nothing else, provides this module; @azure/functions looks for it in the same way. */
function isOnPlatform(): boolean {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it exists only inside the worker
    require('@azure/functions-core');
    return true;
  } catch {
    return false;
  }
}
