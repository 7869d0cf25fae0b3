// The development key (D30): the same at each start, in a file of the data directory that only its owner can read.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isKeyText, makeKey } from '../shared/access/access-keys';

const OWNER_ONLY = 0o600;

export function readDevelopmentKey(dataDirectory: string): string {
  const path = join(dataDirectory, 'development-key');
  const kept = readKept(path);
  if (kept !== undefined) {
    chmodSync(path, OWNER_ONLY);
    return kept;
  }
  const { key } = makeKey('development', new Date().toISOString(), null);
  mkdirSync(dataDirectory, { recursive: true });
  writeFileSync(path, `${key}\n`, { mode: OWNER_ONLY });
  // The mode above counts only for a file that was not there.
  chmodSync(path, OWNER_ONLY);
  return key;
}

function readKept(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim();
    return isKeyText(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
