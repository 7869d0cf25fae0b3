// The places of a release (sites or reporting units) in chunks of neighbors, so that a boundary search reads only the
// chunks that the boundary touches (ADR 0057). The `places` artifact holds the box of each chunk. The chunks are
// fragments of the release and hold the location of each place and its records. Geometries are fragments of their own,
// since few of them are read.

import { Sections, toNarrowNumbers, writeSections } from '../../values/bytes/sections';
import type { Box } from '../../values/geometry';
import { appendRuns, type EncodedRuns } from './number-runs';

/** A place to write. */
export interface IndexedPlace {
  /** Its position in the order of the identifiers. */
  readonly rank: number;
  /** Degrees; NaN for a place without a point. */
  readonly longitude: number;
  readonly latitude: number;
  /** Its geometry's number and bounding box. */
  readonly area?: { readonly geometry: number; readonly box: Box };
  /** Its records as pairs of first and last number. */
  readonly runs: Uint32Array;
}

/**
 * A chunk whose arrays are views of the bytes from which it was read. They are indexed by the place's position in the
 * chunk; a run lists consecutive records of the place. `boxes` and `geometries` are empty if the places have no
 * geometries.
 */
export interface PlaceChunk extends EncodedRuns {
  readonly ranks: Uint32Array;
  /** Place i is at longitude (west + positions[2i]) / scale and latitude (south + positions[2i + 1]) / scale. */
  readonly positions: Uint32Array | Float64Array;
  readonly west: number;
  readonly south: number;
  readonly scale: number;
  /** Four numbers per place. */
  readonly boxes: Float64Array;
  /** The number of each place's geometry. */
  readonly geometries: Uint32Array;
  readonly byteLength: number;
}

/** Either all places must have geometries, or no place. */
export function writePlaceChunk(places: readonly IndexedPlace[]): Uint8Array {
  const runs: number[] = [];
  const runEnds = Uint32Array.from(places, (place) => {
    appendRuns(runs, place.runs);
    return runs.length;
  });
  const areas = places.flatMap(({ area }) => area ?? []);
  return writeSections([
    Uint32Array.from(places, ({ rank }) => rank),
    ...toPositionSections(Float64Array.from(places.flatMap(({ longitude, latitude }) => [longitude, latitude]))),
    Float64Array.from(areas.flatMap(({ box }) => box)),
    Uint32Array.from(areas, ({ geometry }) => geometry),
    toNarrowNumbers(runEnds),
    Uint8Array.from(runs),
  ]);
}

export function readPlaceChunk(content: Uint8Array): PlaceChunk {
  const sections = new Sections(content);
  const ranks = sections.numbers(Uint32Array, 0);
  const [west = 0, south = 0, scale = 1] = sections.numbers(Float64Array, 1);
  return {
    ranks,
    west,
    south,
    scale,
    positions: sections.numbers<PlaceChunk['positions']>(scale === 1 ? Float64Array : Uint32Array, 2),
    boxes: sections.numbers(Float64Array, 3),
    geometries: sections.numbers(Uint32Array, 4),
    runEnds: sections.narrow(5, ranks.length),
    runs: sections.numbers(Uint8Array, 6),
    byteLength: content.byteLength,
  };
}

/**
 * Units per degree. In a small chunk, coordinates with this precision or less take 4 bytes instead of 8.
 */
const SCALES = [1e5, 1e6, 1e7, 1e8, 1e9, 1e10];

/**
 * Returns the corner and the scale, then the positions: as whole units from the corner if that restores every position
 * exactly, otherwise as degrees with scale 1.
 */
function toPositionSections(positions: Float64Array): readonly [Float64Array, Uint32Array | Float64Array] {
  const isExact = (scale: number): boolean =>
    positions.every((degrees) => Math.round(degrees * scale) / scale === degrees);
  const inDegrees = [Float64Array.of(0, 0, 1), positions] as const;
  const scale = SCALES.find(isExact);
  if (scale === undefined) return inDegrees;
  const units = positions.map((degrees) => Math.round(degrees * scale));
  const corner = [minOfAxis(units, 0), minOfAxis(units, 1)];
  const offsets = units.map((unit, index) => unit - (corner[index % 2] ?? NaN));
  if (offsets.some((offset) => offset > 0xffffffff)) return inDegrees;
  return [Float64Array.of(...corner, scale), Uint32Array.from(offsets)];
}

/** `axis` is 0 for longitudes and 1 for latitudes. */
function minOfAxis(units: Float64Array, axis: 0 | 1): number {
  return units.reduce((min, unit, index) => (index % 2 === axis ? Math.min(min, unit) : min), Infinity);
}
