// The bytes of answers that are being made or sent, within one bound for the process (ADR 0054): what an answer takes
// is reserved before it is made, and its body counts until it has left.

export class BytesInFlight {
  private readonly senders = new Map<Uint8Array, number>();
  private bytes = 0;

  constructor(private readonly most: number) {}

  get current(): number {
    return this.bytes;
  }

  /** Reserves nothing yet. */
  reserve(): Reservation {
    return new Reservation((from, to) => this.hasChanged(from, to));
  }

  /** False when there is no room. A cached body has one memory, and counts once however many send it (ADR 0047). */
  add(body: Uint8Array): boolean {
    const senders = this.senders.get(body) ?? 0;
    if (senders === 0 && !this.hasChanged(0, body.length)) return false;
    this.senders.set(body, senders + 1);
    return true;
  }

  /** Once for each `add` that was true. */
  remove(body: Uint8Array): void {
    const left = (this.senders.get(body) ?? 0) - 1;
    if (left > 0) this.senders.set(body, left);
    else if (this.senders.delete(body)) this.bytes -= body.length;
  }

  /** Changes what one answer takes. An answer that is alone may take any number of bytes. */
  private hasChanged(from: number, to: number): boolean {
    const others = this.bytes - from;
    if (to > from && others > 0 && others + to > this.most) return false;
    this.bytes = others + to;
    return true;
  }
}

/** What one answer takes while it is made. */
export class Reservation {
  private bytes = 0;

  constructor(private readonly hasChanged: (from: number, to: number) => boolean) {}

  /** False, and as before, when there is no room for so many bytes. */
  resize(bytes: number): boolean {
    const isDone = this.hasChanged(this.bytes, bytes);
    if (isDone) this.bytes = bytes;
    return isDone;
  }

  release(): void {
    this.resize(0);
  }
}
