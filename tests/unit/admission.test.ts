// The bounds on answers that are made or sent (ADR 0054), on requests at work, on requests of a key, and on what the
// caches keep.

import fc from 'fast-check';
import { BytesInFlight } from '../../shared/http/pipeline/admission';
import { RateLimits, takeRequest, TokenBucket } from '../../shared/access/rate-limits';
import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';

describe('bytes in flight', () => {
  /** Whether so many bytes still have room: they are reserved for a moment. */
  function hasRoom(inFlight: BytesInFlight, bytes: number): boolean {
    const reservation = inFlight.reserve();
    const isThere = reservation.resize(bytes);
    reservation.release();
    return isThere;
  }

  test('a body counts once, however many send it, until the last of them has sent it', () => {
    const inFlight = new BytesInFlight(130);
    const [one, other] = [new Uint8Array(100), new Uint8Array(30)];
    expect([inFlight.add(one), inFlight.add(one), inFlight.add(other)]).toEqual([true, true, true]);
    expect(hasRoom(inFlight, 1)).toBe(false);
    inFlight.remove(one);
    expect(hasRoom(inFlight, 1)).toBe(false);
    inFlight.remove(one);
    expect([hasRoom(inFlight, 100), hasRoom(inFlight, 101)]).toEqual([true, false]);
    inFlight.remove(one);
    inFlight.remove(other);
    expect(hasRoom(inFlight, 1_000_000)).toBe(true);
  });

  test('beside others nothing is let in over the bound, and what is released leaves no trace', () => {
    const steps = fc.array(fc.record({ who: fc.nat(4), bytes: fc.nat(80) }), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (drawn) => {
        const inFlight = new BytesInFlight(100);
        const reservations = Array.from({ length: 5 }, () => inFlight.reserve());
        const taken = [0, 0, 0, 0, 0];
        for (const { who, bytes } of drawn) {
          const others = taken.reduce((sum, one, index) => sum + (index === who ? 0 : one), 0);
          const isExpected = bytes <= (taken[who] ?? 0) || others === 0 || others + bytes <= 100;
          expect(reservations[who]?.resize(bytes)).toBe(isExpected);
          if (isExpected) taken[who] = bytes;
        }
        for (const reservation of reservations) reservation.release();
        expect([hasRoom(inFlight, 1000), inFlight.add(new Uint8Array(100))]).toEqual([true, true]);
      }),
    );
  });

  test('small answers have room beside large ones, up to a sixteenth of the bound', () => {
    const inFlight = new BytesInFlight(40_960);
    const large = inFlight.reserve();
    expect(large.resize(80_000)).toBe(true);
    const small = Array.from({ length: 257 }, () => inFlight.add(new Uint8Array(10)));
    expect(small.filter(Boolean)).toHaveLength(256);
    expect([inFlight.add(new Uint8Array(11)), inFlight.current]).toEqual([false, 82_560]);
  });
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
        while (takeRequest(shares.ofKey(key, 0), 0) === 0) requests++;
        return requests;
      });
      expect(new Set(admitted)).toEqual(new Set([Math.ceil(requestsPerMinute / processes)]));
    }),
    { numRuns: 50 },
  );
});

describe('the least recently used', () => {
  /** The bytes that a value of 100 bytes under a key of one character counts. */
  const COST = 100 + 2 + 100;

  const KEYS = Array.from('abcdefghijkl');

  function cacheOf(entries: number): LeastRecentlyUsedCache<string> {
    return new LeastRecentlyUsedCache(entries * COST);
  }

  const kept = (cache: LeastRecentlyUsedCache<string>, keys: string): string =>
    Array.from(keys)
      .filter((key) => cache.get(key) !== undefined)
      .join('');

  test('evicts the least recently used value', () => {
    const cache = cacheOf(5);
    for (const key of 'abcde') cache.set(key, key, 100);
    expect(cache.get('a')).toBe('a');
    cache.set('f', 'f', 100);
    expect(kept(cache, 'abcdef')).toBe('acdef');
  });

  test('a value larger than the bound is not kept and evicts nothing', () => {
    const cache = new LeastRecentlyUsedCache<string>(1_000);
    cache.set('a', 'small', 100);
    cache.set('b', 'large', 1001);
    expect(cache.get('b')).toBeUndefined();
    expect(cache.get('a')).toBe('small');
  });

  test('the cache never takes more than its bound, and always keeps the newest value', () => {
    const step = fc.tuple(fc.constantFrom(...KEYS), fc.nat(500));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const cache = new LeastRecentlyUsedCache<number>(2_000);
        for (const [key, bytes] of steps) {
          cache.set(key, bytes, bytes);
          expect(cache.get(key)).toBe(bytes);
        }
        const held = KEYS.map((key) => cache.get(key) ?? 0);
        expect(held.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});
