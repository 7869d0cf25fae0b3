// Sites and reporting units as they are answered (D42, D43). tests/property/places.test.ts compares them with a plain
// scan.

import { parse } from 'csv-parse/sync';
import { aggregatedAmount, allocation, lookupsOf, siteAmount } from '../fixtures/handmade';
import { createTestService, type Answer } from '../fixtures/test-service';

const SITES = '/v1/Sites';
const UNITS = '/v1/ReportingUnits';

const service = createTestService();

const variables = [
  {
    ...{ VariableSpecificUUID: 'V1', VariableSpecificCV: 'Withdrawal, Annual', VariableCV: 'Withdrawal' },
    ...{ AmountUnitCV: 'AF', AggregationStatisticCV: 'Cumulative', AggregationInterval: 1 },
    AggregationIntervalUnitCV: 'Year',
  },
  { VariableSpecificUUID: 'V2', VariableSpecificCV: 'Discharge', VariableCV: 'Discharge' },
];

function yearly(site: string, variable: string, years: readonly number[], use = 'Irrigation') {
  return years.map((ReportYearCV) =>
    siteAmount({ SiteUUID: site, VariableSpecificUUID: variable, ReportYearCV, BeneficialUseCategory: use }),
  );
}

const amounts = {
  ...lookupsOf(),
  'variables.csv': variables,
  'sites.csv': [
    {
      SiteUUID: 'S1',
      SiteName: 'Ann',
      SiteTypeCV: 'Well',
      PODorPOUSite: 'POD',
      County: 'Cache',
      Longitude: -111,
      Latitude: 41,
    },
    { SiteUUID: 'S2', SiteTypeCV: 'Reservoir', StateCV: 'CO', Geometry: 'POLYGON((-110 40,-109 40,-109 41,-110 40))' },
    { SiteUUID: 's2', SiteTypeCV: 'Gage' },
    { SiteUUID: 'S4', HUC12: '160102020305' },
    { SiteUUID: 'unused' },
  ],
  'reportingunits.csv': [
    { ReportingUnitUUID: 'RU2', ReportingUnitTypeCV: 'County', ReportingUnitName: 'Cache', StateCV: 'UT' },
    { ReportingUnitUUID: 'RU1', ReportingUnitTypeCV: 'HUC8', Geometry: 'POLYGON((-112 40,-111 40,-111 41,-112 40))' },
  ],
  'sitespecificamounts.csv': [
    ...yearly('S1', 'V2', [2001, 2002, 2003]),
    ...yearly('S1', 'V1', [1990, 2003], 'Mining'),
    ...yearly('S2', 'V1', [2000]),
    ...yearly('s2', 'V1', [2000, 2001], 'Mining'),
    siteAmount({ SiteUUID: 'S4', TimeframeStart: '2000-01-01', TimeframeEnd: '2001-01-01', WaterSourceUUID: 'WS1' }),
    siteAmount({ SiteUUID: 'S4', VariableSpecificUUID: 'V2' }),
  ],
  'aggregatedamounts.csv': [
    aggregatedAmount({ ReportYearCV: 2000 }),
    aggregatedAmount({ ReportYearCV: 2001 }),
    aggregatedAmount({ ReportingUnitUUID: 'RU2', ReportYearCV: 2000, BeneficialUseCategory: 'Mining' }),
  ],
};

/** Rights of the same organization, whose submission says other things of S1. */
const rights = {
  ...lookupsOf(),
  'sites.csv': [
    { SiteUUID: 'S1', SiteName: 'Bob', SiteTypeCV: 'Spring', PODorPOUSite: 'POU' },
    { SiteUUID: 'S3', PODorPOUSite: 'POD', SiteTypeCV: 'Well' },
    { SiteUUID: 'S0', PODorPOUSite: 'POU', SiteTypeCV: 'Field', Longitude: -111.5, Latitude: 40.5 },
  ],
  'waterallocations.csv': [
    allocation({ AllocationNativeID: 'A', SiteUUID: 'S1,S3,S0', BeneficialUseCategory: 'Mining' }),
    allocation({ AllocationNativeID: 'B', SiteUUID: 'S3' }),
  ],
};

