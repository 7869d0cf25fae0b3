// A bound on requests that are worked on or wait for it: beyond it a client hears at once to come again, instead of waiting for ever.

export class RequestQueue {
  private inside = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /**
   * Undefined, at once, when too many are inside. One begins in each turn of the event loop, so that those that come meanwhile are heard and
   * counted even while each takes the processor for long.
   */
  async run<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    if (this.inside >= this.most) return undefined;
    this.inside++;
    try {
      await this.turn();
      return await work();
    } finally {
      this.inside--;
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length === 1) setImmediate(this.next);
    });
  }

  private readonly next = (): void => {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(this.next);
  };
}
