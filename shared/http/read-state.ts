// One request reads one catalog state (D33), when its turn comes.

import type { CatalogState } from '../store/catalog-types';
import { DeadlinePassedError } from '../store/deadline';
import { ReleaseGoneError, UnknownFormatError } from '../store/port';
import { OVERLOADED, TOOK_TOO_LONG, VERSION_GONE } from './problem';
import type { Outcome } from './respond';
import type { Service } from './service';

/** A release can be deleted between reading the pointer and opening it, if its state was just superseded. */
const TRIES = 3;

/**
 * Answers from the current state, or from that of a data version; what is gone or takes too long is a problem, and so is that too many
 * requests are at work.
 */
export async function answerFromState(
  dataVersion: string | undefined,
  service: Service,
  answer: (state: CatalogState) => Promise<Outcome>,
): Promise<Outcome> {
  const answered = await service.queue.run(() => answerWhileHeld(dataVersion, service, answer));
  return answered ?? { problem: OVERLOADED };
}

/** Begins anew when a release is deleted meanwhile. */
async function answerWhileHeld(
  dataVersion: string | undefined,
  { store }: Service,
  answer: (state: CatalogState) => Promise<Outcome>,
): Promise<Outcome> {
  const isFormer = dataVersion !== undefined;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const state = await (isFormer ? store.stateOf(dataVersion) : store.currentState());
    if (state === undefined) return { problem: VERSION_GONE };
    try {
      return await answer(state);
    } catch (error) {
      if (error instanceof DeadlinePassedError && error.waitedFor === 'search') return { problem: TOOK_TOO_LONG };
      // A state of before a rebuild names releases that only the former program can read.
      if (isFormer && error instanceof UnknownFormatError) return { problem: VERSION_GONE };
      if (!(error instanceof ReleaseGoneError)) throw error;
      if (isFormer) return { problem: VERSION_GONE };
    }
  }
  return { problem: OVERLOADED };
}