const otherRights = {
  ...lookupsOf({ OrganizationUUID: 'CO_1', OrganizationName: 'Office of Colorado', State: 'CO' }),
  'sites.csv': [{ SiteUUID: 'S1', SiteTypeCV: 'Well' }],
  'waterallocations.csv': [allocation({ OrganizationUUID: 'CO_1', AllocationNativeID: 'C', SiteUUID: 'S1' })],
};

beforeAll(async () => {
  for (const submission of [amounts, rights, otherRights]) {
    expect((await service.load(submission)).verdict).toBe('published');
  }
});

afterAll(() => service.close());

type Item = Readonly<Record<string, unknown>>;

/** The places of an answer, as `ORGANIZATION/PLACE`. */
function placesOf({ status, json, text }: Answer): readonly string[] {
  if (status !== 200) throw new Error(text);
  return json.Organizations.flatMap((organization: Item) =>
    ((organization['Sites'] ?? organization['ReportingUnits']) as readonly Item[]).map(
      (place) =>
        `${String(organization['OrganizationUUID'])}/${String(place['SiteUUID'] ?? place['ReportingUnitUUID'])}`,
    ),
  );
}

async function found(path: string): Promise<readonly string[]> {
  return placesOf(await service.get(path));
}

const ALL_SITES = ['CO_1/S1', 'ORG_1/S0', 'ORG_1/S1', 'ORG_1/S2', 'ORG_1/S3', 'ORG_1/S4', 'ORG_1/s2'];

test('each site to which an amount or a right refers stands once, by organization and identifier', async () => {
  const answer = await service.get(SITES);
  expect(placesOf(answer)).toEqual(ALL_SITES);
  expect(answer.json.TotalSitesCount).toBe(7);
  expect([answer.headers['X-Total-Count'], answer.headers['X-Record-Count']]).toEqual(['7', '7']);
});

test('a site that amounts and rights hold is as the amounts have it, with its series and the number of its rights', async () => {
  const { text } = await service.get(`${SITES}?OrganizationUUID=org_1&SiteUUID=S1`);
  expect(text).toBe(
    '{"TotalSitesCount":1,"Organizations":[{"OrganizationName":"Office","OrganizationPurview":null,"OrganizationWebsite":null,' +
      '"OrganizationPhoneNumber":null,"OrganizationContactName":null,"OrganizationContactEmail":null,"OrganizationState":"UT",' +
      '"Sites":[{"SiteName":"Ann","SiteUUID":"S1","NativeSiteID":null,"USGSSiteID":null,"SiteTypeCV":"Well",' +
      '"Longitude":"-111","Latitude":"41","PODorPOUSite":"POD","CoordinateMethodCV":null,"CoordinateAccuracy":null,' +
      '"WaterSources":[],"SiteGeometry":null,"NHDNetworkStatusCV":null,"NHDProductCV":null,"NHDUpdateDate":null,' +
      '"NHDReachCode":null,"NHDMeasureNumber":null,"StateCV":null,"County":"Cache","HUC8":null,"HUC12":null,' +
      '"RelatedPODSites":[],"RelatedPOUSites":[],"WaterSourceUUIDs":[],' +
      '"Series":[{"VariableSpecificUUID":"V1","VariableSpecificTypeCV":"Withdrawal, Annual","VariableCV":"Withdrawal",' +
      '"AmountUnitCV":"AF","AggregationStatisticCV":"Cumulative","AggregationInterval":"1","AggregationIntervalUnitCV":"Year",' +
      '"RecordsCount":2,"YearsCount":2,"FirstDay":"1990-01-01","LastDay":"2003-12-31"},' +
      '{"VariableSpecificUUID":"V2","VariableSpecificTypeCV":"Discharge","VariableCV":"Discharge",' +
      '"AmountUnitCV":null,"AggregationStatisticCV":null,"AggregationInterval":null,"AggregationIntervalUnitCV":null,' +
      '"RecordsCount":3,"YearsCount":3,"FirstDay":"2001-01-01","LastDay":"2003-12-31"}],"AllocationsCount":1}],' +
      '"State":"Utah","OrganizationUUID":"ORG_1"}]}',
  );
});

