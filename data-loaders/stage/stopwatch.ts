// How long a load takes, over all the ticks that work on it.

import type { Resumable } from './checkpoints';

export class Stopwatch implements Resumable {
  private startedAt: number;

  constructor(private readonly now: () => Date) {
    this.startedAt = now().getTime();
  }

  get milliseconds(): number {
    return this.now().getTime() - this.startedAt;
  }

  save(): number {
    return this.milliseconds;
  }

  restore(saved: unknown): void {
    this.startedAt -= Number(saved);
  }
}
