// The posting lists of a release while it is built: for each filter term the numbers of the records that have it. Those
// of vocabulary terms, which are few, are in memory. Those of identifiers are nearly as many as the records or places:
// their terms wait in sorted runs.

import {
  presenceTerm,
  spellingTerm,
  type FilterField,
  type Vocabulary,
  type VocabularyValue,
} from '../../shared/query/filter-terms';
import { OwnerIndexBuilder } from '../../shared/search/index/owner-index';
import { writeRuns } from '../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../shared/store/port';
import { numberAt } from '../../shared/values/numbers';
import { compareUtf8, foldText } from '../../shared/values/text';
import type { AllocationRow } from '../format/amount-definitions';
import { SortedRuns } from '../stage/sorted-runs';
import { identifiersOf, type Term } from './term-sources';

const NONE = -1;

/** A number of 32 bits takes so many bytes of seven. */
const MOST_BYTES = 5;

/**
 * Record numbers as runs, since most terms hold for whole series of records. Each run is its distance from the run
 * before and, behind a bit that says so, its length less one, in bytes of seven bits: two or three bytes where a pair
 * of numbers takes eight. Each right makes a run in the lists of most of its terms.
 */
export class RunList {
  private bytes = new Uint8Array(8);
  private length = 0;
  /** Runs in `bytes`; the last one is still open. */
  private closed = 0;
  private closedLast = 0;
  private closedNumbers = 0;
  private first = NONE;
  private last = NONE;

  /** Numbers come in ascending order; adding the same number again changes nothing. */
  add(number: number): void {
    if (this.first !== NONE) {
      if (number === this.last + 1) this.last = number;
      if (number <= this.last) return;
      this.close();
    }
    this.first = number;
    this.last = number;
  }

  get isEmpty(): boolean {
    return this.first === NONE;
  }

  /** How many numbers it has. */
  get size(): number {
    return this.isEmpty ? 0 : this.closedNumbers + this.last - this.first + 1;
  }

  /** Pairs of first and last number. */
  pairs(): Uint32Array {
    if (this.isEmpty) return new Uint32Array();
    const pairs = new Uint32Array(2 * (this.closed + 1));
    let [at, last] = [0, 0];
    const next = (): number => {
      let [value, shift] = [0, 0];
      for (; ; shift += 7) {
        const byte = numberAt(this.bytes, at++);
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80) return value >>> 0;
      }
    };
    for (let run = 0; run < this.closed; run++) {
      const distance = next();
      const first = last + (distance >>> 1);
      last = (distance & 1) === 0 ? first : first + next();
      pairs[2 * run] = first;
      pairs[2 * run + 1] = last;
    }
    pairs[2 * this.closed] = this.first;
    pairs[2 * this.closed + 1] = this.last;
    return pairs;
  }

  private close(): void {
    const more = this.last - this.first;
    this.write((this.first - this.closedLast) * 2 + (more > 0 ? 1 : 0));
    if (more > 0) this.write(more);
    this.closedLast = this.last;
    this.closedNumbers += more + 1;
    this.closed++;
  }

  private write(number: number): void {
    if (this.length + MOST_BYTES > this.bytes.length) {
      const grown = new Uint8Array(Math.ceil(this.bytes.length * 1.5) + MOST_BYTES);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    let rest = number >>> 0;
    for (; rest >= 0x80; rest >>>= 7) this.bytes[this.length++] = (rest & 0x7f) | 0x80;
    this.bytes[this.length++] = rest;
  }
}

interface TermRecords {
  readonly field: FilterField;
  /** The records of each spelling, the one that came first in front. */
  readonly spellings: Map<string, RunList>;
}

/** The posting lists of vocabulary terms. */
export class PostingLists {
  /** By the text of the term. */
  private readonly lists = new Map<string, TermRecords>();

  /** The record numbers of some terms, to be added to as records come. */
  recordsOf(terms: readonly Term[]): readonly RunList[] {
    return terms.map(({ text, field, value }) => {
      const { spellings } = getOrAdd(this.lists, text, () => ({ field, spellings: new Map<string, RunList>() }));
      return getOrAdd(spellings, value, () => new RunList());
    });
  }

  /** A term that no record has gets no posting list. */
  writeTo(writer: Pick<ReleaseWriter, 'addPosting'>): void {
    for (const [term, { field, spellings }] of this.lists) {
      const used = usedSpellings(spellings);
      if (used.length > 0) writer.addPosting(term, writeRuns(unitedRuns(used)));
      if (used.length < 2) continue;
      for (const [value, records] of used) writer.addPosting(spellingTerm(field, value), writeRuns(records.pairs()));
    }
  }

  /**
   * The values in use of each field, by UTF-8 bytes, with how many records have them; and of the text of each term the
   * number of its value plus one.
   */
  vocabulary(): { readonly values: Vocabulary; readonly ordinals: ReadonlyMap<string, number> } {
    const byField: Partial<Record<FilterField, { readonly text: string; readonly value: VocabularyValue }[]>> = {};
    for (const [text, { field, spellings }] of this.lists) {
      const used = usedSpellings(spellings);
      const [value, ...others] = used.map(([spelling]) => spelling);
      if (value === undefined) continue;
      const records = sizeOf(used);
      (byField[field] ??= []).push({ text, value: others.length === 0 ? [value, records] : [value, records, others] });
    }
    const ordinals = new Map<string, number>();
    const fields = Object.entries(byField).map(([field, values]) => {
      values.sort((a, b) => compareUtf8(a.value[0], b.value[0]));
      values.forEach(({ text }, number) => ordinals.set(text, number + 1));
      return [field, values.map(({ value }) => value)] as const;
    });
    return { values: Object.fromEntries(fields), ordinals };
  }
}

