// Memory of answers, within a bound of bytes (ADR 0047). One that was asked for twice is kept and sent again as it stands; what is
// sent once, as the pages of a walk are, leaves its memory to the next, since to allocate and to collect 9 MB for each page costs more
// than to fill them. A host that sees an answer leave gives its body back; what is never given back is collected as ever.

/** Smaller bodies are not worth their own memory. */
const SMALLEST_OWN = 64 * 1024;

/** Of the bound: a larger answer would drive out too many others. */
const LARGEST_KEPT_SHARE = 1 / 2;

/** Names of answers that were asked for once lately: a megabyte of them. */
const MOST_NAMES = 10_000;

/** What an entry takes beside its body: names, headers, a slot of the map. */
const ENTRY_BYTES = 1024;

/** What is sent of an answer beside what follows from the request. */
export interface KeptAnswer {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Records on all pages, and on this one. */
  readonly total: number;
  readonly records: number;
}

/** Somebody sends it, or it is kept, or both. */
interface Lent {
  /** Undefined for a body that was not taken from here. */
  readonly memory: ArrayBuffer | undefined;
  readonly bytes: number;
  senders: number;
  isKept: boolean;
}

export class AnswerMemory {
  private readonly lent = new WeakMap<Uint8Array, Lent>();
  /** The one that was not asked for longest first. */
  private readonly answers = new Map<string, KeptAnswer>();
  /** Of those that were asked for once, the oldest first. */
  private readonly askedOnce = new Set<string>();
  /** By size. */
  private readonly free = new Map<number, ArrayBuffer[]>();
  /** Of `answers` and `free`. */
  private heldBytes = 0;

  constructor(private readonly mostBytes: number) {}

  /** A body that is about to be sent; its bytes are whatever they were. */
  take(bytes: number): Buffer {
    if (bytes < SMALLEST_OWN) return Buffer.allocUnsafe(bytes);
    const size = roundedSize(bytes);
    const used = this.takeFree(size) ?? (this.isKeepable(size) ? this.makeRoom(size) : undefined);
    const memory = used ?? Buffer.allocUnsafeSlow(size).buffer;
    const body = Buffer.from(memory, 0, bytes);
    this.lent.set(body, { memory, bytes: size, senders: 1, isKept: false });
    return body;
  }

  /**
   * Kept from the second time on. `name` stands for the answer's bytes and for nothing else. Its body is being sent and is written to by
   * nobody any more.
   */
  keep(name: string, answer: KeptAnswer): void {
    if (this.answers.has(name) || this.isFirst(name)) return;
    const lent = this.lent.get(answer.body);
    const bytes = lent?.bytes ?? answer.body.length + ENTRY_BYTES;
    if (!this.isKeepable(bytes)) return;
    this.makeRoom(bytes);
    this.heldBytes += bytes;
    if (lent !== undefined) {
      lent.isKept = true;
      this.answers.set(name, answer);
    } else {
      // It may lie in a pool with others, and would keep all of the pool.
      const body = Buffer.allocUnsafeSlow(answer.body.length);
      answer.body.copy(body);
      this.lent.set(body, { memory: undefined, bytes, senders: 0, isKept: true });
      this.answers.set(name, { ...answer, body });
    }
  }

  /** One that is about to be sent again. */
  find(name: string): KeptAnswer | undefined {
    const answer = this.answers.get(name);
    if (answer === undefined) return undefined;
    this.answers.delete(name);
    this.answers.set(name, answer);
    const lent = this.lent.get(answer.body);
    if (lent !== undefined) lent.senders++;
    return answer;
  }

  /** A body that is not sent any more, once for each `take` and `find`. */
  giveBack(body: Uint8Array): void {
    const lent = this.lent.get(body);
    if (lent === undefined || lent.senders === 0) return;
    lent.senders--;
    if (lent.senders > 0 || lent.isKept) return;
    this.lent.delete(body);
    if (lent.memory !== undefined && this.heldBytes + lent.bytes <= this.mostBytes) this.addFree(lent.memory);
  }

  private isFirst(name: string): boolean {
    if (this.askedOnce.delete(name)) return false;
    this.askedOnce.add(name);
    const [oldest] = this.askedOnce;
    if (this.askedOnce.size > MOST_NAMES && oldest !== undefined) this.askedOnce.delete(oldest);
    return true;
  }

  private isKeepable(bytes: number): boolean {
    return bytes <= this.mostBytes * LARGEST_KEPT_SHARE;
  }

  /** Drops what is free, then old answers, until so many bytes more are within the bound; returns memory of that size, if some was dropped. */
  private makeRoom(bytes: number): ArrayBuffer | undefined {
    for (const size of this.free.keys()) {
      while (this.heldBytes + bytes > this.mostBytes && this.takeFree(size) !== undefined);
    }
    let found: ArrayBuffer | undefined;
    for (const [name, { body }] of this.answers) {
      if (this.heldBytes + bytes <= this.mostBytes || found !== undefined) break;
      this.answers.delete(name);
      const lent = this.lent.get(body);
      if (lent === undefined) continue;
      this.heldBytes -= lent.bytes;
      lent.isKept = false;
      if (lent.senders > 0) continue;
      this.lent.delete(body);
      if (lent.memory?.byteLength === bytes) found = lent.memory;
    }
    return found;
  }

  private takeFree(size: number): ArrayBuffer | undefined {
    const memory = this.free.get(size)?.pop();
    if (memory !== undefined) this.heldBytes -= size;
    return memory;
  }

  private addFree(memory: ArrayBuffer): void {
    this.heldBytes += memory.byteLength;
    const sameSize = this.free.get(memory.byteLength);
    if (sameSize === undefined) this.free.set(memory.byteLength, [memory]);
    else sameSize.push(memory);
  }
}

/** To a quarter of a power of two: few sizes, so that memory fits the next body, and little of it unused. */
function roundedSize(bytes: number): number {
  const step = 2 ** Math.floor(Math.log2(bytes)) / 4;
  return Math.ceil(bytes / step) * step;
}
