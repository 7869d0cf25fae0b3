// The owners of a release of rights (D35): each distinct folded owner once, with the records of each. A search for
// owners reads the distinct texts and no record.

import { runInSteps } from '../../store/deadline';
import { BitSet } from '../../values/bytes/bit-set';
import { Sections, writeSections } from '../../values/bytes/sections';
import { numberAt } from '../../values/numbers';
import { toRecordSet, type RecordSet } from './record-set';

/** Behind each owner; folding leaves no line feed in a text. */
const SEPARATOR = '\n';

/** Texts that are looked through as one. */
export interface Lines {
  /** Each with a separator behind it. */
  readonly text: string;
  /** The index in `text` of the separator behind each. */
  readonly ends: Uint32Array;
}

/** Its lines are the folded owners. */
export interface OwnerIndex extends Lines {
  /** The runs of owner `n` are the pairs from `runEnds[n - 1]` to `runEnds[n]`. */
  readonly runEnds: Uint32Array;
  /** Pairs of first and last record number. */
  readonly runs: Uint32Array;
}

export class OwnerIndexBuilder {
  private readonly owners: string[] = [];
  private readonly runEnds: number[] = [];
  private readonly runs: number[] = [];

  /** Each owner once, folded; `runs` are pairs of first and last record number, ascending. */
  add(owner: string, runs: Uint32Array): void {
    this.owners.push(owner);
    for (const number of runs) this.runs.push(number);
    this.runEnds.push(this.runs.length / 2);
  }

  build(): Uint8Array {
    const text = Buffer.from(this.owners.map((owner) => `${owner}${SEPARATOR}`).join(''));
    return writeSections([text, Uint32Array.from(this.runEnds), Uint32Array.from(this.runs)]);
  }
}

export function readOwnerIndex(content: Uint8Array): OwnerIndex {
  const sections = new Sections(content);
  const runEnds = sections.numbers(Uint32Array, 1);
  const text = Buffer.from(sections.numbers(Uint8Array, 0)).toString();
  return { ...indexLines(text, runEnds.length), runEnds, runs: sections.numbers(Uint32Array, 2) };
}

/** `text` has so many lines, each with a line feed behind it. */
export function indexLines(text: string, count: number): Lines {
  let at = -1;
  return { text, ends: Uint32Array.from({ length: count }, () => (at = text.indexOf(SEPARATOR, at + 1))) };
}

/** So many owners are tested before the clock is asked: less than a millisecond. */
const OWNERS_AT_ONCE = 4096;

/** The records of the owners whose folded text `matches`; `records` is how many the release has. */
export async function findRecordsOfOwners(
  index: OwnerIndex,
  matches: (owner: string) => boolean,
  records: number,
): Promise<RecordSet> {
  const found = new BitSet(records);
  await runInSteps(index.ends.length, OWNERS_AT_ONCE, (from, to) => {
    for (let owner = from; owner < to; owner++) {
      if (!matches(getOwnerText(owner, index))) continue;
      for (const [first, last] of listOwnerRuns(owner, index)) found.addRange(first, last);
    }
  });
  return toRecordSet(found);
}

/** Folded. */
export function getOwnerText(owner: number, { text, ends }: Pick<OwnerIndex, 'text' | 'ends'>): string {
  return text.slice((ends[owner - 1] ?? -1) + 1, ends[owner]);
}

/** The first and last record number of each run of an owner's records; owners are in the order of their bytes. */
export function* listOwnerRuns(
  owner: number,
  { runEnds, runs }: OwnerIndex,
): Iterable<readonly [first: number, last: number]> {
  for (let at = 2 * (runEnds[owner - 1] ?? 0); at < 2 * numberAt(runEnds, owner); at += 2) {
    yield [numberAt(runs, at), numberAt(runs, at + 1)];
  }
}

/** The numbers of the lines that contain the text, ascending. */
export function* findLinesWith({ text, ends }: Lines, part: string): Iterable<number> {
  let line = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, numberAt(ends, line))) {
    while (numberAt(ends, line) < at) line++;
    yield line;
  }
}
