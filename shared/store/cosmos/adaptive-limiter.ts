// How many calls may be under way at once: halved when the service says that there were too many (429), slowly more while
// it does not, as TCP does. A call that waits to be tried again keeps its place, so that the waiting itself slows the others.

import { DeadlinePassedError } from '../deadline';

export class AdaptiveLimiter {
  private allowed: number;
  private active = 0;
  private halvings = 0;
  /** In the order in which they came. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly most: number) {
    this.allowed = most;
  }

  /** `waitMs` bounds the time until `act` starts; beyond it, which is the deadline, a DeadlinePassedError. */
  async run<Value>(act: () => Promise<Value>, waitMs = Infinity): Promise<Value> {
    if (this.active < Math.floor(this.allowed)) this.active++;
    else await this.turn(waitMs);
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

  private turn(waitMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.waiting.delete(start);
        reject(new DeadlinePassedError('store', 'Cosmos DB has so many calls to answer that this one had no turn'));
      };
      const impatience = waitMs === Infinity ? undefined : setTimeout(giveUp, waitMs);
      const start = (): void => {
        clearTimeout(impatience);
        resolve();
      };
      this.waiting.add(start);
    });
  }

  /** The places of those that are woken are taken at once: they run only later. */
  private wake(): void {
    for (const start of this.waiting) {
      if (this.active >= Math.floor(this.allowed)) return;
      this.waiting.delete(start);
      this.active++;
      start();
    }
  }
}
