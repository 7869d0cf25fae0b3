// Boundaries as a request may write them (D15): a geometry, the name of an area, or a box.

import { NAMED_BOUNDARY_SYNTAX, readBoundary, readGeometry } from '../../shared/values/boundary';

test.each([
  ['huc8:14010001', 'huc8', '14010001'],
  [' HUC8 : 01010202 ', 'huc8', '01010202'],
  ['county:UT/Cache', 'county', 'UT/Cache'],
  ['County: ut / Cache County', 'county', 'UT/Cache County'],
  ['county:NM/a/b', 'county', 'NM/a/b'],
  ['state:ut', 'state', 'UT'],
  ['state:US', 'state', 'US'],
  ['reportingunit:NMag_RU1', 'reportingunit', 'NMag_RU1'],
  ['site:a:b, c', 'site', 'a:b, c'],
])('reads %j as the %s %j', (text, kind, name) => {
  expect(readBoundary(text)).toEqual({ ok: true, value: { kind, name } });
});

test.each([
  ['bbox:-112,40,-111,41', '((-112 40, -111 40, -111 41, -112 41, -112 40))'],
  ['BBOX: -1.5e1 , 0.5 , 2 , 3 ', '((-15 0.5, 2 0.5, 2 3, -15 3, -15 0.5))'],
  ['bbox:-112,40,-112,40', '((-112 40, -112 40, -112 40, -112 40, -112 40))'],
  ['bbox:-180,-90,180,90', '((-180 -90, 180 -90, 180 90, -180 90, -180 -90))'],
  [
    'bbox:144,10,-170,20',
    '((144 10, 180 10, 180 20, 144 20, 144 10)), ((-180 10, -170 10, -170 20, -180 20, -180 10))',
  ],
])('reads %j as polygons, one for each box', (text, polygons) => {
  const expected = readGeometry(`MULTIPOLYGON (${polygons})`);
  expect(readBoundary(text)).toEqual({
    ok: true,
    value: { kind: 'geometry', geometry: expected.ok && expected.value },
  });
});

test.each([
  ['huc8:1401000', '8 digits'],
  ['huc8:140100011', '8 digits'],
  ['huc8:', '8 digits'],
  ['county:Cache', 'UT/Cache'],
  ['county:Utah/Cache', 'UT/Cache'],
  ['county:UT/', 'UT/Cache'],
  ['state:Utah', 'two-letter'],
  ['state:XX', 'two-letter'],
  ['site: ', 'identifier'],
  ['reportingunit:', 'identifier'],
  ['bbox:1,2,3', 'west,south,east,north'],
  ['bbox:1,2,3,4,5', 'west,south,east,north'],
  ['bbox:1,2,x,4', 'west,south,east,north'],
  ['bbox:1,2,,4', 'west,south,east,north'],
  ['bbox:-181,2,3,4', '-180 and 180'],
  ['bbox:1,2,3,91', '-90 and 90'],
  ['bbox:1,5,3,4', 'north'],
  ['huc12:140100010101', NAMED_BOUNDARY_SYNTAX],
  ['utah:', NAMED_BOUNDARY_SYNTAX],
  ['Utah', NAMED_BOUNDARY_SYNTAX],
  ['county', NAMED_BOUNDARY_SYNTAX],
])('refuses %j with a message about %j', (text, part) => {
  expect(readBoundary(text)).toEqual({ ok: false, problem: expect.stringContaining(part) as unknown });
});

describe('a limit of 5000 positions', () => {
  const writePositions = (count: number): string => `MULTIPOINT (${Array<string>(count).fill('1 2').join()})`;

  test('reads a boundary of 5000 positions', () => {
    expect(readBoundary(writePositions(5000))).toMatchObject({ ok: true });
  });

  test('refuses a boundary of 5001 positions', () => {
    const problem: unknown = expect.stringMatching(/has 5001 positions; at most 5000/);
    expect(readBoundary(writePositions(5001))).toEqual({ ok: false, problem });
  });

  test('does not apply to geometries of submissions', () => {
    expect(readGeometry(writePositions(5001))).toMatchObject({ ok: true });
  });
});
