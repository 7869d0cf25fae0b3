// The number that says whether the catalog has changed: whoever trusts it never has an older catalog.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ChangeCounter, UnchangedRead } from '../../shared/store/sqlite/change-counter';
import { temporaryFolder } from '../fixtures/temporary-folder';

const folder = temporaryFolder();
let files = 0;
const opened: ChangeCounter[] = [];

afterAll(() => {
  for (const counter of opened) counter.close();
});

function open(path = join(folder, `changes-${files++}`)): { readonly counter: ChangeCounter; readonly path: string } {
  const counter = new ChangeCounter(path);
  opened.push(counter);
  return { counter, path };
}

function change(counter: ChangeCounter): void {
  counter.whileChanging(() => undefined);
}

/** As a writer leaves it that dies in its commit. */
function breakOff({ path }: { readonly path: string }): void {
  open(path).counter.whileChanging(() => {
    const changing = readFileSync(path);
    process.nextTick(() => {
      writeFileSync(path, changing);
    });
  });
}

test('a new file says nothing until the first change', () => {
  const { counter } = open();
  expect(counter.current()).toBeUndefined();
  change(counter);
  expect(counter.current()).toBeDefined();
});

test('the first change waits for nobody, and the one after a writer that died does', async () => {
  const wait = jest.spyOn(Atomics, 'wait');
  const { counter, path } = open();
  change(counter);
  change(counter);
  expect(wait).not.toHaveBeenCalled();
  breakOff({ path });
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  change(counter);
  expect(wait).toHaveBeenCalled();
  wait.mockRestore();
});

test('whoever has the file open hears of a change by another, and of none meanwhile', () => {
  const { counter, path } = open();
  const { counter: other } = open(path);
  change(counter);
  const before = other.current();
  counter.whileChanging(() => {
    expect(other.current()).toBeUndefined();
  });
  expect(other.current()).not.toBe(before);
  expect(other.current()).toBe(counter.current());
});

test('a change that failed, or whose writer died in it, is followed by a number that is new', async () => {
  const { counter, path } = open();
  change(counter);
  const before = counter.current();
  expect(() => {
    counter.whileChanging(() => {
      throw new Error('the disk is full');
    });
  }).toThrow('the disk is full');
  const afterFailure = counter.current();
  expect(afterFailure).not.toBe(before);
  breakOff({ path });
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  expect(counter.current()).toBeUndefined();
  change(counter);
  expect(counter.current()).toBeGreaterThan(afterFailure ?? Infinity);
});

test('what is remembered is never older than the last change, whoever made it', () => {
  const steps = fc.array(fc.record({ who: fc.nat(2), isChange: fc.boolean() }), { maxLength: 40 });
  fc.assert(
    fc.property(steps, (asked) => {
      let stored = 0;
      const { counter, path } = open();
      const counters = [counter, open(path).counter, open(path).counter];
      const reads = counters.map((own) => new UnchangedRead(own, () => stored));
      for (const { who, isChange } of asked) {
        if (!isChange) expect(reads[who]?.get()).toBe(stored);
        else {
          counters[who]?.whileChanging(() => {
            expect(reads[(who + 1) % 3]?.get()).toBe(stored);
            stored++;
            expect(reads[(who + 1) % 3]?.get()).toBe(stored);
          });
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('what is remembered is read once, and again after a second, since not every program counts', () => {
  const { counter } = open();
  change(counter);
  let now = 0;
  let reads = 0;
  const read = new UnchangedRead(
    counter,
    () => ++reads,
    () => now,
  );
  expect([read.get(), read.get()]).toEqual([1, 1]);
  now = 1000;
  expect(read.get()).toBe(2);
});