test('a series without dates has none, and one of amounts over more than a year has days and no year', async () => {
  const { json } = await service.get(`${SITES}?SiteUUID=S4`);
  const counts = json.Organizations[0].Sites[0].Series.map((series: Readonly<Record<string, unknown>>) =>
    ['RecordsCount', 'YearsCount', 'FirstDay', 'LastDay'].map((name) => series[name]),
  );
  expect(counts).toEqual([
    [1, 0, '2000-01-01', '2001-01-01'],
    [1, 0, null, null],
  ]);
});

test.each([
  ['SiteUUID=s2', ['ORG_1/S2', 'ORG_1/s2']],
  ['SiteUUID=S3&SiteUUID=S0', ['ORG_1/S0', 'ORG_1/S3']],
  // Not the spring that the rights call it.
  ['SiteTypeCV=well', ['CO_1/S1', 'ORG_1/S1', 'ORG_1/S3']],
  ['SiteTypeCV=Spring', []],
  // Not the other sites of the same right.
  ['PODorPOUSite=POU', ['ORG_1/S0']],
  ['County=cache+county', ['ORG_1/S1']],
  ['HUC12=160102020305', ['ORG_1/S4']],
  ['HUC8=16010202', ['ORG_1/S4']],
  ['OrganizationUUID=CO_1', ['CO_1/S1']],
  // D10: by the organization's state, or its own.
  ['State=CO', ['CO_1/S1', 'ORG_1/S2']],
  ['State=UT&SiteTypeCV=Reservoir', ['ORG_1/S2']],
  ['SearchBoundary=bbox:-112,40,-110,42', ['ORG_1/S0', 'ORG_1/S1', 'ORG_1/S2']],
  ['SearchBoundary=state:CO', ['CO_1/S1', 'ORG_1/S2']],
  ['SearchBoundary=site:S0', ['ORG_1/S0']],
  ['SearchBoundary=site:nowhere', []],
])('%s asks for the site itself', async (query, expected) => {
  expect(await found(`${SITES}?${query}`)).toEqual(expected);
});

test.each([
  // Rights do not meet filters of amounts, though one of them has the use.
  ['BeneficialUseCV=mining', ['ORG_1/S1', 'ORG_1/s2']],
  ['USGSCategoryNameCV=Mining', ['ORG_1/S1', 'ORG_1/s2']],
  ['VariableCV=discharge', ['ORG_1/S1', 'ORG_1/S4']],
  ['VariableSpecificCV=Withdrawal+annual', ['ORG_1/S1', 'ORG_1/S2', 'ORG_1/S4', 'ORG_1/s2']],
  ['WaterSourceTypeCV=Surface+Water', ['ORG_1/S4']],
  ['StartDate=2003-01-01', ['ORG_1/S1']],
  ['EndDate=1995-12-31', ['ORG_1/S1']],
  // S1 has amounts of mining and amounts of 2001 and 2002, and none that is both.
  ['BeneficialUseCV=Mining&StartDate=2001-01-01&EndDate=2002-12-31', ['ORG_1/s2']],
  ['SiteTypeCV=Reservoir&EndDate=2000-12-31', ['ORG_1/S2']],
])('%s asks for one amount that meets all of it', async (query, expected) => {
  expect(await found(`${SITES}?${query}`)).toEqual(expected);
});

test.each([
  ['MinimumYears=1', ['ORG_1/S1', 'ORG_1/S2', 'ORG_1/s2']],
  ['MinimumYears=2', ['ORG_1/S1', 'ORG_1/s2']],
  // Five years over both series of S1 are not four of one.
  ['MinimumYears=3', ['ORG_1/S1']],
  ['MinimumYears=4', []],
  ['MinimumYears=3&BeneficialUseCV=Mining', []],
  ['MinimumYears=2&BeneficialUseCV=Mining', ['ORG_1/S1', 'ORG_1/s2']],
  ['MinimumYears=2&EndDate=2002-12-31', ['ORG_1/S1', 'ORG_1/s2']],
  ['MinimumYears=2&VariableCV=Withdrawal&SearchBoundary=bbox:-112,40,-110,42', ['ORG_1/S1']],
])('%s counts the distinct years of one series', async (query, expected) => {
  expect(await found(`${SITES}?${query}`)).toEqual(expected);
});

