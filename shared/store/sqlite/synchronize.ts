// What must survive a power cut is written through to the disk: a file's bytes, or a directory's names.

import { closeSync, fsyncSync, openSync } from 'node:fs';

export function synchronize(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
