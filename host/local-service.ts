// Creates the service of one process on this machine (ADR 0056) with the development key (D30), which lets people try
// the service on their own machine.

import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { intakeFunctions } from '../functions/intake-functions';
import { isKeyText, makeKey } from '../shared/access/access-keys';
import { createService, logFailure } from '../shared/http/make-service';
import { type Service } from '../shared/http/pipeline/service';
import { isLoopback, type Settings } from '../shared/settings';
import { makeFolder } from '../shared/store/make-folder';
import { hasCode } from '../shared/values/result';

export function createLocalService(settings: Settings): Service {
  const developmentKey = findDevelopmentKey(settings);
  const parts = { developmentKey, now: () => new Date(), logError: logFailure, intakeFunctions };
  const service = createService(settings, parts, settings.workers);
  service.metrics.watchProcess();
  return service;
}

const OWNER_ONLY = 0o600;

/** The permission bits of a file mode. */
const PERMISSIONS = 0o777;

/**
 * The development key, which is the same at each start and in each process. It is stored in a file of the data
 * directory that only its owner can read. Undefined if others can reach the service's address or public address, or if
 * the settings turn it off (D54).
 */
export function findDevelopmentKey({ developmentKey, host, publicUrl, dataDirectory }: Settings): string | undefined {
  const isPublic = publicUrl !== '' && !isLoopback(new URL(publicUrl).hostname);
  if (!developmentKey || !isLoopback(host) || isPublic) return undefined;
  const path = join(dataDirectory, 'development-key');
  const previous = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  const key = isKeyText(previous) ? previous : makeKey('development', new Date().toISOString(), null).key;
  if (key !== previous && !writeKey(path, key)) return undefined;
  // The mode above applies only to a new file.
  if ((statSync(path).mode & PERMISSIONS) !== OWNER_ONLY) chmodSync(path, OWNER_ONLY);
  return key;
}

/** Returns false if the disk is full or read-only, because the service must start anyway. */
function writeKey(path: string, key: string): boolean {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, `${key}\n`, { mode: OWNER_ONLY });
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM')) return false;
    throw error;
  }
}
