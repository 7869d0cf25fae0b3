// The posting lists of a release while it is built: for each filter term the numbers of the records that have it.

import {
  spellingTerm,
  type FilterField,
  type Vocabulary,
  type VocabularyValue,
} from '../../../../shared/query/text-filters';
import { writeRuns } from '../../../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../../../shared/store/port';
import { compareUtf8 } from '../../../../shared/values/text';
import { RunList } from './run-list';
import type { Term } from './term-sources';

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

function getOrAdd<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
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
