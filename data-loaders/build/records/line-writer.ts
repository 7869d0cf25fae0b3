// Texts in UTF-8 with a line feed behind each, written where they are needed: a text is encoded once, and what lies in
// UTF-8 already is copied (ADR 0131).

import { ByteWriter } from '../../../shared/values/bytes/byte-writer';

/** Texts in UTF-8 with a line feed behind each, whose positions are `ends`. */
interface EncodedLines {
  readonly texts: Buffer<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

const LINE_FEED = 0x0a;

/** New memory holds a usual batch of 250 records. */
const NEW_BYTES = 512 * 1024;

export class LineWriter {
  /** The line under way is written here. */
  readonly target: ByteWriter;
  private readonly ends: Uint32Array<ArrayBuffer>;
  private count = 0;

  /** Writes at most so many lines into `memory`, or into new memory; both can be transferred to another thread. */
  constructor(lines: number, memory: ArrayBuffer | undefined) {
    const allocate = (bytes: number): Buffer<ArrayBuffer> => Buffer.allocUnsafeSlow(bytes);
    this.target = new ByteWriter(memory === undefined ? allocate(NEW_BYTES) : Buffer.from(memory), allocate);
    this.ends = new Uint32Array(lines);
  }

  /** Returns the bytes of the line, which stay valid until the next line is begun. */
  endLine(): Uint8Array {
    const start = this.count === 0 ? 0 : (this.ends[this.count - 1] ?? 0) + 1;
    const end = this.target.length;
    this.ends[this.count++] = end;
    this.target.byte(LINE_FEED);
    return this.target.bytes(start, end);
  }

  finish(): EncodedLines {
    return { texts: this.target.bytes(), ends: this.ends };
  }
}
