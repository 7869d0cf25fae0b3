// The thread that writes sorted runs, as it was compiled, compared with the same work without a thread.

import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunPlace } from '../../data-loaders/stage/runs/run-cursor';
import { WRITE_IN_PLACE, type RunToWrite, type RunWriter } from '../../data-loaders/stage/runs/run-writer';
import { SortedRuns } from '../../data-loaders/stage/runs/sorted-runs';
import { ThreadedRunWriter } from '../../data-loaders/stage/runs/threaded-run-writer';
import { PROJECT } from '../fixtures/host-process';
import { temporaryFolder } from '../fixtures/temporary-folder';

const folder = temporaryFolder();
/** Two full runs, which the thread writes, and a part of one. */
const ROWS = 120_000;

const writer = new ThreadedRunWriter(join(PROJECT, 'dist/data-loaders/stage/runs/run-thread.js'));

afterAll(() => {
  writer.close();
});

function addRows(runs: SortedRuns): void {
  // Neighbouring rows lie far apart in the order, and every ninth key is there twice.
  for (let row = 0; row < ROWS; row++) runs.add(`é${((row % 107_000) * 7919) % 107_000}`, String(row));
}

/** One row, whose key is "k". */
function oneRow(): RunToWrite['rows'] {
  const memory = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 'k'.charCodeAt(0), 0).buffer;
  return { memory, length: 9, starts: Uint32Array.of(0), isSorted: false, parts: 1 };
}

test('a thread writes the bytes that are written without one', () => {
  const paths = [WRITE_IN_PLACE, writer].map((each, index) => {
    const path = join(folder, String(index));
    const runs = new SortedRuns(path, 1, undefined, each);
    addRows(runs);
    expect(runs.save().runs).toHaveLength(3);
    runs.close();
    return path;
  });
  const [inPlace, byThread] = paths.map((path) => readFileSync(path));
  expect(inPlace?.equals(byThread ?? Buffer.of())).toBe(true);
});

test('memory is taken with a run, and given back with its place when the next is written or the writer is closed', () => {
  const file = openSync(join(folder, 'memory'), 'w+');
  const written: [RunPlace, number][] = [];
  const note = (place: RunPlace, memory: ArrayBuffer): void => void written.push([place, memory.byteLength]);
  const [first, second] = [oneRow(), oneRow()];
  writer.write({ to: { file, start: 0 }, rows: first }, note);
  expect([first.memory.byteLength, written.length]).toEqual([0, 0]);
  writer.write({ to: { file, start: 100 }, rows: second }, note);
  expect(written).toEqual([[{ start: 0, end: expect.any(Number) as number }, 10]]);
  writer.close();
  expect(written).toHaveLength(2);
  closeSync(file);
});

test('a run that cannot be written fails where the next one is ended, with the reason', () => {
  const path = join(folder, 'read-only');
  writeFileSync(path, '');
  const file = openSync(path, 'r');
  const readOnly: RunWriter = {
    write: ({ rows }, written) => {
      writer.write({ to: { file, start: 0 }, rows }, written);
    },
    settle: () => {
      writer.settle();
    },
    close: () => undefined,
  };
  const runs = new SortedRuns(join(folder, 'failing'), 1, undefined, readOnly);
  expect(() => {
    addRows(runs);
  }).toThrow(/the thread that sorts rows failed: EBADF/);
  runs.close();
  closeSync(file);
});
