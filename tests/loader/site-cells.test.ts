// Cells of sites.csv, one site a case, all loaded at once: members in the answer, warnings, and what a boundary finds.

import type { Report } from '../../data-loaders/format/report';
import type { RuleName } from '../../data-loaders/format/rules';
import { siteAmountsSubmission, type Row } from '../fixtures/submission';
import { lineOf, rowsOf } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

interface Case {
  readonly name: string;
  readonly cells: Row;
  readonly members: Readonly<Record<string, unknown>>;
  readonly warnings: readonly RuleName[];
  /** Whether a boundary around the whole world finds the site. */
  readonly isPlaced: boolean;
}

const nowhere = { Longitude: '', Latitude: '' };
const square = 'POLYGON ((-111 39, -110 39, -110 40, -111 40, -111 39))';

function huc(name: string, cells: Row, members: Case['members'], warnings: readonly RuleName[] = []): Case {
  return { name, cells, members, warnings, isPlaced: true };
}

const cases: readonly Case[] = [
  huc('a HUC8 of seven digits gets its zero back', { HUC8: '1010203' }, { HUC8: '01010203' }),
  huc('a HUC8 that a spreadsheet made decimal', { HUC8: '11130302.0' }, { HUC8: '11130302' }),
  huc('a HUC8 of seven digits made decimal', { HUC8: '1010203.0' }, { HUC8: '01010203' }),
  huc(
    'a HUC12 of eleven digits gives HUC8 too',
    { HUC8: '', HUC12: '10102030405' },
    { HUC12: '010102030405', HUC8: '01010203' },
  ),
  huc('a HUC12 made decimal', { HUC12: '160102020305.0' }, { HUC12: '160102020305' }),
  huc('a HUC12 in exponent notation has lost digits', { HUC8: '', HUC12: '1.60102E+11' }, { HUC12: null, HUC8: null }, [
    'lost-digits',
  ]),
  huc('a HUC8 in exponent notation with all its digits', { HUC8: '1.1130302E7' }, { HUC8: '11130302' }),
  huc('a HUC8 of seven digits in exponent notation', { HUC8: '1.010203e+06' }, { HUC8: '01010203' }),
  huc('a HUC8 in exponent notation that lost digits', { HUC8: '1.11303E+07', HUC12: '' }, { HUC8: null }, [
    'lost-digits',
  ]),
  huc('a HUC8 whose exponent is too large', { HUC8: '1.1130302E8', HUC12: '' }, { HUC8: null }, ['lost-digits']),
  huc('a HUC8 with a fraction in exponent notation', { HUC8: '1.11303025E7', HUC12: '' }, { HUC8: null }, [
    'lost-digits',
  ]),
  huc(
    'a HUC8 beside a lost HUC12 stays',
    { HUC8: '16010202', HUC12: '1.60102e11' },
    { HUC12: null, HUC8: '16010202' },
    ['lost-digits'],
  ),
  huc(
    'a HUC8 of its own wins over its HUC12',
    { HUC8: '14060003', HUC12: '160102020305' },
    { HUC8: '14060003', HUC12: '160102020305' },
  ),
  huc('a reach code made decimal', { NHDReachCode: '16010202000123.0' }, { NHDReachCode: '16010202000123' }),
  huc('a native identifier made decimal', { SiteNativeID: '123.0' }, { NativeSiteID: '123' }),
  huc(
    'numbers that are no identifiers stay as they are',
    { USGSSiteID: '9380000.0', NHDMeasureNumber: '30.0' },
    { USGSSiteID: '9380000.0', NHDMeasureNumber: '30.0' },
  ),
  huc('a native identifier with leading zeros', { SiteNativeID: '000123' }, { NativeSiteID: '000123' }),
  huc('an update date is a timestamp', { NHDUpdateDate: '5/6/2010' }, { NHDUpdateDate: '2010-05-06T00:00:00' }),
  huc('an older name of the water sources', { WaterSourceUUIDs: ' WS1 , WS1' }, { WaterSourceUUIDs: ['WS1'] }),
  {
    name: 'coordinates as submitted',
    cells: { Longitude: '-111.50', Latitude: '40.10' },
    members: { Longitude: '-111.50', Latitude: '40.10' },
    warnings: [],
    isPlaced: true,
  },
  {
    name: 'coordinates in exponent notation',
    cells: { Longitude: '-1.115e2', Latitude: '4.01e1' },
    members: { Longitude: '-1.115e2' },
    warnings: [],
    isPlaced: true,
  },
  {
    name: 'coordinates at the corner of the world',
    cells: { Longitude: '180', Latitude: '-90' },
    members: {},
    warnings: [],
    isPlaced: true,
  },
  {
    name: 'a zero longitude alone',
    cells: { Longitude: '0', Latitude: '51.5' },
    members: {},
    warnings: [],
    isPlaced: true,
  },
  {
    name: 'no coordinates',
    cells: nowhere,
    members: { Longitude: null, Latitude: null },
    warnings: ['no-point'],
    isPlaced: false,
  },
  {
    name: 'the coordinates 0/0',
    cells: { Longitude: '0.0', Latitude: '-0' },
    members: { Longitude: '0.0', Latitude: '-0' },
    warnings: ['no-point'],
    isPlaced: false,
  },
  {
    name: 'coordinates in metres',
    cells: { Longitude: '450000', Latitude: '4649776' },
    members: { Longitude: '450000', Latitude: '4649776' },
    warnings: ['projected-coordinates'],
    isPlaced: false,
  },
  {
    name: 'a longitude that is text',
    cells: { Longitude: '111W', Latitude: '40' },
    members: { Longitude: '111W' },
    warnings: ['no-point'],
    isPlaced: false,
  },
  {
    name: 'a geometry without coordinates',
    cells: { ...nowhere, Geometry: square },
    members: { SiteGeometry: square },
    warnings: ['no-point'],
    isPlaced: true,
  },
  {
    name: 'an open ring',
    cells: { ...nowhere, Geometry: 'POLYGON ((0 0, 1 0, 1 1, 0 1))' },
    members: { SiteGeometry: 'POLYGON ((0 0, 1 0, 1 1, 0 1))' },
    warnings: ['no-point', 'unusable-geometry'],
    isPlaced: false,
  },
  {
    name: 'a broken geometry beside good coordinates',
    cells: { Geometry: 'POLYGON ((' },
    members: { SiteGeometry: 'POLYGON ((' },
    warnings: ['unusable-geometry'],
    isPlaced: true,
  },
  {
    name: 'a geometry in GeoJSON is answered as WKT',
    cells: {
      ...nowhere,
      Geometry: '{"type":"Polygon","coordinates":[[[-111,39],[-110,39],[-110,40],[-111,40],[-111,39]]]}',
    },
    members: { SiteGeometry: 'POLYGON ((-111 39, -110 39, -110 40, -111 40, -111 39))' },
    warnings: ['no-point'],
    isPlaced: true,
  },
  {
    name: 'a Feature stands for its geometry',
    cells: {
      ...nowhere,
      Geometry: '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[-111.5,1e-7]}}',
    },
    members: { SiteGeometry: 'POINT (-111.5 1e-7)' },
    warnings: ['no-point'],
    isPlaced: true,
  },
  {
    name: 'an open ring in GeoJSON',
    cells: { ...nowhere, Geometry: '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}' },
    members: { SiteGeometry: '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}' },
    warnings: ['no-point', 'unusable-geometry'],
    isPlaced: false,
  },
  {
    name: 'a filler geometry',
    cells: { Geometry: 'Unspecified' },
    members: { SiteGeometry: null },
    warnings: [],
    isPlaced: true,
  },
];

