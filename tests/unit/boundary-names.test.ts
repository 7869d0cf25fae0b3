// What may be written for a boundary by name (ADR 0036), and what a wrong one is told.

import { BOUNDARY_FORMS, readBoundary } from '../../shared/values/boundary';

const box = (west: number, south: number, east: number, north: number): number[][][] => [
  [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ],
];

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
])('%j is the %s %j', (text, form, name) => {
  expect(readBoundary(text)).toEqual({ ok: true, value: { form, name } });
});

test.each<[string, readonly number[][][][]]>([
  ['bbox:-112,40,-111,41', [box(-112, 40, -111, 41)]],
  ['BBOX: -1.5e1 , 0.5 , 2 , 3 ', [box(-15, 0.5, 2, 3)]],
  ['bbox:-112,40,-112,40', [box(-112, 40, -112, 40)]],
  ['bbox:-180,-90,180,90', [box(-180, -90, 180, 90)]],
  ['bbox:144,10,-170,20', [box(144, 10, 180, 20), box(-180, 10, -170, 20)]],
])('%j is a polygon for each box', (text, coordinates) => {
  expect(readBoundary(text)).toEqual({
    ok: true,
    value: { form: 'geometry', geometry: { type: 'MultiPolygon', coordinates } },
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
  ['huc12:140100010101', BOUNDARY_FORMS],
  ['utah:', BOUNDARY_FORMS],
  ['Utah', BOUNDARY_FORMS],
  ['county', BOUNDARY_FORMS],
])('%j is refused with %j', (text, part) => {
  expect(readBoundary(text)).toEqual({ ok: false, problem: expect.stringContaining(part) as unknown });
});
