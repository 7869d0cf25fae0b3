// The posting lists of a release while it is built: for each filter term the numbers of the records that have it.

import {
  presenceTerm,
  spellingTerm,
  type FilterField,
  type Vocabulary,
  type VocabularyValue,
} from '../../../shared/query/filter-terms';
import { OwnerIndexBuilder } from '../../../shared/search/index/owner-index';
import { writeRuns } from '../../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../../shared/store/port';
import { compareUtf8, foldText } from '../../../shared/values/text';
import type { AllocationRow } from '../../format/amount-definitions';
import type { Staging } from '../../stage/staging';
import type { TermsByCode } from '../columns/terms-by-code';
import { RunList } from './run-list';
import { fieldValuesOf, identifiersOf, termOf, type Term } from './term-sources';

export function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(numbers.length * 2);
  grown.set(numbers);
  return grown;
}

interface TermRecords {
  readonly field: FilterField;
  /** The records of each spelling, the one that came first in front. */
  readonly spellings: Map<string, RunList>;
}

/** The posting lists that are held in memory: those of vocabulary terms, which are few. */
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
      const records = sizeOfRuns(unitedRuns(used));
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

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** A lookup that no record refers to has made a list that is empty. */
function usedSpellings(spellings: TermRecords['spellings']): readonly (readonly [value: string, records: RunList])[] {
  return [...spellings].filter(([, records]) => !records.isEmpty);
}

/** The runs of all spellings together, ascending and apart. */
function unitedRuns(used: readonly (readonly [value: string, records: RunList])[]): Uint32Array {
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

/** Begins the texts of owners among the terms that are collected on disk; no filter field has this name. */
const OWNER = 'owner:';

/**
 * Indexes the columns of an allocation's own row. Its vocabulary values, such as the legal status, are few and stay in
 * memory; its identifiers and owners are nearly as many as the records, so they are collected on disk and come back
 * sorted.
 */
export class AllocationTerms {
  /** By all values of a row that become vocabulary terms: rows of the same values share their posting lists. */
  private readonly combinations = new Map<string, { readonly code: number; readonly lists: readonly RunList[] }>();

  /** By field of an identifier the rights that have one. */
  private readonly present = new Map<FilterField, RunList>();

  constructor(
    private readonly postings: PostingLists,
    private readonly staged: Pick<Staging['terms'], 'clear' | 'add' | 'all'>,
    private readonly termTable: TermsByCode,
  ) {
    staged.clear('record_terms');
  }

  /** Returns the code of the row's combination of vocabulary values. */
  add(record: number, row: AllocationRow): number {
    const values = fieldValuesOf('WaterAllocations', 'allocation', row);
    const key = JSON.stringify(values);
    let combination = this.combinations.get(key);
    if (combination === undefined) {
      const terms = values.map(termOf);
      combination = { code: this.combinations.size, lists: this.postings.recordsOf(terms) };
      this.combinations.set(key, combination);
      this.termTable.set(combination.code, terms);
    }
    for (const list of combination.lists) list.add(record);
    for (const { field, text } of identifiersOf(row)) {
      this.staged.add('record_terms', text, record);
      getOrAdd(this.present, field, () => new RunList()).add(record);
    }
    if (row.AllocationOwner !== null) {
      this.staged.add('record_terms', `${OWNER}${foldText(row.AllocationOwner)}`, record);
    }
    return combination.code;
  }

  finish(writer: ReleaseWriter): void {
    const owners = new OwnerIndexBuilder();
    for (const { term, numbers } of this.staged.all('record_terms')) {
      const records = new RunList();
      for (const number of numbers) records.add(number);
      if (term.startsWith(OWNER)) owners.add(term.slice(OWNER.length), records.pairs());
      else writer.addPosting(term, writeRuns(records.pairs()));
    }
    for (const [field, records] of this.present) writer.addPosting(presenceTerm(field), writeRuns(records.pairs()));
    writer.addArtifact('owners', owners.build());
  }
}
