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
  type PieceContent,
  type TermBucket,
  type TermEntry,
} from './documents';

const BUFFER_BYTES = 1 << 20;

/** Separates runs in a file; JSON texts have none inside. */
const LINE_BREAK = 0x0a;

/** Buckets have this size on average; reading one costs 1.7 request units. */
const BUCKET_BYTES = 8192;

/** A file that only grows and is read anywhere. */
class BufferFile {
  private readonly descriptor: number;
  private waiting: Uint8Array[] = [];
  private waitingBytes = 0;
  private written = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, 'w+');
  }

  get length(): number {
    return this.written + this.waitingBytes;
  }

  append(content: Uint8Array): void {
    this.waiting.push(content);
    this.waitingBytes += content.length;
    if (this.waitingBytes >= BUFFER_BYTES) this.flush();
  }

  read(start: number, end: number): Buffer {
    this.flush();
    const content = Buffer.allocUnsafe(end - start);
    for (let done = 0; done < content.length;) {
      const length = readSync(this.descriptor, content, done, content.length - done, start + done);
      if (length === 0) throw new Error('a write buffer was cut off');
      done += length;
    }
    return content;
  }

  close(): void {
    closeSync(this.descriptor);
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

/** Documents of one family that wait to be uploaded. */
export abstract class DocumentBuffer {
  protected readonly file: BufferFile;

  constructor(path: string) {
    this.file = new BufferFile(path);
  }

  /** How many documents there are, once everything was added. */
  abstract get count(): number;

  /** The contents of the documents, in the order of their numbers, without id and partition. */
  abstract read(): Iterable<object>;

  close(): void {
    this.file.close();
  }
}

/** The runs of a family, in their order, as lines of JSON. */
export class RunBuffer<Run extends { readonly first: number }> extends DocumentBuffer {
  private readonly firsts: number[] = [];

  get count(): number {
    return this.firsts.length;
  }

  add(run: Run | undefined): void {
    if (run === undefined) return;
    this.firsts.push(run.first);
    this.file.append(Buffer.from(`${JSON.stringify(run)}\n`));
  }

  /** The first number of every run. */
  directory(): Uint8Array {
    return new Uint8Array(Uint32Array.from(this.firsts).buffer);
  }

  *read(): Iterable<Run> {
    let begun: Buffer[] = [];
    for (let start = 0; start < this.file.length; start += BUFFER_BYTES) {
      const chunk = this.file.read(start, Math.min(this.file.length, start + BUFFER_BYTES));
      let from = 0;
      for (let end = chunk.indexOf(LINE_BREAK); end !== -1; end = chunk.indexOf(LINE_BREAK, from)) {
        yield JSON.parse(Buffer.concat([...begun, chunk.subarray(from, end)]).toString()) as Run; // Written by `add`.
        begun = [];
        from = end + 1;
      }
      begun.push(chunk.subarray(from));
    }
  }
}

/** Contents with documents of their own, cut into pieces. */
export class PieceBuffer extends DocumentBuffer {
  /** Where each piece ends in the file. */
  private readonly ends: number[] = [];

  get count(): number {
    return this.ends.length;
  }

  /** Starts a new piece. Content is compressed where that makes it smaller. */
  add(content: Uint8Array): ContentReference {
    const compressed = zstdCompressSync(content);
    const isCompressed = compressed.length < content.length;
    const stored = isCompressed ? compressed : content;
    const piece = this.ends.length;
    const start = this.file.length;
    this.file.append(stored);
    for (let end = 0; end < stored.length;) {
      end = Math.min(stored.length, end + PIECE_BYTES);
      this.ends.push(start + end);
    }
    return [piece, stored.length, isCompressed ? 1 : 0];
  }

  *read(): Iterable<PieceContent> {
    let start = 0;
    for (const end of this.ends) {
      yield { content: this.file.read(start, end).toString('base64') };
      start = end;
    }
  }
}

/** Takes terms in any order and returns them bucket by bucket; in memory a term takes 16 bytes. */
export class TermBuffer extends DocumentBuffer {
  private hashes = new Uint32Array(1024);
  private ends = new Float64Array(1024);
  private terms = 0;

  get count(): number {
    return Math.ceil(this.file.length / BUCKET_BYTES);
  }

  add(entry: TermEntry): void {
    if (this.terms === this.hashes.length) this.grow();
    this.file.append(Buffer.from(JSON.stringify(entry)));
    this.hashes[this.terms] = termHash(entry.term);
    this.ends[this.terms] = this.file.length;
    this.terms++;
  }

  /** A bucket may be empty. */
  *read(): Iterable<TermBucket> {
    const buckets = this.count;
    const order = new Uint32Array(this.terms).map((_, index) => index);
    order.sort((a, b) => numberAt(this.hashes, a) - numberAt(this.hashes, b) || a - b);
    let next = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const terms: TermEntry[] = [];
      for (; next < order.length; next++) {
        const index = numberAt(order, next);
        if (bucketOf(numberAt(this.hashes, index), buckets) !== bucket) break;
        terms.push(this.entry(index));
      }
      yield { terms };
    }
  }

  private entry(index: number): TermEntry {
    const start = index === 0 ? 0 : numberAt(this.ends, index - 1);
    const line = this.file.read(start, numberAt(this.ends, index));
    return JSON.parse(line.toString()) as TermEntry; // Written by `add`.
  }

  private grow(): void {
    const { hashes, ends } = this;
    this.hashes = new Uint32Array(2 * hashes.length);
    this.ends = new Float64Array(2 * ends.length);
    this.hashes.set(hashes);
    this.ends.set(ends);
  }
}
