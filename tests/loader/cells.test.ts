// Cells of waterallocations.csv and of sites.csv, one row per case, loaded together: members in the answer, warnings,
// and matches of a boundary. Also geometries of water sources and reporting units, in WKT or GeoJSON.

import type { Report } from '../../data-loaders/format/report';
import type { RuleName } from '../../data-loaders/format/rules';
import { aggregatedSubmission, allocationsSubmission, type Row, siteAmountsSubmission } from '../fixtures/submission';
import { getRows, toLineNumber, withCells, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

type Case = readonly [column: string, text: string, member: string, expected: unknown, warning?: RuleName];

const NO_BREAK_SPACE = '\u00a0';

function owner(text: string, expected: unknown): Case {
  return ['AllocationOwner', text, 'AllocationOwner', expected];
}

function date(text: string, expected: string | null): Case {
  const column = 'AllocationApplicationDate';
  return expected === null ? [column, text, column, null, 'unreadable-date'] : [column, text, column, expected];
}

function lastDayOf2010(text: string): Case {
  return date(text, '2010-12-31');
}

function acreage(text: string, expected: number | null): Case {
  const shared = ['IrrigatedAcreage', text, 'AllocationAcreage', expected] as const;
  return expected === null ? [...shared, 'unreadable-number'] : shared;
}

function exempt(text: string, expected: boolean | null): Case {
  const shared = ['ExemptOfVolumeFlowPriority', text, 'ExemptOfVolumeFlowPriority', expected] as const;
  return expected === null ? [...shared, 'unreadable-boolean'] : shared;
}

function uses(text: string, expected: readonly string[]): Case {
  return ['BeneficialUseCategory', text, 'BeneficialUses', expected];
}

const fillers = ['Unspecified', 'Unknown', 'WaDE Blank', 'WaDE Unspecified', 'In Review', 'nan', 'NaN', 'None', 'null'];

const cases: readonly Case[] = [
  ...fillers.flatMap((filler) => [
    owner(filler, null),
    owner(filler.toUpperCase(), null),
    owner(`${NO_BREAK_SPACE}${filler} `, null),
  ]),
  ...['NA', 'N/A', 'n/a', '#N/A', 'NULL', '<Null>', '(null)', '<NA>', '\\N', 'NaT', '#REF!', '#DIV/0!'].map((text) =>
    owner(text, null),
  ),
  ...['Na', 'na', 'NAN Ranch', 'N / A', '#1 Ranch'].map((text) => owner(text, text)),
  owner('\u200bSample Ranch\u2060\u00ad\u001f', 'Sample Ranch'),
  owner('="Sample Ranch"', 'Sample Ranch'),
  owner("'Til Dawn Ranch", "'Til Dawn Ranch"),
  owner('', null),
  owner(` \t${NO_BREAK_SPACE}`, null),
  owner(`${NO_BREAK_SPACE} Sample Ranch\t`, 'Sample Ranch'),
  owner('Unknown Ranch', 'Unknown Ranch'),
  owner('Sample "Old" Ranch, LLC', 'Sample "Old" Ranch, LLC'),
  owner('11130302.0', '11130302.0'),
  ...[
    '2010-12-31',
    '2010-12-31T23:59:59',
    '2010-12-31 00:00:00',
    '2010-12-31 00:00:00.000',
    '2010-12-31T23:59:59.999Z',
    '2010-12-31T23:59:59-07:00',
    '2010-12-31 7:05',
    '12/31/2010',
    '12/31/2010 0:00',
    '12/31/2010 12:30:00',
    '12/31/2010 12:00:00 AM',
    '12/31/2010 11:59 pm',
    '31-DEC-2010',
    '31-Dec-2010 00:00:00',
    '31 December 2010',
    '31.Dec.2010',
    'Dec 31, 2010',
    'DECEMBER 31 2010',
    'Dec. 31, 2010 12:00 AM',
    '2010-Dec-31',
    '2010/12/31',
    '2010/12/31 23:59:59.000',
    '2010.12.31',
    '20101231',
    '20101231.0',
  ].map(lastDayOf2010),
  date('1/2/2010', '2010-01-02'),
  date('01/02/2010', '2010-01-02'),
  date('1/2/30', '1930-01-02'),
  date('12/31/99', '1999-12-31'),
  date('1/1/00', '2000-01-01'),
  date('12/31/29', '2029-12-31'),
  date('2/29/04', '2004-02-29'),
  date('2/29/2000', '2000-02-29'),
  date('2024-02-29', '2024-02-29'),
  ...[
    '2/29/1900',
    '31/13/2010',
    '2010-13-01',
    '2010-02-30',
    '2010-02-29',
    '2010',
    '2010-12',
    '12/31',
    '31-DEC-10',
    '31-DEZ-2010',
    '31-FEB-2010',
    '20101331',
    '10000101',
    '2010/31/12',
    '2/29/01',
    '2-Jan-10',
    '12-31-2010',
    '2010-12-31x',
    '2010-12-31 noon',
    '12/31/2010 noon',
    '1/2/10 10:00',
    '1/2/2010 25:00',
    '2010-12-31 10:99',
    '-1/2/2010',
    '1/2/1',
    '1/2/210',
    '1/2/010',
    '1/2/20100',
    '0/1/2010',
    '0000-00-00',
    'pending',
  ].map((text) => date(text, null)),
  acreage('12.50', 12.5),
  acreage('-3', -3),
  acreage('0', 0),
  acreage('+7', 7),
  acreage('.5', 0.5),
  acreage('1.5E3', 1500),
  acreage('2e-2', 0.02),
  acreage(' 4 ', 4),
  acreage('125483.15625', 125483.15625),
  acreage('1,250.50', 1250.5),
  acreage('-1,250,000', -1250000),
  acreage('1,250,000.', 1250000),
  ...['1,25,000', '1250,000.5', '1,250.5,0', '0,250.5'].map((text) => acreage(text, null)),
  ...['Infinity', '-Infinity', '0x10', '1e400', '1.2.3', '--1', '$5', '1_000'].map((text) => acreage(text, null)),
  ...['1', 'true', 'TRUE', 'Yes', 'yes'].map((text) => exempt(text, true)),
  ...['0', 'false', 'False', 'NO', 'no'].map((text) => exempt(text, false)),
  ...['2', 'y', 't', '1.0', 'maybe'].map((text) => exempt(text, null)),
  uses('Irrigation,Domestic', ['Irrigation', 'Domestic']),
  uses(' Stockwatering ,, Unspecified,Domestic, Stockwatering,none ', ['Stockwatering', 'Domestic']),
  uses('', []),
  uses('WaDE Blank', []),
  uses(',', []),
  ['AllocationSDWISIdentifierCV', '11130302.0', 'AllocationSDWISIdentifier', '11130302'],
  ['AllocationSDWISIdentifierCV', '0042', 'AllocationSDWISIdentifier', '0042'],
  ['AllocationSDWISIdentifierCV', '12.50', 'AllocationSDWISIdentifier', '12.50'],
  ['AllocationSDWISIdentifierCV', '7.00', 'AllocationSDWISIdentifier', '7'],
  ['AllocationSDWISIdentifierCV', 'UT10.0', 'AllocationSDWISIdentifier', 'UT10.0'],
  ['AllocationSDWISIdentifierCV', '="00123"', 'AllocationSDWISIdentifier', '00123'],
  ['AllocationSDWISIdentifierCV', "'00123", 'AllocationSDWISIdentifier', '00123'],
  ['AllocationSDWISIdentifierCV', "'UT_10", 'AllocationSDWISIdentifier', 'UT_10'],
  ['AllocationSDWISIdentifierCV', "'O'Brien", 'AllocationSDWISIdentifier', "'O'Brien"],
  ['AllocationTimeframeStart', '04/15', 'TimeframeStart', '04/15'],
  ['AllocationTimeframeEnd', 'Oct 31', 'TimeframeEnd', 'Oct 31'],
  ['DataPublicationDate', '5/6/2024', 'DataPublicationDate', '2024-05-06T00:00:00'],
  ['AllocationFlow_CFS', '1.5', 'AllocationAmount', 1.5],
  ['AllocationVolume_AF', '300', 'AllocationMaximum', 300],
  ['AllocationCommunityWaterSupplySystem', 'Own column', 'AllocationCommunityWaterSupplySystem', 'Own column'],
  ['CommunityWaterSupplySystem', 'Other column', 'AllocationCommunityWaterSupplySystem', 'Other column'],
];

const service = createTestService();
let report: Report;
let allocations: Readonly<Record<string, unknown>>[];

beforeAll(async () => {
  const [first] = getRows(allocationsSubmission, 'waterallocations.csv');
  const rows = cases.map(([column, text], index) => ({
    ...first,
    AllocationNativeID: `case ${index}`,
    [column]: text,
  }));
  report = await service.load(withRows(allocationsSubmission, 'waterallocations.csv', rows));
  const { json } = await service.get('/v1/SiteAllocationAmounts');
  allocations = json.Organizations[0].WaterAllocations;
});

const named = cases.map(([column, text, member, expected, warning], index) => {
  return { column, text, member, expected, warning, index };
});

test.each(named)(
  '$index: $column "$text" is read as $expected',
  ({ column, text, member, expected, warning, index }) => {
    const found = allocations.find((allocation) => allocation['AllocationNativeID'] === `case ${index}`);
    expect(found?.[member]).toEqual(expected);
    const line = toLineNumber(index);
    // Two-digit years are accepted, but with a warning (tests/loader/damages.test.ts).
    const findings = report.findings.filter((finding) => finding.line === line && finding.rule !== 'two-digit-year');
    const file = 'waterallocations.csv';
    expect(findings).toEqual(warning === undefined ? [] : [{ file, line, column, rule: warning, value: text }]);
  },
);

interface SiteCase {
  readonly name: string;
  readonly cells: Row;
  readonly members: Readonly<Record<string, unknown>>;
  readonly warnings: readonly RuleName[];
  /** Whether a boundary around the whole world matches the site. */
  readonly isPlaced: boolean;
}

const nowhere = { Longitude: '', Latitude: '' };
const square = 'POLYGON ((-111 39, -110 39, -110 40, -111 40, -111 39))';

function placed(name: string, cells: Row, members: SiteCase['members'], warnings: readonly RuleName[] = []): SiteCase {
  return { name, cells, members, warnings, isPlaced: true };
}

/** A site without coordinates. `geometry` is the text of the cell, and of the answer unless stated otherwise. */
function pointless(name: string, geometry: string, isPlaced: boolean, answered = geometry): SiteCase {
  const warnings: readonly RuleName[] = isPlaced ? [] : ['unusable-geometry'];
  return { name, cells: { ...nowhere, Geometry: geometry }, members: { SiteGeometry: answered }, warnings, isPlaced };
}

function unplaced(name: string, longitude: string, latitude: string, warning: RuleName = 'no-point'): SiteCase {
  const members = { Longitude: longitude || null, Latitude: latitude || null };
  const cells = { Longitude: longitude, Latitude: latitude };
  return { name, cells, members, warnings: [warning], isPlaced: false };
}

/** Cells that answers contain unchanged. */
function twice(cells: Readonly<Record<string, string>>): [cells: Row, members: SiteCase['members']] {
  return [cells, cells];
}

const lost: readonly RuleName[] = ['lost-digits'];
const corner = twice({ Longitude: '180', Latitude: '-90' });
const openRing = '{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1]]]}';

const siteCases: readonly SiteCase[] = [
  placed('a HUC8 of seven digits gets its zero back', { HUC8: '1010203' }, { HUC8: '01010203' }),
  placed('a HUC8 that a spreadsheet made decimal', { HUC8: '11130302.0' }, { HUC8: '11130302' }),
  placed('a HUC8 of seven digits made decimal', { HUC8: '1010203.0' }, { HUC8: '01010203' }),
  placed(
    'eleven digits give HUC8 too',
    { HUC8: '', HUC12: '10102030405' },
    { HUC12: '010102030405', HUC8: '01010203' },
  ),
  placed('a HUC12 made decimal', { HUC12: '160102020305.0' }, { HUC12: '160102020305' }),
  placed('a HUC12 in exponents lost digits', { HUC8: '', HUC12: '1.60102E+11' }, { HUC12: null, HUC8: null }, lost),
  placed('a HUC8 in exponent notation with all its digits', { HUC8: '1.1130302E7' }, { HUC8: '11130302' }),
  placed('a HUC8 of seven digits in exponent notation', { HUC8: '1.010203e+06' }, { HUC8: '01010203' }),
  placed('a HUC8 in exponents that lost digits', { HUC8: '1.11303E+07', HUC12: '' }, { HUC8: null }, lost),
  placed('a HUC8 whose exponent is too large', { HUC8: '1.1130302E8', HUC12: '' }, { HUC8: null }, lost),
  placed('a HUC8 with a fraction in exponents', { HUC8: '1.11303025E7', HUC12: '' }, { HUC8: null }, lost),
  placed('a HUC8 beside a lost HUC12', { HUC8: '16010202', HUC12: '1.6e11' }, { HUC12: null, HUC8: '16010202' }, lost),
  placed('a HUC8 of its own wins over its HUC12', ...twice({ HUC8: '14060003', HUC12: '160102020305' })),
  placed('a reach code made decimal', { NHDReachCode: '16010202000123.0' }, { NHDReachCode: '16010202000123' }),
  placed('a native identifier made decimal', { SiteNativeID: '123.0' }, { NativeSiteID: '123' }),
  placed('numbers that are no identifiers', ...twice({ USGSSiteID: '9380000.0', NHDMeasureNumber: '30.0' })),
  placed('a native identifier with leading zeros', { SiteNativeID: '000123' }, { NativeSiteID: '000123' }),
  placed('an update date is a timestamp', { NHDUpdateDate: '5/6/2010' }, { NHDUpdateDate: '2010-05-06T00:00:00' }),
  placed('an older name of the water sources', { WaterSourceUUIDs: ' WS1 , WS1' }, { WaterSourceUUIDs: ['WS1'] }),
  placed('coordinates as submitted', ...twice({ Longitude: '-111.50', Latitude: '40.10' })),
  placed('coordinates in exponent notation', ...twice({ Longitude: '-1.115e2', Latitude: '4.01e1' })),
  placed('coordinates at the corner of the world', ...corner, ['near-pole']),
  placed('a zero longitude alone', ...twice({ Longitude: '0', Latitude: '51.5' })),
  { ...unplaced('no coordinates', '', ''), warnings: [] },
  unplaced('a longitude alone', '-111.5', ''),
  unplaced('the coordinates 0/0', '0.0', '-0'),
  unplaced('coordinates in metres', '450000', '4649776', 'projected-coordinates'),
  unplaced('a longitude that is text', '111W', '40'),
  pointless('a geometry without coordinates', square, true),
  pointless('an open ring', 'POLYGON ((0 0, 1 0, 1 1, 0 1))', false),
  pointless('an open ring in GeoJSON', openRing, false),
  pointless(
    'a geometry in GeoJSON is answered as WKT',
    '{"type":"Polygon","coordinates":[[[-111,39],[-110,39],[-110,40],[-111,40],[-111,39]]]}',
    true,
    square,
  ),
  pointless(
    'a Feature stands for its geometry',
    '{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[-111.5,1e-7]}}',
    true,
    'POINT (-111.5 1e-7)',
  ),
  placed('a broken geometry beside good coordinates', { Geometry: 'POLYGON ((' }, { SiteGeometry: 'POLYGON ((' }, [
    'unusable-geometry',
  ]),
  placed('a filler geometry', { Geometry: 'Unspecified' }, { SiteGeometry: null }),
  ...[
    'POINT EMPTY',
    'polygon empty',
    'MULTIPOLYGON ZM EMPTY',
    'GEOMETRYCOLLECTION EMPTY',
    'GEOMETRYCOLLECTION (POINT EMPTY)',
    'LINESTRING()',
    'POINT (NaN NaN)',
    'SRID=4326;POLYGON EMPTY',
    '{"type":"Polygon","coordinates":[]}',
    '{"type":"MultiPolygon","coordinates":[[[]]]}',
    '{"type":"Feature","properties":{},"geometry":null}',
    '{"type":"GeometryCollection","geometries":[]}',
  ].map((Geometry) => placed(`the geometry ${Geometry}`, { Geometry }, { SiteGeometry: null })),
  placed('a HUC8 with thousands separators', { HUC8: '16,010,202' }, { HUC8: '16010202' }),
  placed('a HUC8 of six digits', ...twice({ HUC8: '160102' }), ['not-hydrologic-unit']),
  placed('a name as HUC12', ...twice({ HUC12: 'Jordan' }), ['not-hydrologic-unit']),
  placed('a state that does not exist', ...twice({ StateCV: 'Utha' }), ['unknown-state']),
  placed('the name of a state', ...twice({ StateCV: 'Utah' })),
];

const garbledCases: readonly (readonly [text: string, hint: string])[] = [
  ['Do\u00c3\u00b1a Ana', 'probably Do\u00f1a Ana'],
  ['Do\u00c3\u0192\u00c2\u00b1a Ana', 'probably Do\u00f1a Ana'],
  ['Cache \u00e2\u20ac\u201c North', 'probably Cache \u2013 North'],
  ['Ca\ufffdon', 'a character was lost'],
  ['Ca\u00ef\u00bf\u00bdon', 'a character was lost'],
  ['Ut\u200bah', 'U+200B inside'],
  ['Ut\u0007ah', 'U+0007 inside'],
];

test.each(garbledCases)('lists %j among the findings that a person should check: %s', async (text, hint) => {
  const cells = { SiteName: text };
  const garbledReport = await service.load(withCells(siteAmountsSubmission, 'sites.csv', 0, cells));
  expect(garbledReport.findings.filter(({ rule }) => rule === 'garbled-text')).toMatchObject([
    { file: 'sites.csv', line: 2, column: 'SiteName', value: `${text} (${hint})` },
  ]);
});

test.each(['Do\u00f1a Ana', 'Caf\u00e9 \u00c7a', 'R\u00edo \u2013 Norte', 'Tuba City \u201cEast\u201d', '\u6c34'])(
  'does not count %j as garbled',
  async (text) => {
    const correct = await service.load(withCells(siteAmountsSubmission, 'sites.csv', 0, { SiteName: text }));
    expect(correct.findings.filter(({ rule }) => rule === 'garbled-text')).toEqual([]);
  },
);

let siteReport: Report;
let sites: Readonly<Record<string, unknown>>[];
let found: ReadonlySet<string>;

const WORLD = 'POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))';

beforeAll(async () => {
  const [first] = getRows(siteAmountsSubmission, 'sites.csv');
  const [amount] = getRows(siteAmountsSubmission, 'sitespecificamounts.csv');
  const siteRows = siteCases.map(({ cells }, index) => ({ ...first, SiteUUID: `case ${index}`, ...cells }));
  siteReport = await service.load({
    ...siteAmountsSubmission,
    'sites.csv': siteRows,
    'podsitetopousiterelationships.csv': [],
    'sitespecificamounts.csv': siteRows.map(({ SiteUUID }) => ({ ...amount, SiteUUID })),
  });
  sites = (await service.get('/v1/SiteVariableAmounts')).json.Organizations[0].Sites;
  const inWorld = await service.get(`/v1/SiteVariableAmounts?SearchBoundary=${encodeURIComponent(WORLD)}`);
  found = new Set(inWorld.json.Organizations[0].Sites.map((site: { SiteUUID: string }) => site.SiteUUID));
});

test.each(siteCases.map((one, index) => ({ index, ...one })))('$name', ({ index, members, warnings, isPlaced }) => {
  expect(sites.find((site) => site['SiteUUID'] === `case ${index}`)).toMatchObject(members);
  const findings = siteReport.findings.filter(({ file, line }) => file === 'sites.csv' && line === toLineNumber(index));
  expect(findings.map(({ rule }) => rule).sort()).toEqual(warnings);
  expect(found.has(`case ${index}`)).toBe(isPlaced);
});

const geoJson = JSON.stringify({
  type: 'MultiPolygon',
  coordinates: [[[[-112, 41, 9], [-111, 41, 9], [-111, 42, 9], [-112, 41, 9]]]], // prettier-ignore
});
const wkt = 'MULTIPOLYGON (((-112 41, -111 41, -111 42, -112 41)))';
const broken = 'POLYGON ((500000 41, 0 0, 1 1, 500000 41))';

/** The findings, except those on missing columns, and the answer to a query at a point in the unit. */
async function load(source: string, unit: string) {
  const withSource = withCells(aggregatedSubmission, 'watersources.csv', 0, { Geometry: source });
  const { findings } = await service.load(withCells(withSource, 'reportingunits.csv', 0, { Geometry: unit }));
  const boundary = encodeURIComponent('POINT (-111.1 41.5)');
  const { json: answer } = await service.get(`/v1/AggregatedAmounts?SearchBoundary=${boundary}`);
  return { findings: findings.filter(({ rule }) => rule !== 'absent-column'), answer };
}

test('geometries in GeoJSON are answered as WKT and matched by a boundary', async () => {
  const { findings, answer } = await load(geoJson, geoJson);
  expect(findings).toEqual([]);
  expect(answer.Organizations[0].ReportingUnits[0]).toMatchObject({ ReportingUnitGeometry: wkt });
  expect(answer.Organizations[0].WaterSources[0]).toMatchObject({ WaterSourceGeometry: wkt });
});

test('an invalid geometry of a water source stays as text, with a warning', async () => {
  const { findings, answer } = await load(broken, wkt);
  expect(findings).toMatchObject([
    { file: 'watersources.csv', line: 2, column: 'Geometry', rule: 'unusable-geometry' },
  ]);
  expect(answer.Organizations[0].WaterSources[0]).toMatchObject({ WaterSourceGeometry: broken });
});

test('removes decimals only from identifiers, report years and AggregationInterval', async () => {
  const use = { BeneficialUseCategory: '12.0', ReportYearCV: '2020.0' };
  const variable = { AggregationInterval: '1.0', ReportYearStartMonth: '10.0' };
  const units = withCells(aggregatedSubmission, 'reportingunits.csv', 0, { EPSGCodeCV: '4326.0' });
  const amounts = withCells(units, 'aggregatedamounts.csv', 0, use);
  await service.load(withCells(amounts, 'variables.csv', 0, variable));
  const [organization] = (await service.get('/v1/AggregatedAmounts')).json.Organizations;
  expect(organization.VariableSpecifics[0]).toMatchObject({ AggregationInterval: '1', ReportYearStartMonth: '10' });
  expect(organization.ReportingUnits[0]).toMatchObject({ EPSGCodeCV: '4326.0' });
  expect(JSON.stringify(organization)).toContain('"12.0"');
  expect(JSON.stringify(organization)).toContain('"ReportYear":"2020"');
});
