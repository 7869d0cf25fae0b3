// Settings whose default, `auto`, follows from the machine.

import { readInteger } from './values/numbers';
import { failure, success, type Result } from './values/result';

const MEGABYTE = 1024 * 1024;

const MOST_WORKERS = 64;

/** `auto` leaves half of the cores to loads and to the system, and is one process where there are few (ADR 0056). */
export function readWorkers(text: string, cores: number): Result<number> {
  if (text === 'auto') return success(cores < 4 ? 1 : Math.min(MOST_WORKERS, Math.floor(cores / 2)));
  return readBetween(text, [1, MOST_WORKERS]);
}

/** Megabytes. */
const SEARCH_CACHE = { least: 8, most: 65_536, leastAutomatic: 128, mostAutomatic: 1024 };

const SHARE_OF_MEMORY = 1 / 16;

/** Megabytes for the caches of the searches: all columns that totals read of 10,000,000 amounts take some 300. */
export function readSearchCache(text: string, memoryBytes: number): Result<number> {
  const { least, most, leastAutomatic, mostAutomatic } = SEARCH_CACHE;
  const share = Math.floor((memoryBytes * SHARE_OF_MEMORY) / MEGABYTE);
  if (text === 'auto') return success(Math.min(mostAutomatic, Math.max(leastAutomatic, share)));
  return readBetween(text, [least, most]);
}

/** Megabytes. */
const ANSWER_CACHE = { most: 65_536, ofProcess: 64 };

/** Megabytes for answers that were sent. Processes share none, so `auto` is as much for each (ADR 0056). */
export function readAnswerCache(text: string, workers: number): Result<number> {
  const { most, ofProcess } = ANSWER_CACHE;
  return text === 'auto' ? success(ofProcess * workers) : readBetween(text, [0, most]);
}

/** Megabytes. */
const LOADER_MEMORY = { least: 128, most: 65_536, leastAutomatic: 1024, mostAutomatic: 8192 };

/** Megabytes for a process that loads or makes files: 10,000,000 amounts take less than 500. */
export function readLoaderMemory(text: string, memoryBytes: number): Result<number> {
  const { least, most, leastAutomatic, mostAutomatic } = LOADER_MEMORY;
  const half = Math.floor(memoryBytes / 2 / MEGABYTE);
  if (text === 'auto') return success(Math.min(mostAutomatic, Math.max(leastAutomatic, half)));
  return readBetween(text, [least, most]);
}

/** Bytes that this process may use: a container has less than its machine. */
export function memoryOf(machineBytes: number, constrainedBytes: number): number {
  return constrainedBytes > 0 ? Math.min(machineBytes, constrainedBytes) : machineBytes;
}

function readBetween(text: string, [least, most]: readonly [number, number]): Result<number> {
  const value = readInteger(text);
  if (value !== undefined && value >= least && value <= most) return success(value);
  return failure(`must be auto or a whole number from ${least} to ${most}`);
}
