// The bytes of answers that are being sent. A kept answer has one memory, however many read it (ADR 0047).

export class BodiesInFlight {
  bytes = 0;
  private readonly readers = new Map<Uint8Array, number>();

  /** What they would be with one reader more. */
  bytesWith(body: Uint8Array): number {
    return this.readers.has(body) ? this.bytes : this.bytes + body.length;
  }

  add(body: Uint8Array): void {
    this.bytes = this.bytesWith(body);
    this.readers.set(body, (this.readers.get(body) ?? 0) + 1);
  }

  /** Once for each `add`. */
  remove(body: Uint8Array): void {
    const left = (this.readers.get(body) ?? 0) - 1;
    if (left > 0) {
      this.readers.set(body, left);
    } else if (this.readers.delete(body)) {
      this.bytes -= body.length;
    }
  }
}
