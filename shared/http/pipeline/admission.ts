// Whether there is room for a request: a bound on how many are worked on or wait, and one on the bytes of answers that
// are being made or sent (ADR 0054).

/**
 * Bounds how many requests are worked on or wait; beyond the bound a request is refused at once. One request begins or
 * goes on in each turn of the event loop, so that new ones are received, and counted, even while each takes the
 * processor for long. Those that begin and those that go on alternate, so that neither keep the others waiting.
 */
export class RequestQueue {
  private inside = 0;
  private readonly beginning: (() => void)[] = [];
  private readonly goingOn: (() => void)[] = [];
  private isBeginnersTurn = true;
  private isRunning = false;

  constructor(private readonly most: number) {}

  /** Undefined, at once, when too many requests are worked on or wait. */
  async run<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    if (this.inside >= this.most) return undefined;
    this.inside++;
    try {
      if (this.isRunning) {
        await this.turn(this.beginning);
      } else {
        // Nothing has begun or gone on in this turn.
        this.isBeginnersTurn = false;
        this.start();
      }
      return await work();
    } finally {
      this.inside--;
    }
  }

  /** For work that takes long: resolves when it may go on, after others. */
  giveWay(): Promise<void> {
    return this.turn(this.goingOn);
  }

  private turn(waiting: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      this.start();
    });
  }

  private start(): void {
    if (!this.isRunning) setImmediate(this.next);
    this.isRunning = true;
  }

  private readonly next = (): void => {
    const [first, second] = this.isBeginnersTurn ? [this.beginning, this.goingOn] : [this.goingOn, this.beginning];
    this.isBeginnersTurn = !this.isBeginnersTurn;
    const act = first.shift() ?? second.shift();
    this.isRunning = act !== undefined;
    if (act === undefined) return;
    act();
    setImmediate(this.next);
  };
}

/** The share of the bound up to which an answer is small: 128 KB of 512 MB. */
const SMALL = 1 / 4096;

/** What small answers have beside the bound, so that slow readers of large ones do not keep others from `/health`. */
const ROOM_FOR_SMALL = 1 / 16;

/** What one answer takes while it is made. */
export interface Reservation {
  /** False, and as before, when there is no room for so many bytes. */
  readonly resize: (bytes: number) => boolean;
  readonly release: () => void;
}

/**
 * The bytes of answers within one bound for the process: what an answer takes is reserved before it is made, and its
 * body counts until it has left.
 */
export class BytesInFlight {
  private readonly senders = new Map<Uint8Array, number>();
  private large = 0;
  private small = 0;

  constructor(private readonly most: number) {}

  get current(): number {
    return this.large + this.small;
  }

  /** Reserves nothing yet. */
  reserve(): Reservation {
    let reserved = 0;
    const resize = (bytes: number): boolean => {
      const isDone = this.hasChanged(reserved, bytes);
      if (isDone) reserved = bytes;
      return isDone;
    };
    return { resize, release: () => void resize(0) };
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
    else if (this.senders.delete(body)) this.count(body.length, -1);
  }

  /** Changes what one answer takes. */
  private hasChanged(from: number, to: number): boolean {
    this.count(from, -1);
    const isDone = to <= from || this.hasRoom(to);
    this.count(isDone ? to : from, 1);
    return isDone;
  }

  /** A large answer that is alone may take any number of bytes. */
  private hasRoom(bytes: number): boolean {
    if (this.isSmall(bytes)) return this.small + bytes <= this.most * ROOM_FOR_SMALL;
    return this.large === 0 || this.large + bytes <= this.most;
  }

  private count(bytes: number, times: 1 | -1): void {
    if (this.isSmall(bytes)) this.small += times * bytes;
    else this.large += times * bytes;
  }

  private isSmall(bytes: number): boolean {
    return bytes <= this.most * SMALL;
  }
}
