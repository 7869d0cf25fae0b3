// The bounds on answers that are made or sent (ADR 0054), on requests at work, on requests of a key, and on what the
// caches keep. Whose address a request comes from (D54), and by what its requests are counted.

import fc from 'fast-check';
import { findClientNetwork, readTrustedProxies, type TrustedProxies } from '../../shared/access/client-address';
import { RateLimits, takeRequest, TokenBucket } from '../../shared/access/rate-limits';
import { BytesInFlight } from '../../shared/http/pipeline/admission';
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
    const one = new Uint8Array(100);
    const other = new Uint8Array(30);
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
        expect(bucket.getTokens(now)).toBeGreaterThanOrEqual(1 - 1e-6);
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
        while (takeRequest(shares.getKeyAllowance(key, 0), 0) === 0) requests++;
        return requests;
      });
      expect(new Set(admitted)).toEqual(new Set([Math.ceil(requestsPerMinute / processes)]));
    }),
    { numRuns: 50 },
  );
});

describe('the least recently used', () => {
  test('evicts the least recently used value', () => {
    // A value of 100 bytes under a key of one character counts 202.
    const cache = new LeastRecentlyUsedCache<string>(5 * 202);
    for (const key of 'abcde') cache.set(key, key, 100);
    expect(cache.get('a')).toBe('a');
    cache.set('f', 'f', 100);
    expect(Array.from('abcdef', (key) => cache.get(key) ?? '-').join('')).toBe('a-cdef');
  });

  test('a value larger than the bound is not kept and evicts nothing', () => {
    const cache = new LeastRecentlyUsedCache<string>(1_000);
    cache.set('a', 'small', 100);
    cache.set('b', 'large', 1001);
    expect(cache.get('b')).toBeUndefined();
    expect(cache.get('a')).toBe('small');
  });

  test('the cache never takes more than its bound, and always keeps the newest value', () => {
    const keys = Array.from('abcdefghijkl');
    const step = fc.tuple(fc.constantFrom(...keys), fc.nat(500));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const cache = new LeastRecentlyUsedCache<number>(2_000);
        for (const [key, bytes] of steps) {
          cache.set(key, bytes, bytes);
          expect(cache.get(key)).toBe(bytes);
        }
        const held = keys.map((key) => cache.get(key) ?? 0);
        expect(held.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});

function trusted(setting: string): TrustedProxies {
  const read = readTrustedProxies(setting);
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}

function counted(setting: string, socket: string | undefined, forwarded: string | null): string {
  return findClientNetwork({ socket, forwarded }, trusted(setting));
}

test('without a trusted proxy the address of the connection counts, whatever a header says', () => {
  expect(counted('', '127.0.0.1', '203.0.113.9')).toBe('127.0.0.1');
  expect(counted('0', '192.0.2.1', '203.0.113.9')).toBe('192.0.2.1');
  expect(counted('', '192.0.2.1', null)).toBe('192.0.2.1');
});

test('on a platform that tells no address, all count together unless a hop is trusted', () => {
  expect(counted('', undefined, '203.0.113.9:40001')).toBe(counted('', undefined, '203.0.113.10:40001'));
  expect(counted('1', undefined, '198.51.100.1, 203.0.113.9:40001')).toBe('203.0.113.9');
  expect(counted('2', undefined, '198.51.100.1, 203.0.113.9:40001')).toBe('198.51.100.1');
});

test('the last address that is not of a trusted proxy counts', () => {
  const chain = '192.0.2.66, 203.0.113.9, 10.1.2.3';
  expect(counted('127.0.0.1', '127.0.0.1', chain)).toBe('10.1.2.3');
  expect(counted('127.0.0.1, 10.0.0.0/8', '127.0.0.1', chain)).toBe('203.0.113.9');
  expect(counted('10.0.0.0/8', '127.0.0.1', chain)).toBe('127.0.0.1');
  expect(counted('::1,2001:db8::/32', '::1', '203.0.113.9, 2001:db8:7::1')).toBe('203.0.113.9');
  expect(counted('127.0.0.1', '::ffff:127.0.0.1', chain)).toBe('10.1.2.3');
});

test('a number of hops counts proxies from the connection on', () => {
  const chain = '192.0.2.66, 203.0.113.9, 10.1.2.3';
  expect([1, 2, 3].map((hops) => counted(String(hops), '127.0.0.1', chain))).toEqual([
    '10.1.2.3',
    '203.0.113.9',
    '192.0.2.66',
  ]);
});

test('where all that is there is trusted, the farthest counts', () => {
  expect(counted('127.0.0.1', '127.0.0.1', null)).toBe('127.0.0.1');
  expect(counted('10.0.0.0/8', '10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3');
  expect(counted('5', '127.0.0.1', '203.0.113.9')).toBe('203.0.113.9');
});

test('what is no address is not gone past: whoever passed it on counts', () => {
  for (const text of [
    'unknown',
    '',
    'water.example',
    '010.0.0.1',
    '1',
    '203.0.113.999',
    '[::1',
    '203.0.113.9:x',
    '2001:db8::192.0.2.1',
  ]) {
    expect([text, counted('127.0.0.1', '127.0.0.1', `203.0.113.9, ${text}`)]).toEqual([text, '127.0.0.1']);
    expect([text, counted('2', '127.0.0.1', `203.0.113.9, ${text}`)]).toEqual([text, '127.0.0.1']);
  }
});

test.each([
  [
    '203.0.113.9',
    ['203.0.113.9:40001', '203.0.113.9:40002', '[::ffff:203.0.113.9]:1', '::ffff:cb00:7109', ' 203.0.113.9 '],
  ],
  [
    '2001:db8:0:a:0:0:0:0/64',
    [
      '2001:db8:0:a::1',
      '2001:DB8:0:A::2',
      '2001:0db8:0000:000a:0:0:0:3',
      '[2001:db8:0:a::4]',
      '[2001:db8:0:a::5]:40001',
      '2001:db8:0:a:ffff:ffff:ffff:ffff',
      '2001:db8::a:0:0:0:1',
    ],
  ],
  ['fe80:0:0:0:0:0:0:0/64', ['fe80::1%eth0', 'FE80::2']],
])('%s is counted as one, however it is written', (network, spellings) => {
  for (const spelling of spellings) expect(counted('127.0.0.1', '127.0.0.1', spelling)).toBe(network);
});

test('addresses of one network of IPv6 count together, and others do not', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
  const groups = (count: number): fc.Arbitrary<string> =>
    fc.array(group, { minLength: count, maxLength: count }).map((parts) => parts.join(':'));
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), groups(4), (network, other, host, another) => {
      const of = (front: string, back: string): string => counted('127.0.0.1', '127.0.0.1', `${front}:${back}`);
      // No network of ours: addresses of IPv4 that are written as IPv6.
      fc.pre(!network.startsWith('0:0:0:0') && !other.startsWith('0:0:0:0'));
      expect(of(network, host)).toBe(of(network, another));
      expect(of(network, host) === of(other, host)).toBe(network === other);
    }),
  );
});

test.each(['-1', '1.5', 'nginx', '10.0.0.0/33', '10.0.0', '10.0.0.1,', '127.0.0.1 10.0.0.1', '65', '::1/129', '1,2'])(
  '%s is refused as a setting',
  (text) => {
    expect(readTrustedProxies(text)).toMatchObject({ ok: false, problem: expect.stringContaining('addresses') });
  },
);
