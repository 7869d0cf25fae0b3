// The cost of a boundary's grid (ADR 0037), counted in entries of cells: building writes each edge of a cell once, and
// a position in the cell asks each.

import type { Position } from 'geojson';
import { edgesOf } from '../../shared/search/boundary/edges';
import { buildEdgeGrid, buildGridInCell, type EdgeGrid } from '../../shared/search/boundary/edge-grid';
import type { Box, Geometry } from '../../shared/values/geometry';
import { SeededRandom } from '../../bench/generate/seeded-random';

const random = new SeededRandom(1);
const EDGES = 5_000;
const ENTRIES_TO_BUILD = 4 * EDGES ** 1.5;
const ENTRIES_A_POSITION = 50;

describe('the grid of a hostile boundary of 5,000 edges', () => {
  test.each([
    ['a scribble', ring(() => anywhere())],
    ['a zigzag from west to east', ring((share, index) => [share, index % 2])],
    ['a zigzag from south to north', ring((share, index) => [index % 2, share])],
    ['a zigzag aslant', ring((share, index) => (index % 2 === 0 ? [share, 0] : [1, share]))],
    ['edges through one point', ring((share, index) => onCircle(share / 2 + (index % 2) / 2))],
    ['edges from two sides to the other two', ring((_, index) => onSides(index % 2))],
    ['positions on a coarse lattice', ring(() => [random.integer(0, 24) / 24, random.integer(0, 8) / 8])],
    ['a scribble in a corner, and a few positions far from it', ring((share) => (share < 0.998 ? near() : anywhere()))],
    ['overlapping triangles', triangles()],
  ])('is short to build and leaves few edges to ask: %s', (_, boundary) => {
    const grid = buildEdgeGrid(edgesOf(boundary));
    expect(grid.entries.length).toBeLessThan(ENTRIES_TO_BUILD);
    expect(meanEntriesAsked(grid)).toBeLessThan(ENTRIES_A_POSITION);
  });

  test('is small for a boundary that crosses itself nowhere', () => {
    const grid = buildEdgeGrid(edgesOf(ring((share) => onCircle(share))));
    expect(grid.entries.length).toBeLessThan(2 * EDGES);
    expect(meanEntriesAsked(grid)).toBeLessThan(1);
  });
});

test('where all edges cross in one cell, its own grid leaves a twentieth of them to ask', () => {
  const grid = buildEdgeGrid(edgesOf(ring((share, index) => onCircle(share / 2 + (index % 2) / 2))));
  const [row, column] = [grid.rows.indexOf(0.5), grid.columns.indexOf(0.5)];
  const inCell = buildGridInCell(grid, row, column);
  if (inCell === undefined) throw new Error('The cell gets no grid.');
  expect(inCell.firstVirtual).toBeGreaterThan(0.9 * EDGES);

  const [west = NaN, east = NaN] = grid.columns.starts.subarray(column, column + 2);
  const [south = NaN, north = NaN] = grid.rows.starts.subarray(row, row + 2);
  expect(inCell.entries.length).toBeLessThan(ENTRIES_TO_BUILD);
  expect(meanEntriesAsked(inCell, [west, south, east, north])).toBeLessThan(EDGES / 20);
});

/** The mean over positions that lie everywhere in a box. */
function meanEntriesAsked({ rows, columns, starts }: EdgeGrid, [west, south, east, north]: Box = [0, 0, 1, 1]): number {
  const positions = Array.from({ length: 20_000 }, () => {
    const [x = NaN, y = NaN] = anywhere();
    return [west + x * (east - west), south + y * (north - south)];
  });
  const asked = positions.map(([x = NaN, y = NaN]) => {
    if (rows.indexOf(y) < 0 || columns.indexOf(x) < 0) return 0;
    const cell = rows.indexOf(y) * columns.count + columns.indexOf(x);
    return (starts[cell + 1] ?? NaN) - (starts[cell] ?? NaN);
  });
  return asked.reduce((sum, entries) => sum + entries) / asked.length;
}

function ring(at: (share: number, index: number) => Position): Geometry {
  const open = Array.from({ length: EDGES }, (_, index) => at(index / EDGES, index));
  return { type: 'Polygon', coordinates: [[...open, ...open.slice(0, 1)]] };
}

function triangles(): Geometry {
  const coordinates = Array.from({ length: EDGES / 3 }, () => {
    const [a, b, c] = [anywhere(), anywhere(), anywhere()];
    return [[a, b, c, a]];
  });
  return { type: 'MultiPolygon', coordinates };
}

function anywhere(): Position {
  return [random.next(), random.next()];
}

function near(): Position {
  return anywhere().map((ordinate) => ordinate / 1000);
}

function onCircle(turns: number): Position {
  return [0.5 + 0.5 * Math.cos(2 * Math.PI * turns), 0.5 + 0.5 * Math.sin(2 * Math.PI * turns)];
}

/** A position on the south or west side of the unit square (0), or on the north or east side (1). */
function onSides(side: number): Position {
  return random.next() < 0.5 ? [random.next(), side] : [side, random.next()];
}
