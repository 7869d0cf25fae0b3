// Small posting lists share documents: a term's hash says which, so that a million terms are ten thousand documents and a term is
// found by one read, without a directory. Large lists lie in pieces of their own, and the bucket says where.

import { hash } from 'node:crypto';
import type { ContentReference } from './documents';
import { SpoolFile } from './spool';

export interface TermEntry {
  readonly term: string;
  /** Base64 of a serialized record set, or where it lies. */
  readonly list: string | ContentReference;
  /** Of a term that is known by its digest: where its text lies. */
  readonly text?: ContentReference;
}

export interface TermBucket {
  readonly terms: readonly TermEntry[];
}

/** On average; reading one costs 1.7 request units. */
const BUCKET_BYTES = 8192;

/** A larger list would make its neighbours in the bucket dear. */
export const SMALL_LIST_BYTES = 3072;

/** A longer term, such as a site whose identifier is a page of text, is known by its digest. */
const LONGEST_TERM = 256;

/** As it stands in the documents. */
export function storedTerm(term: string): string {
  return term.length <= LONGEST_TERM ? term : `sha256 ${hash('sha256', term)}`;
}

/** `buckets` is how many the release has. */
export function bucketOf(stored: string, buckets: number): number {
  return bucketOfHash(hashOf(stored), buckets);
}

/** Takes terms in any order and gives them back bucket by bucket; they wait on the disk, 16 bytes a term in memory. */
export class TermSpool {
  private readonly file: SpoolFile;
  private hashes = new Uint32Array(1024);
  private ends = new Float64Array(1024);
  private count = 0;

  constructor(path: string) {
    this.file = new SpoolFile(path);
  }

  add(entry: TermEntry): void {
    if (this.count === this.hashes.length) this.grow();
    this.file.append(Buffer.from(JSON.stringify(entry)));
    this.hashes[this.count] = hashOf(entry.term);
    this.ends[this.count] = this.file.length;
    this.count++;
  }

  buckets(): number {
    return Math.ceil(this.file.length / BUCKET_BYTES);
  }

  /** In the order of their numbers; a bucket may be empty. */
  *read(): Iterable<TermBucket> {
    const buckets = this.buckets();
    const order = new Uint32Array(this.count).map((_, index) => index);
    order.sort((a, b) => (this.hashes[a] ?? 0) - (this.hashes[b] ?? 0) || a - b);
    let next = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const terms: TermEntry[] = [];
      for (; next < order.length; next++) {
        const index = order[next] ?? 0;
        if (bucketOfHash(this.hashes[index] ?? 0, buckets) !== bucket) break;
        terms.push(this.entry(index));
      }
      yield { terms };
    }
  }

  close(): void {
    this.file.close();
  }

  private entry(index: number): TermEntry {
    const start = this.start(index);
    const line = this.file.read(start, this.ends[index] ?? start);
    return JSON.parse(line.toString()) as TermEntry; // Written by `add`.
  }

  private start(index: number): number {
    return index === 0 ? 0 : (this.ends[index - 1] ?? 0);
  }

  private grow(): void {
    const { hashes, ends } = this;
    this.hashes = new Uint32Array(2 * hashes.length);
    this.ends = new Float64Array(2 * ends.length);
    this.hashes.set(hashes);
    this.ends.set(ends);
  }
}

function hashOf(stored: string): number {
  return hash('sha256', stored, 'buffer').readUInt32BE(0);
}

function bucketOfHash(value: number, buckets: number): number {
  return Math.floor((value * buckets) / 0x100000000);
}
