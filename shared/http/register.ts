// Tells the platform of a function. Outside the platform @azure/functions keeps no registration and warns, so there this
// does nothing: the local host calls the declarations itself.

import { app, type HttpMethod } from '@azure/functions';
import { readSettings, type Settings } from '../settings';
import { projectDirectory } from '../project-files';
import type { HttpFunction } from './http-function';
import { createService, type Service } from './service';

/** Every method: which are allowed is for the function to say, with a 405 of ours. */
const METHODS: HttpMethod[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'];

let settings: Settings | undefined;
let service: Service | undefined;

export function register(declaration: HttpFunction): HttpFunction {
  if (isOnPlatform()) {
    settings ??= setUp();
    app.http(declaration.name, {
      methods: METHODS,
      authLevel: 'anonymous', // The key is ours (D30).
      route: declaration.route,
      handler: (request) => declaration.handle(request, platformService()),
    });
  }
  return declaration;
}

/** When the first function is registered: a wrong setting stops the start. */
function setUp(): Settings {
  // Large bodies then bypass the host's message channel (design.md, section 8).
  app.setup({ enableHttpStream: true });
  return readSettings(process.env, projectDirectory());
}

/** One a process, made when the first request comes. */
function platformService(): Service {
  settings ??= setUp();
  service ??= createService(settings, {
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