/** Filter terms of identifiers with the numbers that have them, records or ranks of places, in a file. */
export class StagedTerms {
  private readonly runs: SortedRuns;

  constructor(path: string) {
    this.runs = new SortedRuns(path, 1);
  }

  add(term: string, number: number): void {
    this.runs.add(term, String(number));
  }

  /** Frees the memory of the terms that were added. */
  save(): void {
    this.runs.save();
  }

  /** By term, its numbers as they were added: two identifiers that differ in letter case only are one term. */
  *all(): Iterable<{ readonly term: string; readonly numbers: readonly number[] }> {
    let term: string | undefined;
    let numbers: number[] = [];
    for (const sorted of this.runs.rows()) {
      if (sorted.key !== term) {
        if (term !== undefined) yield { term, numbers };
        term = sorted.key;
        numbers = [];
      }
      numbers.push(Number(sorted.part(0).toString('latin1')));
    }
    if (term !== undefined) yield { term, numbers };
  }

  close(): void {
    this.runs.close();
  }
}

/** Begins the texts of owners among the terms; no filter field has this name. */
const OWNER = 'owner:';

/** A store that is slower than the terms are made is waited for after so many. */
const TERMS_BETWEEN_DRAINS = 4096;

/** The terms of what stands in the row of each right: its identifiers and its owner. */
export class IdentifierTerms {
  private readonly staged: StagedTerms;
  private readonly present = new Map<FilterField, RunList>();

  constructor(path: string) {
    this.staged = new StagedTerms(path);
  }

  add(record: number, row: AllocationRow): void {
    for (const { field, text } of identifiersOf(row)) {
      this.staged.add(text, record);
      getOrAdd(this.present, field, () => new RunList()).add(record);
    }
    if (row.AllocationOwner !== null) this.staged.add(OWNER + foldText(row.AllocationOwner), record);
  }

  /** Writes the posting lists in the order of their terms, which records have any, and the index of owners (D35). */
  async writeTo(writer: Pick<ReleaseWriter, 'addPosting' | 'addArtifact' | 'drain'>): Promise<void> {
    const owners = new OwnerIndexBuilder();
    let terms = 0;
    for (const { term, numbers } of this.staged.all()) {
      const pairs = pairsOf(numbers);
      if (term.startsWith(OWNER)) owners.add(term.slice(OWNER.length), pairs);
      else writer.addPosting(term, writeRuns(pairs));
      if (++terms % TERMS_BETWEEN_DRAINS === 0) await writer.drain();
    }
    for (const [field, records] of this.present) writer.addPosting(presenceTerm(field), writeRuns(records.pairs()));
    writer.addArtifact('owners', owners.build());
  }

  close(): void {
    this.staged.close();
  }
}

/** Most identifiers are those of one right. */
function pairsOf(numbers: readonly number[]): Uint32Array {
  const [first] = numbers;
  if (first !== undefined && numbers.length === 1) return Uint32Array.of(first, first);
  const records = new RunList();
  for (const number of numbers) records.add(number);
  return records.pairs();
}

export function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

type UsedSpelling = readonly [value: string, records: RunList];

/** A lookup that no record refers to has made a list that is empty. */
function usedSpellings(spellings: TermRecords['spellings']): readonly UsedSpelling[] {
  return [...spellings].filter(([, records]) => !records.isEmpty);
}

/** How many records have any of the spellings. */
function sizeOf(used: readonly UsedSpelling[]): number {
  const [first, ...others] = used;
  // Most terms have one, whose runs need not be unpacked.
  return first !== undefined && others.length === 0 ? first[1].size : sizeOfRuns(unitedRuns(used));
}

/** The runs of all spellings together, ascending and apart. */
function unitedRuns(used: readonly UsedSpelling[]): Uint32Array {
  const [first = new Uint32Array(), ...others] = used.map(([, records]) => records.pairs());
  return others.reduce(mergedRuns, first);
}

function mergedRuns(a: Uint32Array, b: Uint32Array): Uint32Array {
  const merged = new Uint32Array(a.length + b.length);
  let [length, atA, atB] = [0, 0, 0];
  while (atA < a.length || atB < b.length) {
    const isA = (a[atA] ?? Infinity) <= (b[atB] ?? Infinity);
    const [first = 0, last = 0] = isA ? a.subarray(atA, (atA += 2)) : b.subarray(atB, (atB += 2));
    const end = merged[length - 1];
    if (length > 0 && end !== undefined && first <= end + 1) merged[length - 1] = Math.max(end, last);
    else {
      merged[length++] = first;
      merged[length++] = last;
    }
  }
  return merged.subarray(0, length);
}

/** The numbers of a run are its last minus its first plus one; first numbers stand at even indices. */
function sizeOfRuns(pairs: Uint32Array): number {
  return pairs.reduce((size, bound, index) => size + (index % 2 === 0 ? 1 - bound : bound), 0);
}
