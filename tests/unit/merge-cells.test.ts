// Merging cells of points until they are far enough apart to be drawn.

import fc from 'fast-check';
import { mergeNearCells } from '../../shared/tiles/merge-cells';

interface Cell {
  readonly x: number;
  readonly y: number;
  readonly count: number;
}

const cell = fc.record({
  x: fc.integer({ min: 0, max: 4095 }),
  y: fc.integer({ min: 0, max: 4095 }),
  count: fc.integer({ min: 0, max: 50 }),
});

function merge(cells: readonly Cell[], distance: number): { readonly targets: Uint32Array; readonly merged: Cell[] } {
  const counts = Uint32Array.from(cells, ({ count }) => count);
  const sumX = Float64Array.from(cells, ({ x, count }) => x * count);
  const sumY = Float64Array.from(cells, ({ y, count }) => y * count);
  const targets = mergeNearCells({ counts, sumX, sumY }, distance);
  const merged = [...counts.keys()].map((index) => {
    const count = counts[index] ?? 0;
    return { count, x: (sumX[index] ?? 0) / count, y: (sumY[index] ?? 0) / count };
  });
  return { targets, merged };
}

test('leaves cells that are far enough apart as they are', () => {
  const cells = [
    { x: 0, y: 0, count: 3 },
    { x: 256, y: 0, count: 1 },
    { x: 0, y: 256, count: 2 },
  ];
  expect(merge(cells, 256)).toEqual({ targets: Uint32Array.of(0, 1, 2), merged: cells });
});

test('merges a cell into the nearby cell with the most points, at the mean of all points', () => {
  const cells = [
    { x: 100, y: 100, count: 1 },
    { x: 200, y: 100, count: 3 },
    { x: 900, y: 900, count: 5 },
  ];
  const { targets, merged } = merge(cells, 256);
  expect([...targets]).toEqual([1, 1, 2]);
  expect(merged[1]).toEqual({ x: 175, y: 100, count: 4 });
});

test('no two merged cells are too near, none is lost, and each lies at the mean of its points', () => {
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 80 }), fc.constantFrom(32, 256, 1024), (cells, distance) => {
      const { targets, merged } = merge(cells, distance);
      const kept = merged.filter(({ count }) => count > 0);
      for (const [index, a] of kept.entries()) {
        for (const b of kept.slice(index + 1)) {
          expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(distance - 1e-6);
        }
      }
      for (const [index, { count, x }] of merged.entries()) {
        const members = cells.filter((_, member) => targets[member] === index);
        const points = members.reduce((sum, member) => sum + member.count, 0);
        if (points > 0) {
          expect(count).toBe(points);
          expect(x).toBeCloseTo(members.reduce((sum, member) => sum + member.x * member.count, 0) / points, 6);
        }
      }
    }),
    { seed: 11, numRuns: 150 },
  );
});
