// Does a second client see what the first one publishes? The consistency level is Session, so another client may lag
// behind.

import { setTimeout as pause } from 'node:timers/promises';
import { EMPTY_STATE } from '../../shared/store/catalog-types';
import { createState, finishRelease, openExistingRelease } from '../store-contract/release-content';
import { type Answer, openSubject, type Question, type Subject } from './question';

export const publishQuestion: Question = {
  title: 'Does a second client see a publish within five seconds?',
  answer: measureDelays,
};

const PUBLISHES = 5;
const MAX_DELAY_MS = 5000;
const POLL_MS = 20;

async function measureDelays(subject: Subject): Promise<Answer> {
  const writer = openSubject(subject);
  const reader = openSubject(subject);
  const delays: number[] = [];
  try {
    let current = EMPTY_STATE.version;
    for (let index = 0; index < PUBLISHES; index++) {
      const word = `publish ${index}`;
      const facts = await finishRelease(writer, word);
      const state = createState(word, new Date().toISOString());
      const outcome = await writer.publish(current, state);
      if (outcome !== 'published')
        return { verdict: 'FAIL', details: [`Publish ${index + 1} ended with the outcome “${outcome}”.`] };
      current = state.version;
      const start = performance.now();
      while ((await reader.currentState()).version !== current) {
        if (performance.now() - start > MAX_DELAY_MS) {
          return { verdict: 'FAIL', details: [`Publish ${index + 1} was not seen within ${MAX_DELAY_MS} ms.`] };
        }
        await pause(POLL_MS);
      }
      await openExistingRelease(reader, facts);
      delays.push(Math.round(performance.now() - start));
    }
  } finally {
    await Promise.all([writer.close(), reader.close()]);
  }
  return { verdict: 'PASS', details: [`Seen after ${delays.join(', ')} ms.`] };
}
