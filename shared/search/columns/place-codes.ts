// At which place each record is, by record number, made of the runs of the chunks of places: no bytes of a release are
// spent on it. Records of amounts have one place; an allocation may have none or many.

import { numberAt } from '../../values/numbers';

export interface PlaceCodes {
  /** By record: 0 without a place, the rank plus one of its only place, or beyond the places a set of places. */
  readonly codes: Uint32Array;
  /** By code minus the number of places minus one: ranks of a record with several places, ascending. */
  readonly sets: readonly (readonly number[])[];
  /** How many places there are. */
  readonly places: number;
  /** Whether every record has one place at most, and the records of each place follow one another. */
  readonly isInOrder: boolean;
  readonly byteLength: number;
}

/** About what a set takes beside its numbers. */
const SET_BYTES = 64;

/** Calls `visit` for each run of each place, in any order. */
export type VisitPlaces = (visit: (rank: number, first: number, last: number) => void) => void;

/** Codes for so many places and records. */
export function placeCodes(visitPlaces: VisitPlaces, places: number, records: number): PlaceCodes {
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
  visitPlaces((rank, first, last) => {
    for (let record = first; record <= last; record++) add(record, rank);
  });
  for (const set of sets) set.sort((a, b) => a - b);
  const setBytes = sets.reduce((sum, { length }) => sum + SET_BYTES + 8 * length, 0);
  const isInOrder = sets.length === 0 && codes.every((code, record) => code >= (codes[record - 1] ?? 0));
  return { codes, sets, places, isInOrder, byteLength: codes.byteLength + setBytes };
}
