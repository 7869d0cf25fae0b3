// The turn of a request: a bound on how many are worked on or wait, and the catalog state that each reads (D33).

import { FormerVersionGoneError } from '../../search/plan-page';
import type { CatalogState } from '../../store/catalog-types';
import { DeadlinePassedError } from '../../store/deadline';
import { ReleaseGoneError, StoreUnavailableError, UnknownFormatError, type Store } from '../../store/port';
import { UnreadableReleasesError, type ReadableReleases } from '../../store/readable-releases';
import {
  FORMER_VERSION_GONE,
  OVERLOADED,
  refused,
  TOOK_TOO_LONG,
  VERSION_GONE,
  type Outcome,
} from '../outcome/outcome';

/** A release can be deleted between reading the pointer and opening it, if its state was just superseded. */
const TRIES = 3;

/**
 * Beyond its bound a client hears at once to come again, instead of waiting for ever. One request begins or goes on in
 * each turn of the event loop, so that those that come meanwhile are heard, and counted, even while each takes the
 * processor for long. Those that begin and those that go on take turns, so that neither keep the others waiting.
 */
export class RequestQueue {
  private inside = 0;
  private readonly beginning: (() => void)[] = [];
  private readonly goingOn: (() => void)[] = [];
  private isBeginnersTurn = true;
  private isRunning = false;

  constructor(private readonly most: number) {}

  /** Undefined, at once, when too many are inside. One begins in a turn of the event loop: others are heard between. */
  async run<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    if (this.inside >= this.most) return undefined;
    this.inside++;
    try {
      if (this.isRunning) await this.turn(this.beginning);
      else this.beginAtOnce();
      return await work();
    } finally {
      this.inside--;
    }
  }

  /** For work that takes long: resolves when it may go on, after others. */
  giveWay(): Promise<void> {
    return this.turn(this.goingOn);
  }

  private turn(waiting: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      waiting.push(resolve);
      this.start();
    });
  }

  /** Nothing has begun or gone on in this turn. */
  private beginAtOnce(): void {
    this.isBeginnersTurn = false;
    this.start();
  }

  private start(): void {
    if (!this.isRunning) setImmediate(this.next);
    this.isRunning = true;
  }

  private readonly next = (): void => {
    const [first, second] = this.isBeginnersTurn ? [this.beginning, this.goingOn] : [this.goingOn, this.beginning];
    this.isBeginnersTurn = !this.isBeginnersTurn;
    const act = first.shift() ?? second.shift();
    this.isRunning = act !== undefined;
    if (act === undefined) return;
    act();
    setImmediate(this.next);
  };
}

interface AnsweringService {
  readonly queue: RequestQueue;
  readonly store: Store;
  /** Remembers what could be read, for probes and for reads that failed alike. */
  readonly health: { readonly releases: ReadableReleases };
}

/**
 * Answers from the current state, or that of a data version; begins anew when a release is deleted meanwhile. Throws
 * UnreadableReleasesError: a release that cannot be read is never left out of an answer (ADR 0050).
 */
export async function answerFromState(
  dataVersion: string | undefined,
  { queue, store, health }: AnsweringService,
  answer: (state: CatalogState) => Promise<Outcome>,
): Promise<Outcome> {
  const answered = await queue.run(async () => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const state = await (dataVersion === undefined ? store.currentState() : store.stateOf(dataVersion));
      if (state === undefined) return refused(VERSION_GONE);
      try {
        return await answer(state);
      } catch (error) {
        if (error instanceof DeadlinePassedError && error.waitedFor === 'search') return refused(TOOK_TOO_LONG);
        if (error instanceof FormerVersionGoneError) return refused(FORMER_VERSION_GONE);
        const isGone = error instanceof ReleaseGoneError;
        // A state from before a rebuild names releases that only the former program can read.
        if (dataVersion !== undefined && (isGone || error instanceof UnknownFormatError)) return refused(VERSION_GONE);
        // A release that was deleted after a publish is not there either: the next state does not name it.
        if (isGone && attempt < TRIES - 1) continue;
        if (error instanceof DeadlinePassedError || error instanceof StoreUnavailableError) throw error;
        const unreadable = await health.releases.explainFailure(store, state.entries);
        if (unreadable.length > 0) throw new UnreadableReleasesError(unreadable, error);
        if (!isGone) throw error;
      }
    }
    return undefined;
  });
  return answered ?? refused(OVERLOADED);
}
