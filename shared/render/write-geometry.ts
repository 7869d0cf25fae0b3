// Writes a geometry as JSON in steps, because an area may have hundreds of thousands of positions.

import type { Geometry } from '../values/geometry';

type Path = readonly (readonly number[])[];
type Polygon = readonly Path[];

/** The number of positions per step, which takes a few milliseconds. */
const STEP_POSITIONS = 10_000;

/** Yields after each step. Returns the same string as `JSON.stringify`. */
export function* writeGeometryInSteps(geometry: Geometry | null): Generator<undefined, string> {
  if (geometry?.type === 'Polygon') {
    return closeGeometry(geometry.type, yield* writeList(geometry.coordinates, writePath));
  }
  if (geometry?.type === 'MultiPolygon') {
    const writePolygon = (polygon: Polygon): Generator<undefined, string> => writeList(polygon, writePath);
    return closeGeometry(geometry.type, yield* writeList(geometry.coordinates, writePolygon));
  }
  return JSON.stringify(geometry);
}

function closeGeometry(type: string, coordinates: string): string {
  return `{"type":"${type}","coordinates":${coordinates}}`;
}

function* writeList<Item>(
  items: readonly Item[],
  write: (item: Item) => Generator<undefined, string>,
): Generator<undefined, string> {
  const texts: string[] = [];
  for (const item of items) texts.push(yield* write(item));
  return `[${texts.join(',')}]`;
}

function* writePath(path: Path): Generator<undefined, string> {
  if (path.length <= STEP_POSITIONS) return JSON.stringify(path);
  const texts: string[] = [];
  for (let start = 0; start < path.length; start += STEP_POSITIONS) {
    texts.push(JSON.stringify(path.slice(start, start + STEP_POSITIONS)).slice(1, -1));
    yield undefined;
  }
  return `[${texts.join(',')}]`;
}
