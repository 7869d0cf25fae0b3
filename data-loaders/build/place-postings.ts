// Writes the posting lists of place identifiers.

import { writeRecordSet } from '../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../shared/store/port';
import { numberAt } from '../../shared/values/number-arrays';
import { countNumbers, mergeRuns } from './run-list';
import type { StagedTerms } from './staged-terms';

/**
 * Runs as pairs of first and last record number. The runs of the place with rank `rank` start at `ends[rank - 1]` and
 * end before `ends[rank]`.
 */
export interface RecordRuns {
  readonly ends: Uint32Array;
  readonly runs: Uint32Array;
}

/** `identifiers` contains the place identifiers as terms, with the ranks of their places. */
export function writePlacePostings(
  identifiers: StagedTerms,
  { ends, runs }: RecordRuns,
  writer: Pick<ReleaseWriter, 'addPosting'>,
  names: { countPlaces(ranks: readonly number[], records: number): void },
): void {
  for (const { term, numbers: ranks } of identifiers.readTerms()) {
    const [first = new Uint32Array(), ...others] = ranks.map((rank) => getRuns(rank, { ends, runs }));
    // A few terms belong to several places, whose identifiers differ only in letter case. A right may refer to several
    // of these places.
    const all = others.reduce(mergeRuns, first);
    if (all.length === 0) continue;
    writer.addPosting(term, writeRecordSet(all));
    names.countPlaces(ranks, countNumbers(all));
  }
}

export function getRuns(rank: number, { ends, runs }: RecordRuns): Uint32Array {
  return runs.subarray(rank === 0 ? 0 : 2 * numberAt(ends, rank - 1), 2 * numberAt(ends, rank));
}
