import { readBoundaryCondition, rememberBoundaries } from '../../shared/query/filters';

const square = (west: number): string =>
  `POLYGON((${west} 40, ${west + 1} 40, ${west + 1} 41, ${west} 41, ${west} 40))`;

test('each text is read once', () => {
  const read = rememberBoundaries();
  const first = read(square(-112));
  expect(first).toEqual(readBoundaryCondition(square(-112)));
  expect(read(square(-112))).toBe(first);
  expect(read(square(-111))).toEqual(readBoundaryCondition(square(-111)));
});

test('a boundary by name is read each time and takes no memory', () => {
  const read = rememberBoundaries();
  expect(read('huc8:14010001')).toEqual(readBoundaryCondition('huc8:14010001'));
  expect(read('huc8:14010001')).not.toBe(read('huc8:14010001'));
});

test('a text that is refused is refused each time', () => {
  const read = rememberBoundaries();
  for (let time = 0; time < 2; time++) expect(read('POLYGON((1 2')).toMatchObject({ ok: false });
});

test('the least recently used boundary is forgotten when too much is remembered', () => {
  const read = rememberBoundaries();
  const long = (west: number): string => `${square(west)}${' '.repeat(200_000)}`;
  const first = read(long(0));
  for (let west = 1; west < 20; west++) read(long(west));
  expect(read(long(0))).not.toBe(first);
  expect(read(long(0))).toEqual(first);
});
