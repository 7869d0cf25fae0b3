// Texts in UTF-8 with a line feed behind each, written where they are needed: a text is encoded once, and what lies in
// UTF-8 already is copied (ADR 0131).

/** Texts in UTF-8 with a line feed behind each, whose positions are `ends`. */
interface EncodedLines {
  readonly texts: Buffer<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
}

const LINE_FEED = 0x0a;

/** New memory holds a usual batch of 250 records. */
const NEW_BYTES = 512 * 1024;

/** One UTF-16 code unit takes at most three bytes in UTF-8. */
const MAX_CHARACTER_BYTES = 3;

export class LineWriter {
  private bytes: Buffer<ArrayBuffer>;
  private length = 0;
  private readonly ends: Uint32Array<ArrayBuffer>;
  private count = 0;

  /** Writes at most so many lines into `memory`, or into new memory; both can be transferred to another thread. */
  constructor(lines: number, memory: ArrayBuffer | undefined) {
    this.bytes = Buffer.from(memory ?? new ArrayBuffer(NEW_BYTES));
    this.ends = new Uint32Array(lines);
  }

  add(text: string): void {
    this.reserve(MAX_CHARACTER_BYTES * text.length);
    this.length += this.bytes.write(text, this.length);
  }

  /** Adds as many bytes as `copy` is asked to put into a buffer from a position on. */
  addBytes(length: number, copy: (target: Buffer, at: number) => void): void {
    this.reserve(length);
    copy(this.bytes, this.length);
    this.length += length;
  }

  /** Returns the bytes of the line, which stay valid until the next line is begun. */
  endLine(): Uint8Array {
    this.reserve(1);
    const start = this.count === 0 ? 0 : (this.ends[this.count - 1] ?? 0) + 1;
    const line = this.bytes.subarray(start, this.length);
    this.ends[this.count++] = this.length;
    this.bytes[this.length++] = LINE_FEED;
    return line;
  }

  finish(): EncodedLines {
    return { texts: this.bytes.subarray(0, this.length), ends: this.ends };
  }

  private reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const grown = Buffer.from(new ArrayBuffer(Math.max(2 * this.bytes.length, this.length + more)));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}
