// The service of one process of this machine: all of it, or its share where several processes answer (ADR 0056); and
// the development key (D30), which lets people try the service on their own machine.

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKeyText, makeKey } from '../shared/access/access-keys';
import { createService, logFailure } from '../shared/http/make-service';
import { type Service } from '../shared/http/pipeline/service';
import { isLoopback, type Settings } from '../shared/settings';

export function createLocalService(settings: Settings): Service {
  const parts = { developmentKey: findDevelopmentKey(settings), now: () => new Date(), logError: logFailure };
  const service = createService(settings, parts, settings.workers);
  service.metrics.watchProcess();
  return service;
}

const OWNER_ONLY = 0o600;

/**
 * The same at each start and in each process, in a file of the data directory that only its owner can read. Undefined
 * where there is none: on an address that others reach, at a public address that others reach, and when the settings
 * say so (D54).
 */
export function findDevelopmentKey({ developmentKey, host, publicUrl, dataDirectory }: Settings): string | undefined {
  const isPublic = publicUrl !== '' && !isLoopback(new URL(publicUrl).hostname);
  if (!developmentKey || !isLoopback(host) || isPublic) return undefined;
  const path = join(dataDirectory, 'development-key');
  const previous = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const key = isKeyText(previous) ? previous : makeKey('development', new Date().toISOString(), null).key;
  if (key !== previous) {
    mkdirSync(dataDirectory, { recursive: true });
    writeFileSync(path, `${key}\n`, { mode: OWNER_ONLY });
  }
  // The mode above counts only for a file that did not exist.
  chmodSync(path, OWNER_ONLY);
  return key;
}
