// The posting lists of a release while it is built: for each filter term the numbers of the records that have it. Those
// of vocabulary terms, which are few, are in memory. Those of identifiers are nearly as many as the records or places:
// their terms wait in sorted runs.

import type { FilterField } from '../../shared/query/filter-fields';
import { toPresenceTerm, toSpellingTerm } from '../../shared/query/filter-terms';
import type { Vocabulary, VocabularyValue } from '../../shared/query/vocabulary';
import { OwnerIndexBuilder } from '../../shared/search/index/owner-index';
import { writeRecordSet } from '../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../shared/store/port';
import { ByteWriter } from '../../shared/values/bytes/byte-writer';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { foldText } from '../../shared/values/fold-text';
import { getOrAdd } from '../../shared/values/maps';
import type { AllocationRow } from '../format/amount-definitions';
import type { SortedRuns } from '../stage/sorted-runs';
import { buildTerms, type Term } from './term-sources';

/**
 * Record numbers as runs, since most terms hold for whole series of records. In memory a run is how far behind the one
 * before it it begins, and how long it is, in two to four bytes: each right is a run of its own in a dozen lists.
 */
export class RunList {
  private readonly runs = new ByteWriter(INITIAL_BYTES);
  private count = 0;
  /** Where the last run that was written ends. */
  private end = 0;
  /** The run that may still grow; its last number is before its first while there is none. */
  private first = 0;
  private last = -1;

  /** Numbers come in ascending order; adding the same number again changes nothing. */
  add(number: number): void {
    if (number <= this.last) return;
    if (number > this.last + 1) {
      this.endRun();
      this.first = number;
    }
    this.last = number;
  }

  /** Pairs of first and last number. */
  toRuns(): Uint32Array {
    const isOpen = this.first <= this.last;
    const pairs = new Uint32Array(2 * (this.count + (isOpen ? 1 : 0)));
    const runs = this.runs.bytes();
    let at = 0;
    let number = 0;
    for (let bound = 0; bound < 2 * this.count; bound++) {
      for (let shift = 1, byte = CONTINUATION; byte >= CONTINUATION; shift *= CONTINUATION) {
        byte = runs[at++] ?? 0;
        number += (byte % CONTINUATION) * shift;
      }
      pairs[bound] = number;
    }
    if (isOpen) pairs.set([this.first, this.last], 2 * this.count);
    return pairs;
  }

  private endRun(): void {
    if (this.last < this.first) return;
    for (let step of [this.first - this.end, this.last - this.first]) {
      for (; step >= CONTINUATION; step = Math.floor(step / CONTINUATION))
        this.runs.byte(CONTINUATION + (step % CONTINUATION));
      this.runs.byte(step);
    }
    this.end = this.last;
    this.count++;
  }
}

/** Most lists that are not short grow long. */
const INITIAL_BYTES = 16;

