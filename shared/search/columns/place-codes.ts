// At which place each record is, by record number, made of the runs of the place index: no bytes of a release are spent
// on it. Records of amounts have one place; an allocation may have none or many.

import { numberAt } from '../../values/numbers';

export interface PlaceCodes {
  /** By record: 0 without a place, the rank plus one of its only place, or beyond the places a set of places. */
  readonly codes: Uint32Array;
  /** By code minus the number of places minus one: ranks of a record with several places, ascending. */
  readonly sets: readonly (readonly number[])[];
  readonly byteLength: number;
}

/** About what a set takes beside its numbers. */
const SET_BYTES = 64;

/** The runs of the places in the order of their ranks, as the place index has them. */
interface PlaceRuns {
  readonly runEnds: Uint32Array;
  readonly runs: Uint32Array;
}

export function placeCodes({ runs, runEnds }: PlaceRuns, records: number): PlaceCodes {
  const codes = new Uint32Array(records);
  const places = runEnds.length;
  const sets: number[][] = [];
  const setOfRecord = new Map<number, number[]>();
  let at = 0;
  for (let rank = 0; rank < places; rank++) {
    for (const end = 2 * numberAt(runEnds, rank); at < end; at += 2) {
      const last = numberAt(runs, at + 1);
      for (let record = numberAt(runs, at); record <= last; record++) {
        const former = numberAt(codes, record);
        if (former === 0) codes[record] = rank + 1;
        else if (former > places) setOfRecord.get(record)?.push(rank);
        else {
          const set = [former - 1, rank];
          setOfRecord.set(record, set);
          codes[record] = places + sets.push(set);
        }
      }
    }
  }
  const setBytes = sets.reduce((sum, { length }) => sum + SET_BYTES + 8 * length, 0);
  return { codes, sets, byteLength: codes.byteLength + setBytes };
}
