// The place or places of each record, by record number. They are derived from the runs of the chunks of places and take
// no bytes of the release. A record of amounts has one place; an allocation can have any number of places.

import { numberAt } from '../../values/number-arrays';
import { visitRuns } from './number-runs';
import type { PlaceChunk } from './place-chunk';

export interface PlaceCodes {
  /**
   * Keyed by record: 0 for no place; the rank plus one for a single place; or `placeCount` plus one plus the index of a
   * set.
   */
  readonly codes: Uint32Array;
  /** Sets of places, each as ascending ranks, for records with several places. */
  readonly sets: readonly (readonly number[])[];
  readonly placeCount: number;
  /** Whether every record has at most one place, and the records of each place are consecutive. */
  readonly isInOrder: boolean;
  readonly byteLength: number;
}

/** Approximate memory of a set besides its numbers. */
const SET_BYTES = 64;

/** `chunks` are all chunks of the release; `records` is the number of records in the release. */
export function buildPlaceCodes(chunks: readonly PlaceChunk[], records: number): PlaceCodes {
  const placeCount = chunks.reduce((sum, { ranks }) => sum + ranks.length, 0);
  const codes = new Uint32Array(records);
  const sets: number[][] = [];
  const addPlace = (record: number, rank: number): void => {
    const previousCode = numberAt(codes, record);
    if (previousCode === 0) codes[record] = rank + 1;
    else if (previousCode > placeCount) sets[previousCode - placeCount - 1]?.push(rank);
    else codes[record] = placeCount + sets.push([previousCode - 1, rank]);
  };
  for (const chunk of chunks) {
    chunk.ranks.forEach((rank, index) => {
      visitRuns(chunk, index, (first, last) => {
        for (let record = first; record <= last; record++) addPlace(record, rank);
      });
    });
  }
  for (const set of sets) set.sort((a, b) => a - b);
  const setBytes = sets.reduce((sum, { length }) => sum + SET_BYTES + 8 * length, 0);
  const isInOrder = sets.length === 0 && codes.every((code, record) => code >= (codes[record - 1] ?? 0));
  return { codes, sets, placeCount, isInOrder, byteLength: codes.byteLength + setBytes };
}
