// Calls to Cosmos DB are tried again within bounds (ADR 0025).

import { ConcurrencyLimit, withRetries } from '../../shared/store/cosmos/calls';
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
  expect(await withRetries(call.act, RULES, clock())).toBe('answer');
  expect(call.calls()).toBe(3);
});

test.each([400, 401, 403, 404, 409, 412, 413])('does not try again after %i', async (code) => {
  const call = failing(refusal(code));
  await expect(withRetries(call.act, RULES, clock())).rejects.toMatchObject({ code });
  expect(call.calls()).toBe(1);
});

test('gives up after a number of tries, or when the next one would be too late', async () => {
  const many = failing(...Array.from({ length: 9 }, () => refusal(503)));
  await expect(withRetries(many.act, RULES, clock())).rejects.toThrow(StoreUnavailableError);
  expect(many.calls()).toBe(5);
  const slow = failing(...Array.from({ length: 9 }, () => refusal(429, 6000)));
  await expect(withRetries(slow.act, RULES, clock())).rejects.toThrow(StoreUnavailableError);
  expect(slow.calls()).toBe(2);
});

test('does not wait beyond the time that the caller has', async () => {
  const call = failing(...Array.from({ length: 9 }, () => refusal(429, 300)));
  const time = clock(0, 1000);
  await expect(withRetries(call.act, RULES, time)).rejects.toThrow(StoreUnavailableError);
  expect(time.waits).toEqual([300, 300, 300]);
});

test('only so many calls go at once, the others follow in their order, and a failed one gives its place away', async () => {
  const limit = new ConcurrencyLimit(2);
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<undefined>());
  const begun: number[] = [];
  const calls = gates.map((gate, index) =>
    limit.run(() => {
      begun.push(index);
      return gate.promise;
    }),
  );
  expect(begun).toEqual([0, 1]);
  gates[1]?.reject(new Error('refused'));
  await expect(calls[1]).rejects.toThrow('refused');
  expect(begun).toEqual([0, 1, 2]);
  for (const gate of gates) gate.resolve(undefined);
  await Promise.allSettled(calls);
  expect(begun).toEqual([0, 1, 2, 3]);
});
