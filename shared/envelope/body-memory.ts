// Memory of answers that were sent, used again for the next ones: to allocate and to collect 9 MB for each page costs more than
// to fill them. A host that sees an answer leave gives its body back; what is never given back is collected as ever.

/** Smaller bodies are not worth keeping. */
const SMALLEST_KEPT = 64 * 1024;

/** Of all that is kept between answers: four of the largest usual ones, or one for each of 64 clients who read pages of 1,000. */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

export class BodyMemory {
  /** By size, a power of two. */
  private readonly free = new Map<number, ArrayBuffer[]>();
  private freeBytes = 0;
  private readonly lent = new WeakMap<Uint8Array, ArrayBuffer>();

  /** Its bytes are whatever they were. */
  take(bytes: number): Buffer {
    if (bytes < SMALLEST_KEPT) return Buffer.allocUnsafe(bytes);
    const size = 2 ** Math.ceil(Math.log2(bytes));
    const kept = this.free.get(size)?.pop();
    if (kept !== undefined) this.freeBytes -= size;
    const memory = kept ?? Buffer.allocUnsafeSlow(size).buffer;
    const body = Buffer.from(memory, 0, bytes);
    this.lent.set(body, memory);
    return body;
  }

  /** Nobody may look at the body any more. What was not taken from here is let go. */
  giveBack(body: Uint8Array): void {
    const memory = this.lent.get(body);
    if (memory === undefined) return;
    this.lent.delete(body);
    const size = memory.byteLength;
    if (this.freeBytes + size > MAX_KEPT_BYTES) return;
    this.freeBytes += size;
    const sameSize = this.free.get(size);
    if (sameSize === undefined) this.free.set(size, [memory]);
    else sameSize.push(memory);
  }
}
