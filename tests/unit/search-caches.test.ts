// All parts of the search caches share one bound.

import { createSearchCaches } from '../../shared/search/index/search-caches';

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
