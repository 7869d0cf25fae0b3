// Reads bytes of the files of a release.

import { readSync } from 'node:fs';
import { hasCode } from '../../values/result';
import { DamagedReleaseError } from '../damaged-release';

/** Reads bytes of an open file. Throws DamagedReleaseError. */
export function readWhole(descriptor: number, bytes: number, offset: number): Buffer {
  const target = Buffer.allocUnsafe(Math.max(0, bytes));
  readInto(descriptor, target, offset);
  return target;
}

/** Throws DamagedReleaseError when the disk cannot read the bytes, or the file ends before them. */
export function readInto(descriptor: number, target: Uint8Array, offset: number): void {
  try {
    if (readSync(descriptor, target, 0, target.length, offset) === target.length) return;
  } catch (error) {
    if (!hasCode(error, 'EIO')) throw error;
  }
  throw new DamagedReleaseError('part of it cannot be read from the disk');
}
