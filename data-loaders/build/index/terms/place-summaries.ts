// What the index of records needs of their places, by rank, in columns of small numbers: the posting lists and the
// water sources. A place takes some 50 bytes of memory, so that rights may name millions of sites in any order
// (ADR 0060).

import { doubled, type PostingLists } from './posting-lists';
import type { RunList } from './run-list';
import type { Term } from './term-sources';

interface TermList {
  readonly term: Term;
  /** Undefined until a record has the term: the first spelling among records is the one that counts. */
  records: RunList | undefined;
}

export class PlaceSummaries {
  private readonly lists = new NumberLists();
  private readonly sources = new NumberLists();
  private added = 0;
  private readonly termLists: TermList[] = [];

  constructor(private readonly postings: PostingLists) {}

  /** The rank of the next place. */
  get count(): number {
    return this.added;
  }

  /** Terms are numbered as they come. */
  addTerms(terms: readonly Term[]): void {
    for (const term of terms) this.termLists.push({ term, records: undefined });
  }

  /** Places come in the order of their ranks. `terms` are numbers of terms, `sources` of water sources. */
  add(terms: Uint32Array, sources: readonly number[]): void {
    this.added++;
    this.lists.add(terms);
    this.sources.add(sources);
  }

  /** Frees the memory when the last record was added. */
  clear(): void {
    this.lists.clear();
    this.sources.clear();
  }

  /** The term with a number. */
  term(number: number): Term {
    const list = this.termLists[number];
    if (list === undefined) throw new Error(`term ${number} is not known`);
    return list.term;
  }

  /** The number of a place's first water source. */
  firstSourceOf(rank: number): number | undefined {
    return this.sources.length(rank) === 0 ? undefined : this.sources.at(rank, 0);
  }

  addSourcesTo(rank: number, references: number[]): void {
    const length = this.sources.length(rank);
    for (let index = 0; index < length; index++) references.push(this.sources.at(rank, index));
  }

  /** Adds a record to the posting lists of a place. */
  addRecord(rank: number, record: number): void {
    const length = this.lists.length(rank);
    for (let index = 0; index < length; index++) {
      const list = this.termLists[this.lists.at(rank, index)];
      if (list === undefined) throw new Error(`place ${rank} has a term that is not known`);
      list.records ??= this.postings.recordsOf([list.term])[0];
      list.records?.add(record);
    }
  }
}

/** Short lists of numbers, one behind the other. */
class NumberLists {
  private ends = new Uint32Array(1024);
  private numbers = new Uint32Array(4096);
  private count = 0;
  private end = 0;

  add(numbers: ArrayLike<number>): void {
    while (this.end + numbers.length > this.numbers.length) this.numbers = doubled(this.numbers);
    if (this.count === this.ends.length) this.ends = doubled(this.ends);
    this.numbers.set(numbers, this.end);
    this.end += numbers.length;
    this.ends[this.count++] = this.end;
  }

  /** At once: what takes memory next would not wait for a collection of garbage. */
  clear(): void {
    this.ends.buffer.transfer(0);
    this.numbers.buffer.transfer(0);
  }

  length(list: number): number {
    return (this.ends[list] ?? 0) - this.start(list);
  }

  at(list: number, index: number): number {
    const number = this.numbers[this.start(list) + index];
    if (number === undefined) throw new Error(`list ${list} has no number ${index}`);
    return number;
  }

  private start(list: number): number {
    return list === 0 ? 0 : (this.ends[list - 1] ?? 0);
  }
}
