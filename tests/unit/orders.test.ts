// Orders of records, of rows on disk and of points, and what is found by them.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sortByKey } from '../../shared/search/order-records';
import { SortedRuns } from '../../data-loaders/stage/sorted-runs';
import { anyText } from '../fixtures/any-text';
import { temporaryFolder } from '../fixtures/temporary-folder';
import { mortonOrder, type PointList, visitBox } from '../../shared/tiles/morton-order';

test('indices stand in the order of their keys, those of equal keys in their own', async () => {
  const key = fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: -3, max: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(key, { maxLength: 200 }), async (drawn) => {
      const keys = drawn.map((each) => each + 0);
      const keyOf = (index: number): number => keys[index] ?? NaN;
      const ordered = (a: number, b: number): number => (keyOf(a) === keyOf(b) ? a - b : keyOf(a) < keyOf(b) ? -1 : 1);
      const expected = keys.map((_, index) => index).sort(ordered);
      expect([...(await sortByKey(Float64Array.from(keys)))]).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

const SEED = 20_261_122;

const folder = temporaryFolder();
let files = 0;

function rowsOf(runs: SortedRuns): readonly { readonly key: string; readonly text: string; readonly bytes: Buffer }[] {
  return Array.from(runs.rows(), (sorted) => {
    return { key: sorted.key, text: sorted.part(0).toString(), bytes: Buffer.from(sorted.part(1)) };
  });
}

const key = fc.string({ unit: fc.constantFrom('a', 'b', '\u0001', 'é', '\uFFFD', '😀', '~'), maxLength: 4 });
const row = fc.record({ key, text: anyText({ maxLength: 8 }) });

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

test('rows come back sorted and stable over any runs, also from a file that was left behind a checkpoint', () => {
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 20 }), { maxLength: 6 }), fc.nat(5), (batches, reopenedAfter) => {
      const path = join(folder, String(files++));
      let runs = new SortedRuns(path, 2);
      batches.forEach((rows, index) => {
        for (const { key: added, text } of rows) runs.add(added, text, Buffer.from(added));
        const saved = runs.save();
        if (index !== reopenedAfter) return;
        // What a process that was killed had written since.
        runs.add('lost', 'lost', '');
        runs.close();
        appendFileSync(path, 'half a block');
        runs = new SortedRuns(path, 2, saved);
      });
      const expected = batches.flat().map((each, index) => ({ ...each, index }));
      expected.sort((a, b) => byBytes(a.key, b.key) || a.index - b.index);
      const wanted = expected.map(({ key: sorted, text }) => ({ key: sorted, text, bytes: Buffer.from(sorted) }));
      expect(rowsOf(runs)).toEqual(wanted);
      expect(rowsOf(runs)).toHaveLength(expected.length);
      runs.close();
    }),
    { seed: SEED, numRuns: 200 },
  );
});

test('more runs than are merged at once, and rows larger than a block, come back in order', () => {
  const runs = new SortedRuns(join(folder, 'many'), 2);
  const keys = Array.from({ length: 600 }, (_, index) => String((index * 7919) % 600).padStart(3, '0'));
  for (const added of keys) {
    runs.add(added, added.repeat(added === '300' ? 100_000 : 1), '');
    runs.add('same', added, '');
    runs.save();
  }
  const rows = rowsOf(runs);
  expect(rows.map((each) => each.key)).toEqual([...keys].sort().concat(keys.map(() => 'same')));
  expect(rows[300]?.text).toBe('300'.repeat(100_000));
  expect(rows.slice(600).map(({ text }) => text)).toEqual(keys);
  runs.close();
});

const MOST = 2 ** 32 - 1;

/** Many points close together, at the ends of the world too. */
const coordinate = fc.oneof(
  fc.integer({ min: 0, max: MOST }),
  fc.integer({ min: 0, max: 40 }),
  fc.integer({ min: MOST - 40, max: MOST }),
  fc.integer({ min: 2 ** 31 - 20, max: 2 ** 31 + 20 }),
);

const points = fc.array(fc.tuple(coordinate, coordinate), { maxLength: 400 });

async function sorted(positions: readonly (readonly [number, number])[]): Promise<PointList> {
  const x = Uint32Array.from(positions, (position) => position[0]);
  const y = Uint32Array.from(positions, (position) => position[1]);
  const order = await mortonOrder({ x, y });
  return { x: order.map((point) => x[point] ?? NaN), y: order.map((point) => y[point] ?? NaN) };
}

test('each point of a box is visited once, and runs that are inside have no others', async () => {
  await fc.assert(
    fc.asyncProperty(
      points,
      coordinate,
      coordinate,
      fc.nat(2 ** 32),
      fc.nat(2 ** 32),
      async (positions, west, north, width, height) => {
        const list = await sorted(positions);
        const box = { west, north, east: Math.min(MOST + 1, west + width), south: Math.min(MOST + 1, north + height) };
        const isIn = (index: number): boolean => {
          const [x, y] = [list.x[index] ?? NaN, list.y[index] ?? NaN];
          return x >= box.west && x < box.east && y >= box.north && y < box.south;
        };
        const visited: number[] = [];
        visitBox(list, box, (from, to, isInside) => {
          for (let index = from; index < to; index++) {
            if (isInside) expect(isIn(index)).toBe(true);
            if (isIn(index)) visited.push(index);
          }
        });
        const expected = Array.from(list.x, (_, index) => index).filter(isIn);
        expect(visited).toEqual(expected);
      },
    ),
    { numRuns: 100 },
  );
});
