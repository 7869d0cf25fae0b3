// Checks how the account responds to a document that is too large and to too many simultaneous requests, and whether
// the adapter handles both.

import { toCallFailure } from '../../shared/store/cosmos/connect';
import { type Answer, describeError, findRawContainer, type Question, type Subject } from './question';
import { type RawDocument, retryThrottled } from './scratch-database';

export const tooLargeQuestion: Question = {
  title: 'Is a document over 2 MB refused with 413, so that the adapter does not retry it?',
  answer: sendTooLarge,
};

export const throttledQuestion: Question = {
  title: 'If too many requests arrive at once, are they refused with 429 and a time to wait?',
  answer: sendTooMany,
};

const MEGABYTE = 1024 * 1024;

async function sendTooLarge(subject: Subject): Promise<Answer> {
  const container = await findRawContainer(subject);
  const document: RawDocument = { id: 'large', partition: 'limits', filling: 'x'.repeat(2.5 * MEGABYTE) };
  try {
    await retryThrottled(() => container.items.upsert(document));
  } catch (error) {
    const failure = toCallFailure(error);
    const isRight = failure?.status === 413 && !failure.isTransient;
    return { verdict: isRight ? 'PASS' : 'FAIL', details: [`Answer ${failure?.status}: ${describeError(error)}`] };
  }
  const details = ['A document of 2.5 MB was stored.'];
  return subject.isEmulator
    ? { verdict: 'SKIPPED', details: ['The emulator has no size limit.'] }
    : { verdict: 'FAIL', details };
}

const WRITES_AT_ONCE = 64;
const ROUNDS = 5;

/**
 * Writing one document costs about 1,000 request units, so one round exceeds what a scratch database may use per
 * second.
 */
const LARGE = 'x'.repeat(MEGABYTE / 5);

async function sendTooMany(subject: Subject): Promise<Answer> {
  const container = await findRawContainer(subject);
  const rounds = subject.isEmulator ? 1 : ROUNDS;
  for (let round = 0; round < rounds; round++) {
    const writes = Array.from({ length: WRITES_AT_ONCE }, (_, index) => {
      const document: RawDocument = { id: `${index}`, partition: `limits ${index}`, filling: LARGE };
      return container.items.upsert(document);
    });
    const results = await Promise.allSettled(writes);
    const errors = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
    const throttled = errors.find((error) => toCallFailure(error)?.status === 429);
    if (throttled !== undefined) return describeThrottled(throttled, errors.length);
    if (errors.length > 0) return { verdict: 'FAIL', details: [describeError(errors[0])] };
  }
  if (subject.isEmulator) return { verdict: 'SKIPPED', details: ['The emulator never throttles.'] };
  return {
    verdict: 'FAIL',
    details: [`All writes were accepted: ${rounds} rounds of ${WRITES_AT_ONCE} writes of 200 KB.`],
  };
}

function describeThrottled(error: unknown, refused: number): Answer {
  const { isTransient = false, retryAfterMs = 0 } = toCallFailure(error) ?? {};
  return {
    verdict: isTransient && retryAfterMs > 0 ? 'PASS' : 'FAIL',
    details: [
      `${refused} of ${WRITES_AT_ONCE} writes were refused; the first asks to wait ${retryAfterMs} ms.`,
      describeError(error),
    ],
  };
}
