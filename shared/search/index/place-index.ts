// The places of a release (sites or reporting units) in chunks of neighbours, so that a boundary reads the chunks that
// it touches and no others (ADR 0057). The `places` artifact holds the box of each chunk; the chunks are fragments of
// the release: where each of their places lies, and its records. Geometries are fragments of their own, read for a few.

import { toNarrowNumbers, type NarrowNumbers, Sections, writeSections } from '../../values/bytes/sections';
import type { Box } from '../../values/geometry';
import { numberAt, getRangeStart } from '../../values/numbers';

/** A place as it is written. */
export interface IndexedPlace {
  /** Its place in the order of the identifiers. */
  readonly rank: number;
  /** Degrees, NaN for a place without a point. */
  readonly longitude: number;
  readonly latitude: number;
  /** Its geometry's number and bounding box. */
  readonly area?: { readonly geometry: number; readonly box: Box };
  /** Its records as pairs of first and last number. */
  readonly runs: Uint32Array;
}

/**
 * Its arrays are views of the bytes that it was read from. Those of `areas` are empty where no place has a geometry.
 */
export interface PlaceChunk {
  readonly ranks: Uint32Array;
  /** Place i lies at (west + positions[2i]) / scale, (south + positions[2i + 1]) / scale. */
  readonly positions: Uint32Array | Float64Array;
  readonly west: number;
  readonly south: number;
  readonly scale: number;
  /** Four numbers a place. */
  readonly boxes: Float64Array;
  /** The number of each place's geometry. */
  readonly geometries: Uint32Array;
  /** The records of place i stand in `runs` from `runEnds[i - 1]` to before `runEnds[i]`; see `visitRuns`. */
  readonly runs: Uint8Array;
  readonly runEnds: NarrowNumbers;
  readonly byteLength: number;
}

/** Either all of the places have geometries, or none. */
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

/** Units a degree: coordinates with so many decimals or fewer take 4 bytes in place of 8 where their chunk is small. */
const SCALES = [1e5, 1e6, 1e7, 1e8, 1e9, 1e10];

/** Corner and scale, then the positions: whole units from the corner where every position comes back exactly. */
function toPositionSections(positions: Float64Array): readonly [Float64Array, Uint32Array | Float64Array] {
  const isWhole = (scale: number): boolean =>
    positions.every((degrees) => Math.round(degrees * scale) / scale === degrees);
  const scale = SCALES.find(isWhole);
  if (scale === undefined) return [Float64Array.of(0, 0, 1), positions];
  const units = positions.map((degrees) => Math.round(degrees * scale));
  const corner = [0, 1].map((axis) =>
    units.reduce((least, unit, at) => (at % 2 === axis ? Math.min(least, unit) : least), Infinity),
  );
  const offsets = units.map((unit, at) => unit - (corner[at % 2] ?? NaN));
  if (offsets.some((offset) => offset > 0xffffffff)) return [Float64Array.of(0, 0, 1), positions];
  return [Float64Array.of(...corner, scale), Uint32Array.from(offsets)];
}

/**
 * Each run is a number of 7 bits a byte, the low ones first: twice the distance from the end of the run before it, plus
 * one where the run has several records; how many follow the first one stands next then. Most runs take a byte or two.
 */
export function appendRuns(target: number[], runs: Uint32Array): void {
  let end = 0;
  for (let at = 0; at < runs.length; at += 2) {
    const first = numberAt(runs, at);
    const followers = numberAt(runs, at + 1) - first;
    appendNumber(target, 2 * (first - end) + Math.min(1, followers));
    if (followers > 0) appendNumber(target, followers);
    end = first + followers;
  }
}

function appendNumber(target: number[], number: number): void {
  let rest = number;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) target.push(0x80 | (rest % 0x80));
  target.push(rest);
}

/** Calls `visit` with the first and the last record of each run of a place, ascending. */
export function visitRuns(
  { runs, runEnds }: Pick<PlaceChunk, 'runs' | 'runEnds'>,
  place: number,
  visit: (first: number, last: number) => void,
): void {
  let at = getRangeStart(runEnds, place);
  const end = numberAt(runEnds, place);
  const readNumber = (): number => {
    let byte = numberAt(runs, at++);
    let number = byte & 0x7f;
    for (let unit = 0x80; byte > 0x7f; unit *= 0x80) {
      byte = numberAt(runs, at++);
      number += (byte & 0x7f) * unit;
    }
    return number;
  };
  for (let last = 0; at < end;) {
    const code = readNumber();
    const first = last + Math.floor(code / 2);
    last = code % 2 === 0 ? first : first + readNumber();
    visit(first, last);
  }
}

// At which place each record is, by record number, made of the runs of the chunks of places: no bytes of a release are
// spent on it. Records of amounts have one place; an allocation may have none or many.

export interface PlaceCodes {
  /** By record: 0 without a place, the rank plus one of its only place, or beyond the places a set of places. */
  readonly codes: Uint32Array;
  /** By code minus the number of places minus one: ranks of a record with several places, ascending. */
  readonly sets: readonly (readonly number[])[];
  /** How many places there are. */
  readonly placeCount: number;
  /** Whether every record has one place at most, and the records of each place follow one another. */
  readonly isInOrder: boolean;
  readonly byteLength: number;
}

/** About what a set takes beside its numbers. */
const SET_BYTES = 64;

/** `chunks` are all of a release that has so many records. */
export function buildPlaceCodes(chunks: readonly PlaceChunk[], records: number): PlaceCodes {
  const places = chunks.reduce((sum, { ranks }) => sum + ranks.length, 0);
  const codes = new Uint32Array(records);
  const sets: number[][] = [];
  const setOfRecord = new Map<number, number[]>();
  const add = (record: number, rank: number): void => {
    const former = numberAt(codes, record);
    if (former === 0) codes[record] = rank + 1;
    else if (former > places) setOfRecord.get(record)?.push(rank);
    else {
      const set = [former - 1, rank];
      setOfRecord.set(record, set);
      codes[record] = places + sets.push(set);
    }
  };
  for (const chunk of chunks) {
    chunk.ranks.forEach((rank, place) => {
      visitRuns(chunk, place, (first, last) => {
        for (let record = first; record <= last; record++) add(record, rank);
      });
    });
  }
  for (const set of sets) set.sort((a, b) => a - b);
  const setBytes = sets.reduce((sum, { length }) => sum + SET_BYTES + 8 * length, 0);
  const isInOrder = sets.length === 0 && codes.every((code, record) => code >= (codes[record - 1] ?? 0));
  return { codes, sets, placeCount: places, isInOrder, byteLength: codes.byteLength + setBytes };
}