test('pages tile the list, and each links to the next', async () => {
  const pages: string[] = [];
  let path = `${SITES}?RecordCount=2`;
  for (;;) {
    const answer = await service.get(path);
    expect(answer.json.TotalSitesCount).toBe(ALL_SITES.length);
    pages.push(...placesOf(answer));
    const next = /<([^>]*)>; rel="next"/.exec(answer.headers['Link'] ?? '')?.[1];
    if (next === undefined) break;
    path = next;
  }
  expect(pages).toEqual(ALL_SITES);
  expect(await found(`${SITES}?StartIndex=7`)).toEqual([]);
});

test('reporting units have no rights, and their own filters', async () => {
  const { json } = await service.get(UNITS);
  expect(json.TotalReportingUnitsCount).toBe(2);
  expect(Object.keys(json.Organizations[0])).toEqual([
    ...['OrganizationName', 'OrganizationPurview', 'OrganizationWebsite', 'OrganizationPhoneNumber'],
    ...['OrganizationContactName', 'OrganizationContactEmail', 'OrganizationState', 'ReportingUnits', 'State'],
    'OrganizationUUID',
  ]);
  const [first] = json.Organizations[0].ReportingUnits;
  expect(Object.keys(first).slice(-3)).toEqual(['Geometry', 'ReportingUnitGeometry', 'Series']);
  expect([first.ReportingUnitUUID, first.Series[0].YearsCount]).toEqual(['RU1', 2]);
  expect(await found(`${UNITS}?ReportingUnitTypeCV=county`)).toEqual(['ORG_1/RU2']);
  expect(await found(`${UNITS}?ReportingUnitUUID=ru1&State=UT`)).toEqual(['ORG_1/RU1']);
  expect(await found(`${UNITS}?SearchBoundary=bbox:-111.5,40,-111,40.1`)).toEqual(['ORG_1/RU1']);
  expect(await found(`${UNITS}?MinimumYears=2`)).toEqual(['ORG_1/RU1']);
  expect(await found(`${UNITS}?UsgsCategoryNameCV=Mining&StartDate=2000-01-01`)).toEqual(['ORG_1/RU2']);
});

test('as CSV each place is a row, with a list for each member of its series', async () => {
  const { text, headers } = await service.get(`${SITES}?SiteUUID=S1&OrganizationUUID=ORG_1&format=csv`);
  expect(headers['Content-Disposition']).toBe('attachment; filename="Sites.csv"');
  expect(parse<Readonly<Record<string, string>>>(text, { columns: true })).toMatchObject([
    {
      ...{ OrganizationUUID: 'ORG_1', SiteUUID: 'S1', SiteName: 'Ann', VariableSpecificUUID: 'V1|V2' },
      ...{ AmountUnitCV: 'AF|', RecordsCount: '2|3', YearsCount: '2|3', FirstDay: '1990-01-01|2001-01-01' },
      AllocationsCount: '1',
    },
  ]);
});

test('as GeoJSON each place is a feature, whose properties have the names of the CSV columns', async () => {
  const csv = (await service.get(`${SITES}?format=csv`)).text;
  const { json, headers } = await service.get(`${SITES}?OrganizationUUID=ORG_1&format=geojson&RecordCount=4`);
  expect(headers['Content-Type']).toBe('application/geo+json');
  expect([json.type, json.numberMatched, json.numberReturned]).toEqual(['FeatureCollection', 6, 4]);
  const [, ann, reservoir, field] = json.features;
  expect(Object.keys(ann.properties)).toEqual(csv.slice(0, csv.indexOf('\r\n')).split(','));
  expect([ann.type, ann.id, ann.geometry]).toEqual([
    ...['Feature', 'ORG_1~S1'],
    { type: 'Point', coordinates: [-111, 41] },
  ]);
  expect(ann.properties).toMatchObject({ VariableCV: ['Withdrawal', 'Discharge'], RecordsCount: [2, 3] });
  expect(reservoir.geometry.type).toBe('Polygon');
  expect([field.geometry, field.properties.RecordsCount, field.properties.AllocationsCount]).toEqual([null, [], 2]);
});

