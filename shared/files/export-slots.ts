// Limits the number of simultaneous exports. Further exports wait briefly, because most exports take less than a
// second.

/** The estimated wait until the first export has finished. */
const UNKNOWN_SECONDS = 30;

const MAX_SECONDS = 300;

/** Each export takes a thread and its memory (D46). */
export class ExportSlots {
  private used = 0;
  /** The waiting exports, longest wait first. */
  private readonly waiting: (() => void)[] = [];
  /** The moving average of export durations in milliseconds. The latest export has a weight of one half. */
  private meanDuration: number | undefined;

  constructor(private readonly max: number) {}

  /** Returns false if no slot is free. */
  acquire(): boolean {
    if (this.used >= this.max) return false;
    this.used++;
    return true;
  }

  /** Waits for a free slot, in order of arrival. Resolves to false if none was free in time. */
  async acquireWithin(milliseconds: number): Promise<boolean> {
    if (this.acquire()) return true;
    return new Promise((resolve) => {
      const take = (): void => {
        clearTimeout(timer);
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(take), 1);
        resolve(false);
      }, milliseconds);
      this.waiting.push(take);
    });
  }

  /** `duration` is the duration of the export in milliseconds; undefined if it did not finish. */
  release(duration?: number): void {
    if (duration !== undefined) this.meanDuration = ((this.meanDuration ?? duration) + duration) / 2;
    const next = this.waiting.shift();
    // The slot passes to the export that waited longest.
    if (next === undefined) this.used--;
    else next();
  }

  /** Estimates the seconds until a slot is free: the mean duration of exports. */
  estimateWait(): number {
    if (this.meanDuration === undefined) return UNKNOWN_SECONDS;
    return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(this.meanDuration / 1000)));
  }
}
