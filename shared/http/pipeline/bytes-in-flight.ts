// Limits the memory of all answers that are being written or sent (ADR 0054).

/** The size up to which an answer is small, as a share of the limit: 128 KB of 512 MB. */
const SMALL_ANSWER_SHARE = 1 / 4096;

/**
 * The share that small answers have in addition to the limit, so that slow readers of large answers cannot block
 * `/health`.
 */
const SMALL_ANSWERS_SHARE = 1 / 16;

/** The memory of one answer while it is written. */
export interface Reservation {
  /** Returns false, and changes nothing, if there is no room for this many bytes. */
  readonly resize: (bytes: number) => boolean;
  readonly release: () => void;
}

/** An answer reserves its bytes before it is written. After that, its body counts until it has been sent. */
export class BytesInFlight {
  private readonly senders = new Map<Uint8Array, number>();
  private large = 0;
  private small = 0;

  constructor(private readonly maxBytes: number) {}

  get current(): number {
    return this.large + this.small;
  }

  /** Creates an empty reservation, to be resized. */
  reserve(): Reservation {
    let reserved = 0;
    const resize = (bytes: number): boolean => {
      const isDone = this.tryResize(reserved, bytes);
      if (isDone) reserved = bytes;
      return isDone;
    };
    return { resize, release: () => void resize(0) };
  }

  /**
   * Counts a body. Returns false if there is no room for it. A cached body counts only once, however many requests send
   * it (ADR 0047).
   */
  add(body: Uint8Array): boolean {
    const senders = this.senders.get(body) ?? 0;
    if (senders === 0 && !this.tryResize(0, body.length)) return false;
    this.senders.set(body, senders + 1);
    return true;
  }

  /** Call once for each `add` that returned true. */
  remove(body: Uint8Array): void {
    const left = (this.senders.get(body) ?? 0) - 1;
    if (left > 0) this.senders.set(body, left);
    else if (this.senders.delete(body)) this.count(body.length, -1);
  }

  private tryResize(from: number, to: number): boolean {
    this.count(from, -1);
    const isDone = to <= from || this.hasRoom(to);
    this.count(isDone ? to : from, 1);
    return isDone;
  }

  /** If no other large answer is in flight, a single large answer may take any number of bytes. */
  private hasRoom(bytes: number): boolean {
    if (this.isSmall(bytes)) return this.small + bytes <= this.maxBytes * SMALL_ANSWERS_SHARE;
    return this.large === 0 || this.large + bytes <= this.maxBytes;
  }

  private count(bytes: number, times: 1 | -1): void {
    if (this.isSmall(bytes)) this.small += times * bytes;
    else this.large += times * bytes;
  }

  private isSmall(bytes: number): boolean {
    return bytes <= this.maxBytes * SMALL_ANSWER_SHARE;
  }
}
