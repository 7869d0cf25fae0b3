// Invented watersheds that fill a part of a state: cells of an uneven grid with bent borders, each border shared by
// two neighbours, so that nothing is left between them.

import { roundedRing, type DegreeBox, type Position } from '../generate/polygons';
import type { SeededRandom } from '../generate/seeded-random';
import { bent } from './rivers';

interface WatershedGrid {
  readonly box: DegreeBox;
  readonly columns: number;
  readonly rows: number;
}

/** How far a corner is moved, at most, as a share of a cell. */
const SHIFT = 0.22;

/** Less than a river bends, so that borders that meet in a corner do not cross. */
const BORDER_BEND = 0.1;

type Line = readonly Position[];

/** As WKT, from west to east, then from south to north. */
export function watershedsOf({ box, columns, rows }: WatershedGrid, random: SeededRandom): readonly string[] {
  const [width, height] = [(box.east - box.west) / columns, (box.north - box.south) / rows];
  const shifted = (size: number): number => size * SHIFT * (2 * random.next() - 1);
  const corners = times(rows + 1, (row) =>
    times(columns + 1, (column): Position => {
      return [box.west + column * width + shifted(width), box.south + row * height + shifted(height)];
    }),
  );
  const cornerAt = (row: number, column: number): Position => corners[row]?.[column] ?? [box.west, box.south];
  const border = (from: Position, to: Position): Line => bent([from, to], random, BORDER_BEND);
  const eastward = times(rows + 1, (row) =>
    times(columns, (column) => border(cornerAt(row, column), cornerAt(row, column + 1))),
  );
  const northward = times(rows, (row) =>
    times(columns + 1, (column) => border(cornerAt(row, column), cornerAt(row + 1, column))),
  );
  return times(rows * columns, (index) => {
    const [row, column] = [Math.floor(index / columns), index % columns];
    const sides = [
      ...[eastward[row]?.[column] ?? [], northward[row]?.[column + 1] ?? []],
      ...[backward(eastward[row + 1]?.[column]), backward(northward[row]?.[column])],
    ];
    const ring = sides.flatMap((side) => side.slice(0, -1));
    return `POLYGON (${roundedRing([...ring, ...ring.slice(0, 1)])})`;
  });
}

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function backward(line: Line = []): Line {
  return line.toReversed();
}
