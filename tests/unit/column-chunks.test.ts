import fc from 'fast-check';
import { ColumnChunks, fieldValues, type TermsByCode } from '../../data-loaders/build/record-columns';
import { readNumbers, readOrdinals } from '../../shared/search/index/column-format';
import { placeCodes, type VisitPlaces } from '../../shared/search/index/place-index';
import { CHUNK_RECORDS } from '../../shared/store/artifacts';
import { webMercatorOf } from '../../shared/values/coordinate-systems';

function written(type: 'numbers' | 'ordinals', values: Iterable<number>) {
  const artifacts = new Map<string, Uint8Array>();
  const column = new ColumnChunks(type === 'numbers' ? 'amount' : 'useSet', type, {
    addArtifact: (name, content) => artifacts.set(name, content),
  });
  for (const value of values) column.add(value);
  column.flush();
  return { artifacts, bounds: column.bounds };
}

test('a column is cut into chunks of 65,536 records with the lowest and the highest value of each', () => {
  const values = Array.from({ length: CHUNK_RECORDS + 3 }, (_, at) => (at === 5 ? NaN : at / 2));
  const { artifacts, bounds } = written('numbers', values);
  expect([...artifacts.keys()]).toEqual(['amount.0', 'amount.1']);
  const read = [...artifacts.values()].flatMap((content) => [...readNumbers(content)]);
  expect(read).toEqual(values);
  expect(bounds).toEqual([
    [0, (CHUNK_RECORDS - 1) / 2],
    [CHUNK_RECORDS / 2, CHUNK_RECORDS / 2 + 1],
  ]);
});

test('a full chunk is not followed by an empty one, and a chunk without a number has no bounds', () => {
  const { artifacts, bounds } = written(
    'numbers',
    Array.from({ length: CHUNK_RECORDS }, () => NaN),
  );
  expect([...artifacts.keys()]).toEqual(['amount.0']);
  expect(bounds).toEqual([null]);
});

test.each([
  [255, 1],
  [256, 2],
  [65_535, 2],
  [65_536, 4],
])('ordinals up to %i take %i bytes each', (highest, bytes) => {
  const { artifacts } = written('ordinals', [0, highest, 1]);
  const read = readOrdinals(artifacts.get('useSet.0') ?? new Uint8Array());
  expect([...read]).toEqual([0, highest, 1]);
  expect(read.BYTES_PER_ELEMENT).toBe(bytes);
});

test('a term table gives each code the ordinals of its terms, whatever the order in which they were set', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(300)), (codes) => {
      const table: TermsByCode = [];
      for (const code of codes) table[code] = [{ field: 'county', text: `county:${code % 7}` }];
      const { county: ordinals = [] } = fieldValues(table, (text) => Number(text.slice(-1)) + 1);
      const expected = new Map(codes.map((code) => [code, (code % 7) + 1]));
      expect(ordinals).toEqual(ordinals.map((_, code) => expected.get(code) ?? 0));
      expect(ordinals.length).toBe(codes.length === 0 ? 0 : Math.max(...codes) + 1);
    }),
  );
});

test('records stand at no place, at one, or at a set of places', () => {
  // Place 0 has records 0 and 1, place 1 has 1 to 3, place 2 has 1.
  const visitPlaces: VisitPlaces = (visit) => {
    visit(1, 1, 3);
    visit(2, 1, 1);
    visit(0, 0, 1);
  };
  const { codes, sets } = placeCodes(visitPlaces, 3, 5);
  expect([...codes]).toEqual([1, 4, 2, 2, 0]);
  expect(sets).toEqual([[0, 1, 2]]);
});

test('WebMercator is a square around the meridian of Greenwich and the equator, with the poles on its edge', () => {
  const half = 20_037_508.342789244;
  expect(webMercatorOf([180, 0])[0]).toBeCloseTo(half, 6);
  expect(webMercatorOf([180, 0])[1]).toBeCloseTo(0, 6);
  expect(webMercatorOf([-180, 90]).map(Math.round)).toEqual([-Math.round(half), Math.round(half)]);
  // EPSG Guidance Note 7-2, section 3.2.1.2 (1.3.3 of older editions).
  const [x, y] = webMercatorOf([-100.3333333, 24.3817859]);
  expect([x.toFixed(0), y.toFixed(0)]).toEqual(['-11169056', '2800000']);
});
