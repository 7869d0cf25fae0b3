// Checks both files of a release completely (ADR 0050), in steps, so that a service can let other requests run in
// between. Files are opened for each step: a check may take a long time, and must not keep files of a deleted release
// open.

import { closeSync, fstatSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { hasCode } from '../../values/result';
import { DamagedReleaseError } from '../damaged-release';
import { CHECKED_PAGE_BYTES, checkPages, readTrailer, type Trailer } from './checksums';
import { readWhole } from './read-bytes';
import { getBlocksPath } from './release-files';

/** The bytes that a step reads. A multiple of the size of a page. */
const STEP_BYTES = 64 * CHECKED_PAGE_BYTES;

/** `path` is the SQLite file of a release with checksums. Throws DamagedReleaseError. */
export function* checkReleaseContent(path: string): Generator<undefined> {
  const blocksPath = getBlocksPath(path);
  const trailer = withFile(blocksPath, (descriptor) => readTrailer(descriptor, fstatSync(descriptor).size));
  for (const [start, pages] of readSteps(blocksPath, trailer.pageBytes)) {
    checkPages(pages, start / CHECKED_PAGE_BYTES, trailer);
    yield undefined;
  }
  if (measureFile(path) !== trailer.indexBytes) throw new DamagedReleaseError('its index has the wrong length');
  let checksum = 0;
  for (const [, bytes] of readSteps(path, trailer.indexBytes)) {
    checksum = crc32(bytes, checksum);
    yield undefined;
  }
  if (checksum !== trailer.indexChecksum) throw new DamagedReleaseError();
}

/** Returns the length and the checksum of the SQLite file at `path`, whose writer has closed it. */
export function measureIndex(path: string): Pick<Trailer, 'indexBytes' | 'indexChecksum'> {
  const indexBytes = measureFile(path);
  let indexChecksum = 0;
  for (const [, bytes] of readSteps(path, indexBytes)) indexChecksum = crc32(bytes, indexChecksum);
  return { indexBytes, indexChecksum };
}

/** Yields the offset and the bytes of each step. */
function* readSteps(path: string, fileBytes: number): Generator<readonly [start: number, bytes: Uint8Array]> {
  for (let start = 0; start < fileBytes; start += STEP_BYTES) {
    const bytes = Math.min(STEP_BYTES, fileBytes - start);
    yield [start, withFile(path, (descriptor) => readWhole(descriptor, bytes, start))];
  }
}

function measureFile(path: string): number {
  return withFile(path, (descriptor) => fstatSync(descriptor).size);
}

function withFile<Value>(path: string, read: (descriptor: number) => Value): Value {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    return read(descriptor);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new DamagedReleaseError('one of its files is missing');
    throw error;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
