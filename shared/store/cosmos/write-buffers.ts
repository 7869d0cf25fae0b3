// Files on the local disk in which the documents of a release wait until its writer finishes it: only then are the
// release's name and sizes known, and whether it is needed at all.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { numberAt } from '../../values/numbers';
import {
  bucketOf,
  PIECE_BYTES,
  termHash,
  type ContentReference,
  type Family,
  type PieceContent,
  type TermBucket,
  type TermEntry,
} from './documents';

const BUFFER_BYTES = 1 << 20;

/** Buckets have this size on average; reading one costs 1.7 request units. */
const BUCKET_BYTES = 8192;

/** Documents of one family that wait to be uploaded: items in a file that only grows. */
abstract class DocumentBuffer {
  private readonly descriptor: number;
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private written = 0;
  /** Where each item ends in the file. */
  private readonly ends: number[] = [];

  constructor(path: string) {
    this.descriptor = openSync(path, 'w+');
  }

  /** How many documents there are, once everything was added. */
  abstract get count(): number;

  /** The contents of the documents, in the order of their numbers, without id and partition. */
  abstract read(): Iterable<object>;

  close(): void {
    closeSync(this.descriptor);
  }

  protected get items(): number {
    return this.ends.length;
  }

  protected get bytes(): number {
    return this.written + this.waitingBytes;
  }

  protected appendItem(item: Uint8Array): void {
    this.waiting.push(item);
    this.waitingBytes += item.length;
    this.ends.push(this.bytes);
    if (this.waitingBytes >= BUFFER_BYTES) this.flush();
  }

  protected item(index: number): Buffer {
    this.flush();
    const start = index === 0 ? 0 : numberAt(this.ends, index - 1);
    const content = Buffer.allocUnsafe(numberAt(this.ends, index) - start);
    for (let done = 0; done < content.length;) {
      const length = readSync(this.descriptor, content, done, content.length - done, start + done);
      if (length === 0) throw new Error('a write buffer was cut off');
      done += length;
    }
    return content;
  }

  private flush(): void {
    if (this.waitingBytes === 0) return;
    const content = Buffer.concat(this.waiting);
    for (let done = 0; done < content.length;) {
      done += writeSync(this.descriptor, content, done, content.length - done, this.written + done);
    }
    this.written += content.length;
    this.waiting = [];
    this.waitingBytes = 0;
  }
}

export type DocumentBuffers = Readonly<Record<Family, DocumentBuffer>>;

interface Run {
  readonly first: number;
}

/** Puts items together into runs; `add` and `take` return the run that is full or ended, if there is one. */
interface RunBuilder<Item extends readonly unknown[]> {
  add(...item: Item): Run | undefined;
  take(): Run | undefined;
}

/** The runs of a family, in their order. */
export class RunBuffer<Item extends readonly unknown[]> extends DocumentBuffer {
  private readonly firsts: number[] = [];

  constructor(
    path: string,
    private readonly builder: RunBuilder<Item>,
  ) {
    super(path);
  }

  get count(): number {
    return this.items;
  }

  add(...item: Item): void {
    this.append(this.builder.add(...item));
  }

  /** Ends the last run. Returns the first number of every run. */
  end(): Uint8Array {
    this.append(this.builder.take());
    return new Uint8Array(Uint32Array.from(this.firsts).buffer);
  }

  *read(): Iterable<Run> {
    for (let index = 0; index < this.items; index++) yield JSON.parse(this.item(index).toString()) as Run; // As below.
  }

  private append(run: Run | undefined): void {
    if (run === undefined) return;
    this.firsts.push(run.first);
    this.appendItem(Buffer.from(JSON.stringify(run)));
  }
}

/** Contents with documents of their own, cut into pieces. */
export class PieceBuffer extends DocumentBuffer {
  get count(): number {
    return this.items;
  }

  /** Starts a new piece. Content is compressed where that makes it smaller. */
  add(content: Uint8Array): ContentReference {
    const compressed = zstdCompressSync(content);
    const isCompressed = compressed.length < content.length;
    const stored = isCompressed ? compressed : content;
    const piece = this.items;
    for (let start = 0; start < stored.length; start += PIECE_BYTES) {
      this.appendItem(stored.subarray(start, start + PIECE_BYTES));
    }
    return [piece, stored.length, isCompressed ? 1 : 0];
  }

  *read(): Iterable<PieceContent> {
    for (let index = 0; index < this.items; index++) yield { content: this.item(index).toString('base64') };
  }
}

/** Takes terms in any order and returns them bucket by bucket; in memory a term takes 16 bytes. */
export class TermBuffer extends DocumentBuffer {
  private readonly hashes: number[] = [];

  get count(): number {
    return Math.ceil(this.bytes / BUCKET_BYTES);
  }

  add(entry: TermEntry): void {
    this.appendItem(Buffer.from(JSON.stringify(entry)));
    this.hashes.push(termHash(entry.term));
  }

  /** A bucket may be empty. */
  *read(): Iterable<TermBucket> {
    const buckets = this.count;
    const order = new Uint32Array(this.items).map((_, index) => index);
    order.sort((a, b) => numberAt(this.hashes, a) - numberAt(this.hashes, b) || a - b);
    let next = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const terms: TermEntry[] = [];
      for (; next < order.length; next++) {
        const index = numberAt(order, next);
        if (bucketOf(numberAt(this.hashes, index), buckets) !== bucket) break;
        terms.push(JSON.parse(this.item(index).toString()) as TermEntry); // Written by `add`.
      }
      yield { terms };
    }
  }
}
