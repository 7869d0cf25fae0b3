// A token bucket: holds what may be taken in a minute, and is filled again evenly over it.

const MS_PER_MINUTE = 60_000;

export class TokenBucket {
  private left: number;

  /** Full at first. Times are milliseconds of one clock; one that is set back adds nothing and takes nothing away. */
  constructor(
    readonly perMinute: number,
    private at: number,
  ) {
    this.left = perMinute;
  }

  /** Below zero when more was taken than there was. */
  leftAt(now: number): number {
    const filled = (Math.max(0, now - this.at) * this.perMinute) / MS_PER_MINUTE;
    this.left = Math.min(this.perMinute, this.left + filled);
    this.at = now;
    return this.left;
  }

  take(tokens: number, now: number): void {
    this.left = this.leftAt(now) - tokens;
  }

  /** Whole seconds, rounded up, until at least so many are there; zero when they are. */
  secondsUntil(tokens: number, now: number): number {
    const missing = tokens - this.leftAt(now);
    return Math.max(0, Math.ceil((missing * 60) / this.perMinute));
  }
}
