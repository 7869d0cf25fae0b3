// The token buckets that the limits of keys are made of.

import fc from 'fast-check';
import { RateLimits, TokenBucket } from '../../shared/access/rate-limits';

const MINUTE = 60_000;

test('a clock that is set back neither fills nor empties it', () => {
  const bucket = new TokenBucket(60, MINUTE);
  bucket.take(30, MINUTE);
  expect(bucket.leftAt(0)).toBe(30);
  expect(bucket.leftAt(MINUTE / 6)).toBeCloseTo(40);
});

test('a client that waits as long as the bucket says gets what it asked for', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), counts, (perMinute, takes) => {
      const bucket = new TokenBucket(perMinute, 0);
      let now = 0;
      for (const tokens of takes) {
        now += bucket.secondsUntil(1, now) * 1000;
        expect(bucket.leftAt(now)).toBeGreaterThanOrEqual(1 - 1e-6);
        bucket.take(tokens, now);
      }
    }),
    { seed: 43, numRuns: 200 },
  );
});

test('several processes together admit the limit in a minute, rounded up in each, and no process admits nothing', () => {
  const limits = fc.record({
    requestsPerMinute: fc.integer({ min: 1, max: 500 }),
    processes: fc.integer({ min: 1, max: 64 }),
  });
  fc.assert(
    fc.property(limits, ({ requestsPerMinute, processes }) => {
      const admitted = Array.from({ length: processes }, () => {
        const shares = new RateLimits({ requestsPerMinute, recordsPerMinute: 1000 }, processes);
        const key = { id: 'any', requestsPerMinute: null, recordsPerMinute: null };
        let requests = 0;
        while (shares.allowanceOf(key, 0).takeRequest(0) === 0) requests++;
        return requests;
      });
      expect(new Set(admitted)).toEqual(new Set([Math.ceil(requestsPerMinute / processes)]));
    }),
    { numRuns: 50 },
  );
});
