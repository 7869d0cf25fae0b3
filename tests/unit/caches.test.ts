// What the caches keep and evict; all parts of the search caches share one bound.

import fc from 'fast-check';
import { AnswerCache, type CachedAnswer } from '../../shared/http/pipeline/answer-cache';
import { LeastRecentlyUsedCache } from '../../shared/values/least-recently-used-cache';
import { createSearchCaches } from '../../shared/search/index/search-caches';

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

describe('answers', () => {
  const MEGABYTE = 1024 * 1024;

  function answerOf(bytes: number, total = 1): CachedAnswer {
    return { body: Buffer.alloc(bytes, total), contentType: 'text/plain', headers: {}, total, records: 1 };
  }

  test('a small answer is cached in memory of its own, not with all of the pool that it lies in', () => {
    const cache = new AnswerCache(8 * MEGABYTE);
    const body = Buffer.from(new Uint8Array(65_536).buffer, 100, 300).fill(7);
    cache.keep('a', { ...answerOf(0), body });
    const cached = cache.find('a')?.body ?? Buffer.of();
    expect(cached.buffer.byteLength).toBe(300);
    expect(cached.equals(body)).toBe(true);
  });

  test('an answer larger than half of the bound is not cached and evicts nothing', () => {
    const cache = new AnswerCache(8 * MEGABYTE);
    const small = answerOf(MEGABYTE);
    cache.keep('small', small);
    cache.keep('large', answerOf(5 * MEGABYTE));
    expect(cache.find('large')).toBeUndefined();
    expect(cache.find('small')).toBe(small);
  });

  test('a cache with a bound of zero keeps nothing', () => {
    const cache = new AnswerCache(0);
    cache.keep('a', answerOf(100));
    expect(cache.find('a')).toBeUndefined();
  });
});

const places = Float64Array.of(1, 2, 3, 4);
const records = Uint32Array.of(1, 2);

test('the parts have keys of their own', () => {
  const caches = createSearchCaches(10_000);
  caches.partOf('records').set('one', records, 10);
  caches.partOf('places').set('one', places, 10);
  expect(caches.partOf('records').get('one')).toBe(records);
  expect(caches.partOf('places').get('one')).toBe(places);
  expect(caches.partOf('periods').get('one')).toBeUndefined();
});

test('the parts share one bound: a value that takes nearly all of it evicts the others', () => {
  const caches = createSearchCaches(10_000);
  caches.partOf('records').set('small', records, 500);
  caches.partOf('places').set('large', places, 9_500);
  expect(caches.partOf('places').get('large')).toBe(places);
  expect(caches.partOf('records').get('small')).toBeUndefined();
  caches.partOf('records').set('another', records, 500);
  expect(caches.partOf('places').get('large')).toBeUndefined();
});

test('of several values, those that are not in memory are made together, and each once', async () => {
  const part = createSearchCaches(10_000).partOf<string>('texts');
  const made: (readonly number[])[] = [];
  const read = (keys: readonly string[]): Promise<readonly string[]> =>
    part.rememberAll(
      keys,
      (missing) => {
        made.push(missing);
        return Promise.resolve(missing.map((at) => `text of ${keys[at] ?? ''}`));
      },
      ({ length }) => length,
    );
  expect(await read(['b'])).toEqual(['text of b']);
  expect(await read(['a', 'b', 'c'])).toEqual(['text of a', 'text of b', 'text of c']);
  expect(await read(['c', 'a'])).toEqual(['text of c', 'text of a']);
  expect(made).toEqual([[0], [0, 2]]);
});
