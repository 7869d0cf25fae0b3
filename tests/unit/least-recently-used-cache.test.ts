// The memory limit of a cache.

import fc from 'fast-check';
import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';

describe('LeastRecentlyUsedCache', () => {
  test('evicts the least recently used value', () => {
    // A value of 100 bytes under a key of one character counts as 202 bytes.
    const cache = new LeastRecentlyUsedCache<string>(5 * 202);
    for (const key of 'abcde') cache.set(key, key, 100);
    expect(cache.get('a')).toBe('a');
    cache.set('f', 'f', 100);
    expect(Array.from('abcdef', (key) => cache.get(key) ?? '-').join('')).toBe('a-cdef');
  });

  test('does not keep a value larger than the limit, and evicts nothing for it', () => {
    const cache = new LeastRecentlyUsedCache<string>(1_000);
    cache.set('a', 'small', 100);
    cache.set('b', 'large', 1001);
    expect(cache.get('b')).toBeUndefined();
    expect(cache.get('a')).toBe('small');
  });

  test('never exceeds its limit, and always keeps the newest value', () => {
    const keys = Array.from('abcdefghijkl');
    const step = fc.tuple(fc.constantFrom(...keys), fc.nat(500));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const cache = new LeastRecentlyUsedCache<number>(2_000);
        for (const [key, bytes] of steps) {
          cache.set(key, bytes, bytes);
          expect(cache.get(key)).toBe(bytes);
        }
        const heldBytes = keys.map((key) => cache.get(key) ?? 0);
        expect(heldBytes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(2_000);
      }),
    );
  });
});
