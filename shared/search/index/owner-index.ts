// The owners of a release of rights (D35): each distinct folded owner once, with its records. A search for owners reads
// the distinct texts and no records.

import { getCurrentDeadline } from '../../store/deadline';
import { BitSet } from '../../values/bytes/bit-set';
import { Sections, writeSections } from '../../values/bytes/sections';
import { getRangeStart, numberAt } from '../../values/number-arrays';
import { type RecordSet, toRecordSet } from './record-set';
import { getLine, indexLines, LINE_END, type Lines } from './text-lines';

/** The lines are the folded owners, in the order of their bytes. */
export interface OwnerIndex extends Lines {
  /** The runs of owner `n` are the pairs from `runEnds[n - 1]` to before `runEnds[n]`. */
  readonly runEnds: Uint32Array;
  /** Pairs of first and last record number. */
  readonly runs: Uint32Array;
}

export class OwnerIndexBuilder {
  private readonly owners: string[] = [];
  private readonly runEnds: number[] = [];
  private readonly runs: number[] = [];

  /** Each folded owner must be added once; `runs` are pairs of first and last record number, ascending. */
  add(owner: string, runs: Uint32Array): void {
    this.owners.push(owner);
    for (const number of runs) this.runs.push(number);
    this.runEnds.push(this.runs.length / 2);
  }

  build(): Uint8Array {
    const text = Buffer.from(this.owners.map((owner) => `${owner}${LINE_END}`).join(''));
    return writeSections([text, Uint32Array.from(this.runEnds), Uint32Array.from(this.runs)]);
  }
}

export function readOwnerIndex(content: Uint8Array): OwnerIndex {
  const sections = new Sections(content);
  const runEnds = sections.numbers(Uint32Array, 1);
  const text = Buffer.from(sections.numbers(Uint8Array, 0)).toString();
  return { ...indexLines(text, runEnds.length), runEnds, runs: sections.numbers(Uint32Array, 2) };
}

/** Finds the records of the owners whose folded text `matches`; `records` is the number of records in the release. */
export async function findRecordsOfOwners(
  index: OwnerIndex,
  matches: (owner: string) => boolean,
  records: number,
): Promise<RecordSet> {
  const matching = new BitSet(records);
  const deadline = getCurrentDeadline();
  for (let owner = 0; owner < index.ends.length; owner++) {
    if (deadline.isSliceOver()) await deadline.giveWay();
    if (!matches(getLine(index, owner))) continue;
    for (const [first, last] of listOwnerRuns(owner, index)) matching.addRange(first, last);
  }
  return toRecordSet(matching);
}

/** Lists the first and last record number of each run of an owner's records. */
export function* listOwnerRuns(
  owner: number,
  { runEnds, runs }: OwnerIndex,
): Iterable<readonly [first: number, last: number]> {
  const end = numberAt(runEnds, owner);
  for (let run = getRangeStart(runEnds, owner); run < end; run++) {
    yield [numberAt(runs, 2 * run), numberAt(runs, 2 * run + 1)];
  }
}
