// The requests and records that a key may use per minute.

import fc from 'fast-check';
import { RateLimits, takeRequest, TokenBucket } from '../../shared/access/rate-limits';

test('a client that waits as long as the bucket demands may continue', () => {
  const tokenCounts = fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), tokenCounts, (perMinute, draws) => {
      const bucket = new TokenBucket(perMinute, 0);
      let now = 0;
      for (const tokens of draws) {
        now += bucket.secondsUntil(1, now) * 1000;
        expect(bucket.getTokens(now)).toBeGreaterThanOrEqual(1 - 1e-6);
        bucket.take(tokens, now);
      }
    }),
    { seed: 43, numRuns: 200 },
  );
});

test('each of several processes allows its share of the requests per minute, rounded up', () => {
  const limits = fc.record({
    requestsPerMinute: fc.integer({ min: 1, max: 500 }),
    processes: fc.integer({ min: 1, max: 64 }),
  });
  fc.assert(
    fc.property(limits, ({ requestsPerMinute, processes }) => {
      const allowedByProcess = Array.from({ length: processes }, () => {
        const shares = new RateLimits({ requestsPerMinute, recordsPerMinute: 1000 }, processes);
        const key = { chainId: 'any', requestsPerMinute: null, recordsPerMinute: null };
        let requests = 0;
        while (takeRequest(shares.getKeyAllowance(key, 0), 0) === 0) requests++;
        return requests;
      });
      expect(new Set(allowedByProcess)).toEqual(new Set([Math.ceil(requestsPerMinute / processes)]));
    }),
    { numRuns: 50 },
  );
});
