// Checkpoints, at which the reading of a submission can end and go on later (ADR 0021). Its parts (files, their
// findings, counters) say what they have in memory; at a checkpoint, between two batches of rows, that is committed
// together with the rows staged so far.

import { deserialize, serialize } from 'node:v8';
import type { Staging } from './staging';

export interface Resumable {
  /** Is saved, and replaced by what an earlier process of the same program saved: the structured clone knows it. */
  state: unknown;
}

/** Thrown where a load can be ended without loss. */
export class StoppedError extends Error {
  constructor() {
    super('the load was told to stop');
    this.name = 'StoppedError';
  }
}

/** 200,000 rows, seconds of work for a kill to cost; a checkpoint writes each changed index page twice. */
const CHECKPOINT_BYTES = 32 * 1024 * 1024;

export class Checkpoints {
  private readonly parts = new Map<string, Resumable>();
  private bytes = 0;

  constructor(
    private readonly staging: Staging,
    private readonly isToStop: () => boolean,
  ) {}

  /** Restores the part if it was saved, and saves it at each checkpoint from now on; true if it had ended before. */
  attach(name: string, part: Resumable): boolean {
    const saved = this.staging.savedState(name);
    if (saved !== undefined) part.state = deserialize(saved.state);
    const hasEnded = saved?.isFinal === true;
    if (!hasEnded) this.parts.set(name, part);
    return hasEnded;
  }

  /** Tells that the part has come to its end, which is a checkpoint, unless it had ended before. */
  finish(name: string): void {
    if (!this.parts.has(name)) return;
    this.save(name, true);
    this.parts.delete(name);
    this.commit();
  }

  /** Called between batches with the bytes staged since; throws StoppedError when the load is to stop. */
  pass(bytes: number): void {
    this.bytes += bytes;
    const isToStop = this.isToStop();
    if (isToStop || this.bytes >= CHECKPOINT_BYTES) this.commit();
    if (isToStop) throw new StoppedError();
  }

  private commit(): void {
    for (const name of this.parts.keys()) this.save(name, false);
    this.staging.commit();
    this.bytes = 0;
  }

  private save(name: string, isFinal: boolean): void {
    this.staging.saveState(name, { state: serialize(this.parts.get(name)?.state), isFinal });
  }
}

/** Measures how long a load takes, over all the ticks that work on it. */
export class Stopwatch implements Resumable {
  private startedAt: number;

  constructor(private readonly now: () => Date) {
    this.startedAt = now().getTime();
  }

  get milliseconds(): number {
    return this.now().getTime() - this.startedAt;
  }

  get state(): number {
    return this.milliseconds;
  }

  set state(milliseconds: number) {
    this.startedAt -= milliseconds;
  }
}
