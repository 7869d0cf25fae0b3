// Bytes that are put together from texts and from parts of other bytes, in memory that grows.

/** Shorter parts are copied byte by byte: the view that a copy of the platform needs costs more. */
const LONG = 64;

export class ByteWriter {
  private target: Buffer<ArrayBuffer>;
  private written = 0;

  /** `firstBytes` is how much room there is before more is allocated. */
  constructor(firstBytes: number) {
    this.target = Buffer.allocUnsafe(firstBytes);
  }

  /** How many bytes were written. */
  get length(): number {
    return this.written;
  }

  /** Copies what stands from `start` to before `end`. */
  copy(source: Uint8Array, start: number, end: number): void {
    const bytes = end - start;
    this.makeRoom(bytes);
    if (bytes >= LONG) {
      this.target.set(source.subarray(start, end), this.written);
    } else {
      const { target, written } = this;
      for (let at = 0; at < bytes; at++) target[written + at] = byteAt(source, start + at);
    }
    this.written += bytes;
  }

  copyAll(source: Uint8Array): void {
    this.copy(source, 0, source.length);
  }

  /** Takes back what was written after so many bytes. */
  endAt(length: number): void {
    this.written = length;
  }

  byte(byte: number): void {
    this.makeRoom(1);
    this.target[this.written++] = byte;
  }

  /** Writes a text in UTF-8, and returns how many bytes it has. */
  text(text: string): number {
    this.makeRoom(mostUtf8Bytes(text));
    const bytes = this.target.write(text, this.written);
    this.written += bytes;
    return bytes;
  }

  /** What was written from `start` to before `end`; it stays as it is only until more is written. */
  bytes(start = 0, end = this.written): Buffer<ArrayBuffer> {
    return this.target.subarray(start, end);
  }

  private makeRoom(bytes: number): void {
    const needed = this.written + bytes;
    if (needed <= this.target.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.target.length, needed));
    larger.set(this.target.subarray(0, this.written));
    this.target = larger;
  }
}

/** How many bytes a text takes in UTF-8 at most: a UTF-16 unit takes three. */
export function mostUtf8Bytes(text: string): number {
  return 3 * text.length;
}

function byteAt(bytes: Uint8Array, index: number): number {
  const byte = bytes[index];
  if (byte === undefined) throw new RangeError(`no byte at index ${index} of ${bytes.length}`);
  return byte;
}
