// Limits the number of requests that run or wait at the same time (ADR 0054).

/**
 * Refuses a request immediately if the limit is reached. In each turn of the event loop, only one request starts or
 * continues, so that the process can receive and count new requests even if each one takes long stretches of processor
 * time. Turns alternate between starting and continuing requests, so that neither group starves.
 */
export class RequestQueue {
  private active = 0;
  private readonly starting: (() => void)[] = [];
  private readonly continuing: (() => void)[] = [];
  private isTurnOfStarting = true;
  private isRunning = false;

  constructor(private readonly maxRequests: number) {}

  /** Resolves to undefined immediately if the limit is reached. */
  async run<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    if (this.active >= this.maxRequests) return undefined;
    this.active++;
    try {
      if (this.isRunning) {
        await this.waitForTurn(this.starting);
      } else {
        // Nothing else is scheduled for this turn of the event loop, so this request starts without waiting.
        this.isTurnOfStarting = false;
        this.start();
      }
      return await work();
    } finally {
      this.active--;
    }
  }

  /** Call during long work. Resolves when the request may continue, after others have had their turn. */
  giveWay(): Promise<void> {
    return this.waitForTurn(this.continuing);
  }

  private waitForTurn(waiting: (() => void)[]): Promise<void> {
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
    const [first, second] = this.isTurnOfStarting ? [this.starting, this.continuing] : [this.continuing, this.starting];
    this.isTurnOfStarting = !this.isTurnOfStarting;
    const resume = first.shift() ?? second.shift();
    this.isRunning = resume !== undefined;
    if (resume === undefined) return;
    resume();
    setImmediate(this.next);
  };
}
