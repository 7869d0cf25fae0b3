// The parameter datetime (D48, ADR 0077), and what the extent of a collection says of space and time.

import fc from 'fast-check';
import { collectionDocument } from '../../shared/http/ogc/descriptions';
import { readInterval } from '../../shared/query/cql2/item-parameters';
import { featureCollections } from '../../shared/query/cql2/feature-collections';
import { isoDateOfDay } from '../../shared/values/dates';

function read(text: string): string {
  const interval = readInterval(text);
  if (!interval.ok) return 'refused';
  const [from, to] = [interval.value.from, interval.value.to].map((day) =>
    day === undefined ? '..' : isoDateOfDay(day),
  );
  return `${from ?? ''}/${to ?? ''}`;
}

test.each([
  ['1990-01-01', '1990-01-01/1990-01-01'],
  ['1990-01-01T00:00:00Z', '1990-01-01/1990-01-01'],
  ['1990-01-01/..', '1990-01-01/..'],
  ['/1990-01-01', '../1990-01-01'],
  ['../..', '../..'],
  ['1990-01-01/P2D', '1990-01-01/1990-01-03'],
  ['1990-01-31/P1M', '1990-01-31/1990-02-28'],
  ['1991-11-30/P1Y3M', '1991-11-30/1993-02-28'],
  ['1990-01-01/P2W', '1990-01-01/1990-01-15'],
  ['1990-01-01T12:00:00Z/PT12H', '1990-01-01/1990-01-02'],
  ['1990-01-01T12:00:00Z/PT11H59M59S', '1990-01-01/1990-01-01'],
  ['P1M/1990-03-31', '1990-02-28/1990-03-31'],
  ['P1D/1990-03-01', '1990-02-28/1990-03-01'],
  ['p1y/1990-03-01', '1989-03-01/1990-03-01'],
  ...['', '..', 'P1D', 'P1D/P1D', 'P1D/..', '../P1D', 'P/1990-01-01', 'PT/1990-01-01', '1990-01-01/P1DT', '1990'].map(
    (text) => [text, 'refused'],
  ),
  ...['1990-02-30', '1/1/1990', '1991-01-01/1990-01-01', '1990-01-01/1990-01-02/1990-01-03', '1990-01-01/1.5'].map(
    (text) => [text, 'refused'],
  ),
])('datetime=%s asks for %s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test('a comparison of a date column by GDAL is refused with the way to write it', () => {
  expect(readInterval('../1970-01-01T')).toMatchObject({ ok: false, problem: expect.stringContaining('CAST(NAME') });
});

interface Extent {
  readonly spatial: { readonly bbox: readonly (readonly number[])[] };
  readonly temporal?: object;
}

function extentOf(box: readonly [number, number, number, number]): Extent {
  const collection = featureCollections[0];
  if (collection === undefined) throw new Error('no collection');
  const extent = { box, firstDay: null, lastDay: null };
  return (collectionDocument(collection, { base: '', form: 'json' }, extent) as { readonly extent: Extent }).extent;
}

test('the box of an extent has seven decimal places and nothing of its data lies outside', () => {
  const longitude = fc.double({ min: -180, max: 180, noNaN: true });
  const latitude = fc.double({ min: -90, max: 90, noNaN: true });
  fc.assert(
    fc.property(longitude, latitude, longitude, latitude, (west, south, east, north) => {
      const { spatial } = extentOf([west, south, east, north]);
      const [w = NaN, s = NaN, e = NaN, n = NaN] = spatial.bbox[0] ?? [];
      expect([w <= west, s <= south, e >= east, n >= north]).toEqual([true, true, true, true]);
      for (const edge of [w, s, e, n]) expect(Number(edge.toFixed(7)) - edge).toBe(0);
      expect(Math.max(west - w, south - s, e - east, n - north)).toBeLessThan(1.01e-7);
    }),
  );
  expect(extentOf([-114.0439705234163, 33.69418329, -94.43549752, 41.5]).spatial.bbox).toEqual([
    [-114.0439706, 33.6941832, -94.4354975, 41.5],
  ]);
});

test('a collection whose data have no dates has no extent in time', () => {
  expect(extentOf([0, 0, 1, 1]).temporal).toBeUndefined();
});
