// The `positions` artifact of a release: the position and the features of each place, for the comparison with the next
// release (ADR 0066, D74).

import { join } from 'node:path';
import { sectionBuffers, Sections } from '../../shared/values/bytes/sections';
import { ColumnFile } from '../build/column-file';
import type { ObservedPlace } from '../build/release-observer';

/** Degrees. */
export type Position = readonly [longitude: number, latitude: number];

/**
 * Keyed by rank. Releases that were written before D74 have only the places with a position, and no features or
 * relations.
 */
export interface PlacePositions {
  /** Fingerprints of the identifiers of places. */
  readonly keys: Float64Array;
  /** Longitude and latitude of each place, rounded to 32 bits (a meter); NaN without a position. */
  readonly positions: Float32Array;
  /** Bitwise sums of PLACE_FEATURES. */
  readonly features: Uint32Array;
  /** The number of relations to other sites for each place. */
  readonly relations: Uint32Array;
}

/** The properties of a place, as bits. */
export const PLACE_FEATURES = { coordinates: 1, geometry: 2 } as const;

export class PlacePositionsBuilder {
  private readonly keys: ColumnFile;
  private readonly positions: ColumnFile;
  private readonly features: ColumnFile;
  private readonly relations: ColumnFile;

  /** The files are in `folder`, which its owner removes. */
  constructor(folder: string) {
    this.keys = new ColumnFile(join(folder, 'place-keys'), Float64Array);
    this.positions = new ColumnFile(join(folder, 'place-positions'), Float32Array);
    this.features = new ColumnFile(join(folder, 'place-features'), Uint32Array);
    this.relations = new ColumnFile(join(folder, 'place-relations'), Uint32Array);
  }

  /** Places must be added in rank order. */
  add(key: number, position: Position | undefined, place: ObservedPlace): void {
    this.keys.add(key);
    for (const degrees of position ?? [NaN, NaN]) this.positions.add(degrees);
    this.features.add(listFeatures(place));
    this.relations.add(place.relations);
  }

  /** A buffer is overwritten after the next buffer is requested. */
  pieces(): Iterable<Uint8Array> {
    return sectionBuffers([this.keys, this.positions, this.features, this.relations]);
  }
}

/** A bitwise sum of PLACE_FEATURES. */
export function listFeatures({ point, geometry }: Pick<ObservedPlace, 'point' | 'geometry'>): number {
  const coordinates = point === undefined ? 0 : PLACE_FEATURES.coordinates;
  return coordinates + (geometry === 'usable' ? PLACE_FEATURES.geometry : 0);
}

export function readPlacePositions(content: Uint8Array): PlacePositions {
  const sections = new Sections(content);
  return {
    keys: sections.numbers(Float64Array, 0),
    positions: sections.numbers(Float32Array, 1),
    features: sections.numbers(Uint32Array, 2),
    relations: sections.numbers(Uint32Array, 3),
  };
}
