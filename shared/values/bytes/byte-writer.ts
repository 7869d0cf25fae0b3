// Bytes that are put together from texts and from parts of other bytes, in memory that grows.

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

  copy(source: Uint8Array): void {
    this.makeRoom(source.length);
    this.target.set(source, this.written);
    this.written += source.length;
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
