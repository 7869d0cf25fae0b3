// Builds the posting lists of vocabulary terms: the record numbers for each filter term. There are few such terms, so
// the lists are kept in memory.

import type { FilterField } from '../../shared/query/filter-fields';
import { toSpellingTerm } from '../../shared/query/filter-terms';
import type { Vocabulary, VocabularyValue } from '../../shared/query/vocabulary';
import { writeRecordSet } from '../../shared/search/index/record-set';
import type { ReleaseWriter } from '../../shared/store/port';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { getOrAdd } from '../../shared/values/maps';
import { countNumbers, mergeRuns, RunList } from './run-list';
import { type Term } from './term-sources';

interface TermRecords {
  readonly field: FilterField;
  /** The records of each spelling. The spelling that occurs first in the data comes first. */
  readonly spellings: Map<string, RunList>;
}

/** The posting lists of vocabulary terms. */
export class PostingLists {
  /** Keyed by the term's text. */
  private readonly lists = new Map<string, TermRecords>();

  /** Returns the lists of these terms, to which the caller adds records. */
  getLists(terms: readonly Term[]): readonly RunList[] {
    return terms.map(({ text, field, value }) => {
      const { spellings } = getOrAdd(this.lists, text, () => ({ field, spellings: new Map<string, RunList>() }));
      return getOrAdd(spellings, value, () => new RunList());
    });
  }

  /**
   * Writes the list of each term, and the lists of its spellings if there are several. Returns the values of each field
   * with their record counts, in UTF-8 byte order. Also returns, keyed by the term's text, the position of the term's
   * value plus one. Omits terms of lookups to which no record refers.
   */
  writeTo(writer: Pick<ReleaseWriter, 'addPosting'>): {
    readonly values: Vocabulary;
    readonly ordinals: ReadonlyMap<string, number>;
  } {
    const byField = new Map<FilterField, { readonly text: string; readonly value: VocabularyValue }[]>();
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
      const fieldValues = getOrAdd(byField, field, () => []);
      if (others.length === 0) {
        fieldValues.push({ text, value: [first.spelling, records] });
        continue;
      }
      for (const { spelling, pairs } of usedSpellings) {
        writer.addPosting(toSpellingTerm(field, spelling), writeRecordSet(pairs));
      }
      fieldValues.push({ text, value: [first.spelling, records, others.map(({ spelling }) => spelling)] });
    }
    const ordinals = new Map<string, number>();
    const fields = [...byField].map(([field, values]) => {
      values.sort((a, b) => compareUtf8(a.value[0], b.value[0]));
      values.forEach(({ text }, number) => ordinals.set(text, number + 1));
      return [field, values.map(({ value }) => value)] as const;
    });
    return { values: Object.fromEntries(fields), ordinals };
  }
}
