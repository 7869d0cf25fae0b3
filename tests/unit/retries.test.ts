// Calls to Cosmos DB are tried again within bounds (ADR 0027).

import { AdaptiveLimiter, withRetries } from '../../shared/store/cosmos/retries';
import { DeadlinePassedError } from '../../shared/store/deadline';
import { StoreUnavailableError } from '../../shared/store/port';

const RULES = { tries: 5, withinMs: 10_000, timeoutMs: 1000 };

/** A clock that only waiting moves. */
function clock(
  random = 0.5,
  end = Infinity,
): {
  readonly waits: number[];
  readonly now: () => number;
  readonly random: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly end: number;
} {
  const waits: number[] = [];
  return {
    waits,
    now: () => waits.reduce((sum, wait) => sum + wait, 0),
    random: () => random,
    pause: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    end,
  };
}

function refusal(code: number | string, retryAfterInMs?: number): Error {
  return Object.assign(new Error('refused'), { code, retryAfterInMs });
}

/** Fails with each of the errors in turn, then answers. */
function failing(...errors: readonly Error[]): { readonly calls: () => number; readonly act: () => Promise<string> } {
  let calls = 0;
  return {
    calls: () => calls,
    act: () => {
      const error = errors[calls++];
      return error === undefined ? Promise.resolve('answer') : Promise.reject(error);
    },
  };
}

test.each([408, 410, 429, 449, 503, 'ECONNRESET', 'REQUEST_SEND_ERROR'])('tries again after %s', async (code) => {
  const call = failing(refusal(code), refusal(code));
  expect(await withRetries(call.act, RULES, new AdaptiveLimiter(4), clock())).toBe('answer');
  expect(call.calls()).toBe(3);
});

test.each([400, 401, 403, 404, 409, 412, 413])('does not try again after %i', async (code) => {
  const call = failing(refusal(code));
  await expect(withRetries(call.act, RULES, new AdaptiveLimiter(4), clock())).rejects.toMatchObject({ code });
  expect(call.calls()).toBe(1);
});

test('an error of the program is not tried again', async () => {
  const call = failing(new TypeError('broken'));
  await expect(withRetries(call.act, RULES, new AdaptiveLimiter(4), clock())).rejects.toThrow(TypeError);
});

test('waits at least as long as the service asks, spread by chance', async () => {
  for (const chance of [0, 1]) {
    const time = clock(chance);
    await withRetries(failing(refusal(429, 700)).act, RULES, new AdaptiveLimiter(4), time);
    expect(time.waits).toEqual([chance === 0 ? 700 : 1050]);
  }
});

test('a service that asks for short waits again and again is left alone for longer ones', async () => {
  const time = clock();
  await withRetries(
    failing(...Array.from({ length: 4 }, () => refusal(429, 5))).act,
    RULES,
    new AdaptiveLimiter(4),
    time,
  );
  expect(time.waits.at(-1)).toBeGreaterThan(4 * (time.waits[0] ?? 0));
});

test('waits longer from try to try', async () => {
  const time = clock();
  await withRetries(failing(refusal(503), refusal(503), refusal(503)).act, RULES, new AdaptiveLimiter(4), time);
  expect(time.waits).toEqual([...time.waits].sort((a, b) => a - b));
  expect(new Set(time.waits).size).toBe(3);
});

test('gives up after a number of tries, or when the next one would be too late', async () => {
  const many = failing(...Array.from({ length: 9 }, () => refusal(503)));
  await expect(withRetries(many.act, RULES, new AdaptiveLimiter(4), clock())).rejects.toThrow(StoreUnavailableError);
  expect(many.calls()).toBe(5);
  const slow = failing(...Array.from({ length: 9 }, () => refusal(429, 6000)));
  await expect(withRetries(slow.act, RULES, new AdaptiveLimiter(4), clock())).rejects.toThrow(StoreUnavailableError);
  expect(slow.calls()).toBe(2);
});

test('does not wait beyond the time that the caller has', async () => {
  const call = failing(...Array.from({ length: 9 }, () => refusal(429, 300)));
  const time = clock(0, 1000);
  await expect(withRetries(call.act, RULES, new AdaptiveLimiter(4), time)).rejects.toThrow(StoreUnavailableError);
  expect(time.waits).toEqual([300, 300, 300]);
});

test('a call that gets no turn in time is refused, and its turn goes to another', async () => {
  const limiter = new AdaptiveLimiter(1);
  const first = Promise.withResolvers<string>();
  const calls = [limiter.run(() => first.promise), limiter.run(() => Promise.resolve('late'), 1)];
  await expect(calls[1]).rejects.toThrow(DeadlinePassedError);
  const other = limiter.run(() => Promise.resolve('other'), 60_000);
  first.resolve('first');
  expect(await Promise.all([calls[0], other])).toEqual(['first', 'other']);
});

/** How many calls a limiter lets through at once. */
async function atOnce(limiter: AdaptiveLimiter): Promise<number> {
  let [active, most] = [0, 0];
  const call = async (): Promise<void> => {
    most = Math.max(most, ++active);
    await Promise.resolve();
    active--;
  };
  await Promise.all(Array.from({ length: 50 }, () => limiter.run(call)));
  return most;
}

test('a refusal halves how many calls go at once, many together halve once, success brings them back', async () => {
  const limiter = new AdaptiveLimiter(8);
  expect(await atOnce(limiter)).toBe(8);
  const { epoch } = limiter;
  for (let refused = 0; refused < 8; refused++) limiter.slowDown(epoch);
  expect(await atOnce(limiter)).toBe(4);
  limiter.slowDown(limiter.epoch);
  limiter.slowDown(limiter.epoch);
  limiter.slowDown(limiter.epoch);
  expect(await atOnce(limiter)).toBe(1);
  for (let answered = 0; answered < 100; answered++) limiter.speedUp();
  expect(await atOnce(limiter)).toBe(8);
});
