// What records need of their places, by rank: the text that they repeat, in a file, and in columns of small numbers the
// posting lists and the water sources. A place takes some 50 bytes of memory, so that rights may name millions of
// sites in any order (ADR 0060).

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { doubled, type PostingLists, type RunList } from './posting-lists';
import type { Term } from './term-sources';

/** Texts are written and read in pieces: records that follow each other name neighbours. */
const WRITTEN_BYTES = 64 * 1024;
const READ_BYTES = 8 * 1024;

/** Rights name a site several times, from places far apart; a text has some 300 characters. */
const MAX_CACHED_CHARACTERS = 8 * 1024 * 1024;

interface TermList {
  readonly term: Term;
  /** Undefined until a record has the term: the first spelling among records is the one that counts. */
  records: RunList | undefined;
}

export class PlaceSummaries {
  private readonly file: number;
  /** By rank the byte at which the text begins, and at last the end of all. */
  private starts = new Float64Array(1024);
  private readonly lists = new NumberLists();
  private readonly sources = new NumberLists();
  private added = 0;
  private readonly termLists: TermList[] = [];
  /** Places in `termLists` by the text and the spelling of a term. */
  private readonly placesOfTerms = new Map<string, number>();
  private unwritten: Buffer[] = [];
  private unwrittenBytes = 0;
  private cached = new Map<number, string>();
  private cachedCharacters = 0;
  private window = Buffer.alloc(0);
  private windowStart = 0;

  constructor(
    path: string,
    private readonly postings: PostingLists,
  ) {
    this.file = openSync(path, 'w+');
  }

  /** The rank of the next place. */
  get count(): number {
    return this.added;
  }

  /** Places come in the order of their ranks. `sources` are numbers of water sources. */
  add(text: string, terms: readonly Term[], sources: readonly number[]): void {
    const bytes = Buffer.from(text);
    this.unwritten.push(bytes);
    this.unwrittenBytes += bytes.length;
    this.added++;
    if (this.added === this.starts.length) {
      const grown = new Float64Array(2 * this.starts.length);
      grown.set(this.starts);
      this.starts = grown;
    }
    this.starts[this.added] = (this.starts[this.added - 1] ?? 0) + bytes.length;
    this.lists.add(terms.map((term) => this.placeOfTerm(term)));
    this.sources.add(sources);
    if (this.unwrittenBytes >= WRITTEN_BYTES) this.write();
  }

  /** The text as it was added. */
  textOf(rank: number): string {
    const known = this.cached.get(rank);
    if (known !== undefined) return known;
    const text = this.read(this.starts[rank] ?? 0, this.starts[rank + 1] ?? 0);
    if (this.cachedCharacters > MAX_CACHED_CHARACTERS) {
      this.cached = new Map();
      this.cachedCharacters = 0;
    }
    this.cached.set(rank, text);
    this.cachedCharacters += text.length;
    return text;
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

  close(): void {
    closeSync(this.file);
  }

  private placeOfTerm(term: Term): number {
    const key = `${term.text}\n${term.value}`;
    const known = this.placesOfTerms.get(key);
    if (known !== undefined) return known;
    const place = this.termLists.push({ term, records: undefined }) - 1;
    this.placesOfTerms.set(key, place);
    return place;
  }

  private write(): void {
    const bytes = Buffer.concat(this.unwritten);
    const start = (this.starts[this.added] ?? 0) - bytes.length;
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at, bytes.length - at, start + at);
    this.unwritten = [];
    this.unwrittenBytes = 0;
  }

  private read(start: number, end: number): string {
    if (this.unwrittenBytes > 0) this.write();
    if (start < this.windowStart || end > this.windowStart + this.window.length) {
      const bytes = Buffer.allocUnsafe(Math.max(READ_BYTES, end - start));
      this.window = bytes.subarray(0, readSync(this.file, bytes, 0, bytes.length, start));
      this.windowStart = start;
    }
    return this.window.toString('utf8', start - this.windowStart, end - this.windowStart);
  }
}

/** Short lists of numbers, one behind the other. */
class NumberLists {
  private ends = new Uint32Array(1024);
  private numbers = new Uint32Array(4096);
  private count = 0;
  private end = 0;

  add(numbers: readonly number[]): void {
    while (this.end + numbers.length > this.numbers.length) this.numbers = doubled(this.numbers);
    if (this.count === this.ends.length) this.ends = doubled(this.ends);
    this.numbers.set(numbers, this.end);
    this.end += numbers.length;
    this.ends[this.count++] = this.end;
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
