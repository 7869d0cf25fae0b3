// What the program takes of the machine, and the Node.js that it runs on.

import { memoryOf, readAnswerCache, readLoaderMemory, readSearchCache, readWorkers } from '../../shared/settings';
import { isNodeSupported } from '../../tools/command';

const GIGABYTE = 1024 ** 3;

test.each([
  [0.5, 128],
  [2, 128],
  [4, 256],
  [8, 512],
  [24, 1024],
])('of %s GB of memory the caches of the searches take %i MB by themselves', (gigabytes, megabytes) => {
  expect(readSearchCache('auto', gigabytes * GIGABYTE)).toEqual({ ok: true, value: megabytes });
});

test.each([
  [0.5, 1024],
  [4, 2048],
  [64, 8192],
])('of %s GB of memory a process that loads may take %i MB by itself', (gigabytes, megabytes) => {
  expect(readLoaderMemory('auto', gigabytes * GIGABYTE)).toEqual({ ok: true, value: megabytes });
});

test('a container has less memory than its machine, and a machine without a limit has its own', () => {
  expect(memoryOf(24 * GIGABYTE, 2 * GIGABYTE)).toBe(2 * GIGABYTE);
  expect(memoryOf(24 * GIGABYTE, 0)).toBe(24 * GIGABYTE);
  // What some systems say where no limit is set.
  expect(memoryOf(24 * GIGABYTE, 2 ** 64)).toBe(24 * GIGABYTE);
});

test.each([
  [1, 1],
  [3, 1],
  [4, 2],
  [64, 32],
  [256, 64],
])('%i cores have %i processes by themselves', (cores, workers) => {
  expect(readWorkers('auto', cores)).toEqual({ ok: true, value: workers });
});

test('each process has as much memory for its answers as one alone has, and a number is that of all', () => {
  expect([1, 2, 8].map((workers) => readAnswerCache('auto', workers))).toEqual(
    [64, 128, 512].map((value) => ({ ok: true, value })),
  );
  expect(readAnswerCache('0', 8)).toEqual({ ok: true, value: 0 });
});

test.each(['7', '65537', 'lots', '-1', ''])('a search cache of "%s" is refused', (text) => {
  expect(readSearchCache(text, GIGABYTE)).toEqual({
    ok: false,
    problem: 'must be auto or a whole number from 8 to 65536',
  });
});

test.each(['22.15.0', '22.20.1', '23.8.0', '24.0.0', '25.1.0', '100.0.0'])('runs on Node %s', (version) => {
  expect(isNodeSupported(version)).toBe(true);
});

test.each(['18.20.0', '20.20.2', '22.14.9', '23.0.0', '23.7.0'])('refuses Node %s', (version) => {
  expect(isNodeSupported(version)).toBe(false);
});
