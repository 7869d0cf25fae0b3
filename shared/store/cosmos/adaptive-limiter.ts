// How many calls may be under way at once: halved when the service says that there were too many (429), slowly more while
// it does not, as TCP does. A call that waits to be tried again keeps its place, so that the waiting itself slows the others.

export class AdaptiveLimiter {
  private allowed: number;
  private active = 0;
  private halvings = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {
    this.allowed = most;
  }

  async run<Value>(act: () => Promise<Value>): Promise<Value> {
    if (this.active < Math.floor(this.allowed)) this.active++;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await act();
    } finally {
      this.active--;
      this.wake();
    }
  }

  /** Names a moment for `slowDown`. */
  get moment(): number {
    return this.halvings;
  }

  /** Of many calls that were refused together only the first halves; `since` is the moment at which the call was sent. */
  slowDown(since: number): void {
    if (since !== this.halvings) return;
    this.halvings++;
    this.allowed = Math.max(1, this.allowed / 2);
  }

  speedUp(): void {
    this.allowed = Math.min(this.most, this.allowed + 1 / this.allowed);
  }

  /** The places of those that are woken are taken at once: they run only later. */
  private wake(): void {
    const free = Math.max(0, Math.floor(this.allowed) - this.active);
    for (const start of this.waiting.splice(0, free)) {
      this.active++;
      start();
    }
  }
}
