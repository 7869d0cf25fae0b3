// All parts of the search caches share one bound.

import { ListedRecords } from '../../shared/search/index/record-set';
import { createSearchCaches } from '../../shared/search/index/search-caches';

const places = Float64Array.of(1, 2, 3, 4);
const records = new ListedRecords(Uint32Array.of(1, 2));

test('the parts have names of their own', () => {
  const caches = createSearchCaches(10_000);
  caches.records.set('one', records, 10);
  caches.places.set('one', places, 10);
  expect(caches.records.get('one')).toBe(records);
  expect(caches.places.get('one')).toBe(places);
  expect(caches.periods.get('one')).toBeUndefined();
});

test('the parts share one bound: a value that takes nearly all of it evicts the others', () => {
  const caches = createSearchCaches(10_000);
  caches.records.set('small', records, 500);
  caches.places.set('large', places, 9_500);
  expect(caches.places.get('large')).toBe(places);
  expect(caches.records.get('small')).toBeUndefined();
  caches.records.set('another', records, 500);
  expect(caches.places.get('large')).toBeUndefined();
});