test.each([
  ['MinimumYears=0', 'MinimumYears'],
  ['MinimumYears=3.5', 'MinimumYears'],
  ['MinimumYears=1&MinimumYears=2', 'MinimumYears'],
  ['RecordCount=10001', 'RecordCount'],
  ['StartDate=2001-01-01&EndDate=2000-01-01', 'StartDate'],
  ['AllocationOwner=river', 'AllocationOwner'],
  ['OrderBy=Amount', 'OrderBy'],
  ['format=xml', 'format'],
])('%s is a 400 that names the parameter', async (query, name) => {
  const { status, json } = await service.get(`${SITES}?${query}`);
  expect([status, json.errors.map(({ parameter }: { parameter: string }) => parameter)]).toEqual([400, [name]]);
});

test('HEAD has the headers of GET, a held answer is a 304, and a key is needed', async () => {
  const path = `${SITES}?SiteTypeCV=Well`;
  const key = { 'x-api-key': service.key };
  const { headers } = await service.get(path);
  const head = await service.get(path, key, 'HEAD');
  expect([head.status, head.text, head.headers['ETag']]).toEqual([200, '', headers['ETag']]);
  const held = await service.get(path, { ...key, 'if-none-match': headers['ETag'] ?? '' });
  expect([held.status, held.headers['X-Total-Count'], held.headers['ETag']]).toEqual([304, '3', headers['ETag']]);
  const since = await service.get(path, { ...key, 'if-modified-since': 'Wed, 01 Jan 2098 00:00:00 GMT' });
  expect([since.status, since.headers['X-Total-Count']]).toEqual([304, '3']);
  expect((await service.get(path, {})).status).toBe(401);
});

test('an answer without places says which value no data has', async () => {
  const { headers, json } = await service.get(`${SITES}?SiteTypeCV=Wel&VariableCV=Discharge`);
  expect([json.TotalSitesCount, json.Organizations]).toEqual([0, []]);
  expect(headers['Query-Hint']).toBe('SiteTypeCV "Wel" is not in the data (nearest: "Well")');
  // Only rights have it, which is data all the same.
  expect((await service.get(`${SITES}?SiteTypeCV=Field&VariableCV=x`)).headers['Query-Hint']).toBe(
    'VariableCV "x" is not in the data',
  );
});

test('a data version shows its places, whatever was published later', async () => {
  const path = `${SITES}?OrganizationUUID=CO_1`;
  const { headers } = await service.get(path);
  await service.load({
    ...otherRights,
    'sites.csv': [{ SiteUUID: 'S9' }],
    'waterallocations.csv': [allocation({ OrganizationUUID: 'CO_1', AllocationNativeID: 'D', SiteUUID: 'S9' })],
  });
  expect(await found(path)).toEqual(['CO_1/S9']);
  expect(await found(`${path}&DataVersion=${headers['Data-Version'] ?? ''}`)).toEqual(['CO_1/S1']);
});

test('a page that is too large says how many places fit', async () => {
  const small = { ...service.service, pageBytes: { json: 2000, csv: 2000, geojson: 2000 } };
  for (const format of ['json', 'csv', 'geojson']) {
    const path = `${SITES}?OrganizationUUID=ORG_1&format=${format}`;
    const { status, json } = await service.ask(small, path, { 'x-api-key': service.key });
    expect(status).toBe(400);
    const fitting = Number(/^(\d+) records fit/.exec(json.errors[0].message)?.[1]);
    expect(fitting).toBeGreaterThan(0);
    const fit = await service.ask(small, `${path}&RecordCount=${fitting}`, { 'x-api-key': service.key });
    expect(fit.status).toBe(200);
    expect((await service.ask(small, `${path}&RecordCount=${fitting + 1}`, { 'x-api-key': service.key })).status).toBe(
      400,
    );
  }
});
