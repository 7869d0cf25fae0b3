// Where a release waits on the local disk until its writer finishes it: only then are its name and its sizes known, and
// whether it is needed at all. Runs as lines of JSON; contents that have documents of their own, cut into pieces.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { zstdCompressSync } from 'node:zlib';
import { PIECE_BYTES, type ContentReference } from './documents';

const BUFFER_BYTES = 1 << 20;

/** A file that only grows and is read anywhere. */
export class SpoolFile {
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
      if (length === 0) throw new Error('a spool file was cut off');
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

/** The runs of a family, in their order. */
export class RunSpool<Run extends { readonly first: number }> {
  private readonly file: SpoolFile;
  private readonly firsts: number[] = [];

  constructor(path: string) {
    this.file = new SpoolFile(path);
  }

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
      const block = this.file.read(start, Math.min(this.file.length, start + BUFFER_BYTES));
      let from = 0;
      for (let end = block.indexOf(LINE_BREAK); end !== -1; end = block.indexOf(LINE_BREAK, from)) {
        yield JSON.parse(Buffer.concat([...begun, block.subarray(from, end)]).toString()) as Run; // Written by `add`.
        begun = [];
        from = end + 1;
      }
      begun.push(block.subarray(from));
    }
  }

  close(): void {
    this.file.close();
  }
}

/** JSON texts have none inside. */
const LINE_BREAK = 0x0a;

/** Of the document of a piece. */
export interface PieceContent {
  /** Base64. */
  readonly content: string;
}

export class PieceSpool {
  private readonly file: SpoolFile;
  /** Where each piece ends in the file. */
  private readonly ends: number[] = [];

  constructor(path: string) {
    this.file = new SpoolFile(path);
  }

  get count(): number {
    return this.ends.length;
  }

  /** Starts a new piece; compressed where that helps. */
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

  close(): void {
    this.file.close();
  }
}