/** A byte has seven bits of a number, the lowest first, and says by its highest bit that more follow. */
const CONTINUATION = 128;

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
  getLists(terms: readonly Term[]): readonly RunList[] {
    return terms.map(({ text, field, value }) => {
      const { spellings } = getOrAdd(this.lists, text, () => ({ field, spellings: new Map<string, RunList>() }));
      return getOrAdd(spellings, value, () => new RunList());
    });
  }

  /**
   * Writes the list of each term, and of each spelling where there are several. Returns the values in use of each
   * field, by UTF-8 bytes, with how many records have them; and of the text of each term the number of its value plus
   * one. A term that no record has, since it is that of a lookup to which none refers, is left out.
   */
  writeTo(writer: Pick<ReleaseWriter, 'addPosting'>): {
    readonly values: Vocabulary;
    readonly ordinals: ReadonlyMap<string, number>;
  } {
    const byField: Partial<Record<FilterField, { readonly text: string; readonly value: VocabularyValue }[]>> = {};
    for (const [text, { field, spellings }] of this.lists) {
      const usedSpellings = Array.from(spellings, ([spelling, records]) => ({
        spelling,
        pairs: records.toRuns(),
      })).filter(({ pairs }) => pairs.length > 0);
      const [first, ...others] = usedSpellings;
      if (first === undefined) continue;
      const merged = others.reduce((pairs, other) => mergeRuns(pairs, other.pairs), first.pairs);
      writer.addPosting(text, writeRecordSet(merged));
      const records = countNumbers(merged);
      if (others.length === 0) (byField[field] ??= []).push({ text, value: [first.spelling, records] });
      else {
        for (const { spelling, pairs } of usedSpellings)
          writer.addPosting(toSpellingTerm(field, spelling), writeRecordSet(pairs));
        const value = [first.spelling, records, others.map(({ spelling }) => spelling)] as const;
        (byField[field] ??= []).push({ text, value });
      }
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
  /** Rows of one part. */
  constructor(private readonly runs: SortedRuns) {}

  add(term: string, number: number): void {
    this.runs.add(term, String(number));
  }

  /** By term, its numbers as they were added: two identifiers that differ in letter case only are one term. */
  *readTerms(): Iterable<{ readonly term: string; readonly numbers: readonly number[] }> {
    let term: string | undefined;
    let numbers: number[] = [];
    for (const sorted of this.runs.rows()) {
      if (sorted.key !== term) {
        if (term !== undefined) yield { term, numbers };
        term = sorted.key;
        numbers = [];
      }
      numbers.push(Number(sorted.getField(0).toString('latin1')));
    }
    if (term !== undefined) yield { term, numbers };
  }
}

/** Begins the texts of owners among the terms; no filter field has this name. */
const OWNER_PREFIX = 'owner:';

/** A store that is slower than the terms are made is waited for after so many. */
const TERMS_BETWEEN_DRAINS = 4096;

/** The terms of what stands in the row of each right: its identifiers and its owner. */
export class IdentifierTerms {
  private readonly staged: StagedTerms;
  private readonly present = new Map<FilterField, RunList>();

  constructor(runs: SortedRuns) {
    this.staged = new StagedTerms(runs);
  }

  add(record: number, row: AllocationRow): void {
    for (const { field, text } of buildTerms('WaterAllocations', 'identifiers', row)) {
      this.staged.add(text, record);
      getOrAdd(this.present, field, () => new RunList()).add(record);
    }
    if (row.AllocationOwner !== null) this.staged.add(OWNER_PREFIX + foldText(row.AllocationOwner), record);
  }

  /** Writes the posting lists in the order of their terms, which records have any, and the index of owners (D35). */
  async writeTo(
    writer: Pick<ReleaseWriter, 'addPosting' | 'addArtifact' | 'drain'>,
    names: { countRights(field: FilterField, rights: readonly number[]): void },
  ): Promise<void> {
    const owners = new OwnerIndexBuilder();
    let terms = 0;
    for (const { term, numbers } of this.staged.readTerms()) {
      const pairs = toRuns(numbers);
      if (term.startsWith(OWNER_PREFIX)) owners.add(term.slice(OWNER_PREFIX.length), pairs);
      else {
        writer.addPosting(term, writeRecordSet(pairs));
        // Terms are `field:value`.
        if (numbers.length > 1) names.countRights(term.slice(0, term.indexOf(':')) as FilterField, numbers);
      }
      if (++terms % TERMS_BETWEEN_DRAINS === 0) await writer.drain();
    }
    for (const [field, records] of this.present)
      writer.addPosting(toPresenceTerm(field), writeRecordSet(records.toRuns()));
    writer.addArtifact('owners', [owners.build()]);
  }
}

/** The runs of ascending numbers; most identifiers and names are those of one thing. */
export function toRuns(numbers: readonly number[] | Uint32Array): Uint32Array {
  const [first] = numbers;
  if (first !== undefined && numbers.length === 1) return Uint32Array.of(first, first);
  const records = new RunList();
  for (const number of numbers) records.add(number);
  return records.toRuns();
}

export function mergeRuns(a: Uint32Array, b: Uint32Array): Uint32Array {
  const merged = new Uint32Array(a.length + b.length);
  let length = 0;
  let atA = 0;
  let atB = 0;
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
export function countNumbers(pairs: Uint32Array): number {
  return pairs.reduce((size, bound, index) => size + (index % 2 === 0 ? 1 - bound : bound), 0);
}