const service = createTestService();
let report: Report;
let sites: Readonly<Record<string, unknown>>[];
let placed: ReadonlySet<string>;

const WORLD = 'POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))';

beforeAll(async () => {
  const [first] = rowsOf(siteAmountsSubmission, 'sites.csv');
  const [amount] = rowsOf(siteAmountsSubmission, 'sitespecificamounts.csv');
  const siteRows = cases.map(({ cells }, index) => ({ ...first, SiteUUID: `case ${index}`, ...cells }));
  report = await service.load({
    ...siteAmountsSubmission,
    'sites.csv': siteRows,
    'podsitetopousiterelationships.csv': [],
    'sitespecificamounts.csv': siteRows.map(({ SiteUUID }) => ({ ...amount, SiteUUID })),
  });
  sites = (await service.get('/v1/SiteVariableAmounts')).json.Organizations[0].Sites;
  const found = await service.get(`/v1/SiteVariableAmounts?SearchBoundary=${encodeURIComponent(WORLD)}`);
  placed = new Set(found.json.Organizations[0].Sites.map((site: { SiteUUID: string }) => site.SiteUUID));
});

afterAll(() => service.close());

test.each(cases.map((one, index) => ({ index, ...one })))('$name', ({ index, members, warnings, isPlaced }) => {
  expect(sites.find((site) => site['SiteUUID'] === `case ${index}`)).toMatchObject(members);
  const found = report.findings.filter(({ file, line }) => file === 'sites.csv' && line === lineOf(index));
  expect(found.map(({ rule }) => rule).sort()).toEqual(warnings);
  expect(placed.has(`case ${index}`)).toBe(isPlaced);
});
