// Results that come in the order in which they were asked for, and are asked for before they are waited for.

export class PendingResults<Result> {
  private readonly pending: Promise<Result>[] = [];

  get count(): number {
    return this.pending.length;
  }

  add(result: Promise<Result>): void {
    // When an earlier one fails, nobody waits for this one: its own failure must not count as unhandled.
    result.catch(() => undefined);
    this.pending.push(result);
  }

  /** The first that was not taken yet. */
  next(): Promise<Result> {
    return this.pending.shift() ?? Promise.reject(new Error('no result is pending'));
  }
}
