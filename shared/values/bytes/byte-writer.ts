// Bytes that are put together from texts and from parts of other bytes, in memory that grows.

export class ByteWriter {
  private target: Buffer<ArrayBuffer>;
  private writtenBytes = 0;

  /** `initialBytes` is how much room there is before more is allocated. */
  constructor(initialBytes: number) {
    this.target = Buffer.allocUnsafe(initialBytes);
  }

  /** How many bytes were written. */
  get length(): number {
    return this.writtenBytes;
  }

  copy(source: Uint8Array): void {
    this.makeRoom(source.length);
    this.target.set(source, this.writtenBytes);
    this.writtenBytes += source.length;
  }

  /** Takes back what was written after so many bytes. */
  truncate(length: number): void {
    this.writtenBytes = length;
  }

  byte(byte: number): void {
    this.makeRoom(1);
    this.target[this.writtenBytes] = byte;
    this.writtenBytes++;
  }

  /** Writes a text in UTF-8, and returns how many bytes it has. */
  text(text: string): number {
    this.makeRoom(maxUtf8Bytes(text));
    const bytes = this.target.write(text, this.writtenBytes);
    this.writtenBytes += bytes;
    return bytes;
  }

  /** What was written from `start` to before `end`; it stays as it is only until more is written. */
  bytes(start = 0, end = this.writtenBytes): Buffer<ArrayBuffer> {
    return this.target.subarray(start, end);
  }

  private makeRoom(bytes: number): void {
    const needed = this.writtenBytes + bytes;
    if (needed <= this.target.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.target.length, needed));
    larger.set(this.target.subarray(0, this.writtenBytes));
    this.target = larger;
  }
}

/** How many bytes a text takes in UTF-8 at most: a UTF-16 unit takes three. */
export function maxUtf8Bytes(text: string): number {
  return 3 * text.length;
}
