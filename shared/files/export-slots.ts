// Bounds how many exports run at once. A further one waits briefly: most exports take less than a second.

/** What is assumed until an export has finished. */
const UNKNOWN_SECONDS = 30;

const MAX_SECONDS = 300;

/** Each export takes a thread and its memory (D46). */
export class ExportSlots {
  private used = 0;
  /** Those who wait for a slot, the first one first. */
  private readonly waiting: (() => void)[] = [];
  /** How long exports took, in milliseconds, with the newest counting half. */
  private meanDuration: number | undefined;

  constructor(private readonly max: number) {}

  /** False when no slot is free. */
  acquire(): boolean {
    if (this.used >= this.max) return false;
    this.used++;
    return true;
  }

  /** Waits for a free slot, in turn. False when none was free in time. */
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

  /** `duration` is how long the export took, in milliseconds; undefined for one that did not run to its end. */
  release(duration?: number): void {
    if (duration !== undefined) this.meanDuration = ((this.meanDuration ?? duration) + duration) / 2;
    const next = this.waiting.shift();
    // The slot passes to the one who waited longest.
    if (next === undefined) this.used--;
    else next();
  }

  /** When a slot is likely to be free, in whole seconds: after one more of the exports that finished before. */
  estimateWait(): number {
    if (this.meanDuration === undefined) return UNKNOWN_SECONDS;
    return Math.min(MAX_SECONDS, Math.max(1, Math.ceil(this.meanDuration / 1000)));
  }
}
