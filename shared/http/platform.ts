// Whether the platform's worker runs this process, and what it needs to be told once.

import { app } from '@azure/functions';
import { projectDirectory } from '../project-files';
import { readSettings, type Settings } from '../settings';

let settings: Settings | undefined;

/** When the first function is registered: a wrong setting stops the start. */
export function platformSettings(): Settings {
  if (settings === undefined) {
    // Large bodies then bypass the host's message channel (design.md, section 8).
    app.setup({ enableHttpStream: true });
    settings = readSettings(process.env, projectDirectory());
  }
  return settings;
}

/** The platform's worker, and nothing else, provides this module; @azure/functions looks for it in the same way. */
export function isOnPlatform(): boolean {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- it exists only inside the worker
    require('@azure/functions-core');
    return true;
  } catch {
    return false;
  }
}
