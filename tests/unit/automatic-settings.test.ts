// Settings with the default `auto`: their values follow from the memory and the cores of the machine.

import {
  findUsableMemory,
  readAnswerCache,
  readLoaderMemory,
  readSearchCache,
  readWorkers,
} from '../../shared/settings';

const GIGABYTE = 1024 ** 3;

test.each([
  [0.5, 128],
  [2, 128],
  [4, 256],
  [8, 512],
  [24, 1024],
])('with %s GB of memory, SEARCH_CACHE_MB=auto is %i MB', (gigabytes, megabytes) => {
  expect(readSearchCache(gigabytes * GIGABYTE)('auto')).toEqual({ ok: true, value: megabytes });
});

test.each([
  [0.5, 1024],
  [4, 2048],
  [64, 8192],
])('with %s GB of memory, LOADER_MEMORY_MB=auto is %i MB', (gigabytes, megabytes) => {
  expect(readLoaderMemory(gigabytes * GIGABYTE)('auto')).toEqual({ ok: true, value: megabytes });
});

test('uses the memory limit of a container if there is one', () => {
  expect(findUsableMemory(24 * GIGABYTE, 2 * GIGABYTE)).toBe(2 * GIGABYTE);
});

// Systems without a limit report 0 or a huge number.
test.each([0, 2 ** 64])('uses the memory of the machine if the reported limit is %s', (limit) => {
  expect(findUsableMemory(24 * GIGABYTE, limit)).toBe(24 * GIGABYTE);
});

test.each([
  [1, 1],
  [3, 1],
  [4, 2],
  [64, 32],
  [256, 64],
])('with %i cores, WORKERS=auto is %i processes', (cores, workers) => {
  expect(readWorkers(cores)('auto')).toEqual({ ok: true, value: workers });
});

test.each([
  [1, 64],
  [2, 128],
  [8, 512],
])('with %i processes, ANSWER_CACHE_MB=auto is %i MB: 64 MB for each', (workers, megabytes) => {
  expect(readAnswerCache(workers)('auto')).toEqual({ ok: true, value: megabytes });
});

test('a number in ANSWER_CACHE_MB is the total of all processes', () => {
  expect(readAnswerCache(8)('0')).toEqual({ ok: true, value: 0 });
});
