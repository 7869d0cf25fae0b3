// Sites and reporting units in answers (D42, D43), and as collections of OGC API - Features (D47, D48). GET /v1/Find:
// what names match, and in which order (D60). tests/property/places.test.ts compares both with a plain scan.

import { aggregatedAmount, allocation, buildLookups, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const SITES = '/v1/Sites';

const service = createTestService();

const variables = [
  {
    VariableSpecificUUID: 'V1',
    VariableSpecificCV: 'Withdrawal, Annual',
    VariableCV: 'Withdrawal',
    AmountUnitCV: 'AF',
    AggregationStatisticCV: 'Cumulative',
    AggregationInterval: 1,
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
  ...buildLookups(),
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

/** Rights of the same organization, whose submission describes S1 differently. */
const rights = {
  ...buildLookups(),
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
  ...buildLookups({ OrganizationUUID: 'CO_1', OrganizationName: 'Office of Colorado', State: 'CO' }),
  'sites.csv': [{ SiteUUID: 'S1', SiteTypeCV: 'Well' }],
  'waterallocations.csv': [allocation({ OrganizationUUID: 'CO_1', AllocationNativeID: 'C', SiteUUID: 'S1' })],
};

beforeAll(async () => {
  for (const submission of [amounts, rights, otherRights]) {
    expect((await service.load(submission)).verdict).toBe('published');
  }
});

test('a site with amounts and rights has its values from the site amounts, its series, and its number of rights', async () => {
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

test('GeoJSON has one feature per place, whose properties are named like the CSV columns', async () => {
  const csv = (await service.get(`${SITES}?format=csv`)).text;
  const { json, headers } = await service.get(`${SITES}?OrganizationUUID=ORG_1&format=geojson&RecordCount=4`);
  expect(headers['Content-Type']).toBe('application/geo+json');
  expect([json.type, json.numberMatched, json.numberReturned]).toEqual(['FeatureCollection', 6, 4]);
  const [, ann, reservoir, field] = json.features;
  expect(Object.keys(ann.properties)).toEqual(csv.slice(0, csv.indexOf('\r\n')).split(','));
  expect([ann.type, ann.id, ann.geometry]).toEqual(['Feature', 'ORG_1~S1', { type: 'Point', coordinates: [-111, 41] }]);
  expect(ann.properties).toMatchObject({ VariableCV: ['Withdrawal', 'Discharge'], RecordsCount: [2, 3] });
  expect(reservoir.geometry.type).toBe('Polygon');
  expect([field.geometry, field.properties.RecordsCount, field.properties.AllocationsCount]).toEqual([null, [], 2]);
});

test('an empty answer has a hint about a filter value that is in no data set', async () => {
  const { headers, json } = await service.get(`${SITES}?SiteTypeCV=Wel&VariableCV=Discharge`);
  expect([json.TotalSitesCount, json.Organizations]).toEqual([0, []]);
  expect(headers['Query-Hint']).toBe('SiteTypeCV "Wel" is not in the data (nearest: "Well")');
  // Only rights have this value, but values of rights also count as data.
  expect((await service.get(`${SITES}?SiteTypeCV=Field&VariableCV=x`)).headers['Query-Hint']).toBe(
    'VariableCV "x" is not in the data',
  );
});

test('a page that is too large says how many places fit', async () => {
  const small = { ...service.service, pageBytes: { json: 2000, csv: 2000, geojson: 2000 } };
  for (const format of ['json', 'csv', 'geojson']) {
    const path = `${SITES}?OrganizationUUID=ORG_1&format=${format}`;
    const { status, json } = await service.getFrom(small, path);
    expect(status).toBe(400);
    const fitting = Number(/^(\d+) records fit/.exec(json.errors[0].message)?.[1]);
    expect(fitting).toBeGreaterThan(0);
    const fit = await service.getFrom(small, `${path}&RecordCount=${fitting}`);
    expect(fit.status).toBe(200);
    expect((await service.getFrom(small, `${path}&RecordCount=${fitting + 1}`)).status).toBe(400);
  }
});

describe('as a collection of features', () => {
  const filtered = (text: string): string => `filter=${encodeURIComponent(text)}`;

  test.each<[string, string]>([
    ['', 'CO_1~S1 S0 S1 S2 S3 S4 s2'],
    // A site of rights has no dates.
    ['datetime=1995-01-01', 'CO_1~S1 S0 S1 S3'],
    ['datetime=2004-01-01/..', 'CO_1~S1 S0 S3'],
    ['VariableCV=Discharge&MinimumYears=3', 'S1'],
    // One amount must meet all comparisons joined by AND, whether in the filter or in a parameter.
    [filtered("VariableCV = 'Withdrawal' AND BeneficialUseCV = 'Mining'"), 'S1 s2'],
    [`BeneficialUseCV=Mining&${filtered("VariableCV = 'Discharge'")}`, ''],
    [`MinimumYears=2&${filtered("VariableCV = 'Withdrawal'")}`, 'S1 s2'],
    [`MinimumYears=3&${filtered("VariableCV = 'Withdrawal'")}`, ''],
    // A negation is true if no amount meets the negated comparison and the comparison is defined for some amount.
    [filtered("NOT BeneficialUseCV = 'Mining'"), 'S2'],
    [`bbox=-113,39,-109,42&datetime=2001-06-01&${filtered("OrganizationUUID = 'ORG_1'")}`, 'S0 S1'],
  ])('%s finds the sites %s', async (query, expected) => {
    const { status, json } = await service.get(`/ogc/collections/sites/items?${query}`);
    expect([status, json.numberReturned]).toEqual([200, json.features.length]);
    const ids = json.features.map(({ id }: { readonly id: string }) => id.replace('ORG_1~', ''));
    expect(ids.join(' ')).toBe(expected);
  });
});

describe('names', () => {
  const service = createTestService();

  const OWNERS = ['Bear River Canal Co.', 'Bear River', 'Ann Harney'];

  beforeAll(async () => {
    await service.load({
      ...buildLookups({ OrganizationUUID: 'UT_1', OrganizationName: 'Utah Office', State: 'UT' }),
      'sites.csv': [
        { SiteUUID: 'UTss_1', SiteNativeID: '0042', SiteName: "O'Neil Ditch at Río Harney", County: 'Cache' },
        { SiteUUID: 'UTss_2', SiteName: 'Harney Ditch', StateCV: 'WY', County: 'Rich' },
        { SiteUUID: 'UTss_3', SiteName: 'Ditch of Harney', HUC12: '160102020305' },
        { SiteUUID: 'Harney', SiteName: 'Well' },
      ],
      'sitespecificamounts.csv': ['UTss_1', 'UTss_2', 'UTss_3', 'UTss_3'].map((SiteUUID, at) =>
        siteAmount({ OrganizationUUID: 'UT_1', SiteUUID, TimeframeStart: `200${at}-01-01` }),
      ),
      'waterallocations.csv': [
        ...OWNERS.map((AllocationOwner, at) =>
          allocation({ OrganizationUUID: 'UT_1', AllocationUUID: `UTwr_${at}`, AllocationOwner, SiteUUID: 'UTss_2' }),
        ),
        allocation({ OrganizationUUID: 'UT_1', AllocationNativeID: '0042-a', SiteUUID: 'Harney' }),
      ],
    });
    await service.load({
      ...buildLookups({ OrganizationUUID: 'OR_1', OrganizationName: 'Oregon Office', State: 'OR' }),
      'reportingunits.csv': [
        { ReportingUnitUUID: 'RU1', ReportingUnitTypeCV: 'County', ReportingUnitName: 'Harney', StateCV: 'OR' },
      ],
      'aggregatedamounts.csv': [aggregatedAmount({ OrganizationUUID: 'OR_1' })],
    });
  });

  interface Found {
    readonly Kind: string;
    readonly Name: string | null;
    readonly Identifier: string | null;
  }

  async function found(query: string): Promise<readonly string[]> {
    const { status, json, text } = await service.get(`/v1/Find?${query}`);
    if (status !== 200) throw new Error(text);
    return (json.Found as readonly Found[]).map(({ Kind, Name, Identifier }) => `${Kind} ${Name ?? Identifier ?? ''}`);
  }

  test('orders names by how well they match, then by records, then by kind', async () => {
    expect(await found('Query=Harney')).toEqual([
      'Site Well',
      'ReportingUnit Harney',
      'County Harney',
      'Site Harney Ditch',
      'Site Ditch of Harney',
      "Site O'Neil Ditch at Río Harney",
      'Owner Ann Harney',
    ]);
    expect(await found('Query=dit harn')).toEqual([
      'Site Ditch of Harney',
      "Site O'Neil Ditch at Río Harney",
      'Site Harney Ditch',
    ]);
  });

  test.each([
    ['RIO oneil', "Site O'Neil Ditch at Río Harney"],
    ['o’neil', "Site O'Neil Ditch at Río Harney"],
    ['UTss-2', 'Site Harney Ditch'],
    ['utwr 1', 'Right UTwr_1'],
  ])('finds %s regardless of letter case, diacritics and punctuation', async (query, name) => {
    expect(await found(`Query=${encodeURIComponent(query)}`)).toEqual([name]);
  });

  test('a result has its organization, its position and a filter that finds its records', async () => {
    const { json } = await service.get('/v1/Find?Query=harney+ditch');
    expect(json).toEqual({
      TotalFoundCount: 3,
      Found: [
        {
          Kind: 'Site',
          OrganizationUUID: 'UT_1',
          Identifier: 'UTss_2',
          Name: 'Harney Ditch',
          State: 'WY',
          County: 'Rich',
          Filter: 'OrganizationUUID=UT_1&SiteUUID=UTss_2',
          RecordsCounts: { SiteVariableAmounts: 1, AggregatedAmounts: 0, SiteAllocationAmounts: 3 },
        },
        expect.objectContaining({ Name: 'Ditch of Harney' }),
        expect.objectContaining({ Name: "O'Neil Ditch at Río Harney" }),
      ],
    });
  });

  test('pages have links and counts, and a client that already has the answer gets a 304', async () => {
    const path = '/v1/Find?Query=harney&RecordCount=2&StartIndex=1';
    const { headers } = await service.get(path);
    expect(headers['X-Total-Count']).toBe('7');
    expect(headers['X-Record-Count']).toBe('2');
    expect(headers['Link']).toContain('/v1/Find?Query=harney&StartIndex=3&RecordCount=2&DataVersion=');
    expect(await found('Query=harney&RecordCount=2&StartIndex=1')).toEqual(['ReportingUnit Harney', 'County Harney']);
    expect((await service.getWith(path, { 'If-None-Match': headers['ETag'] ?? '' })).status).toBe(304);
    expect((await service.get('/v1/Find?Query=harney', {})).status).toBe(401);
  });

  test.each([
    ['', 'Query', 'is required: words of a name'],
    ['Query=%2D', 'Query', 'must have a letter or a digit'],
    [`Query=${'a+'.repeat(33)}`, 'Query', 'must have at most 32 words'],
    ['Query=a&Kind=Town', 'Kind', 'must be Site, ReportingUnit, Right, Owner'],
    ['Query=a&RecordCount=101', 'RecordCount', 'must be a whole number from 1 to 100'],
  ])('refuses %p', async (query, parameter, message) => {
    const { status, json } = await service.get(`/v1/Find?${query}`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ parameter, message: expect.stringContaining(message) as string }]);
  });

  test.each([
    ['sites', 'Site'],
    ['reporting-units', 'ReportingUnit'],
    ['allocations', 'Right'],
  ])('the parameter q of %s matches the features that /v1/Find finds', async (collection, kind) => {
    for (const words of ['harney', 'dit harn', 'oneil', 'utss', 'utwr 1', '0042', '0042 a', 'nothing']) {
      const query = encodeURIComponent(words);
      const items = await service.get(`/ogc/collections/${collection}/items?q=${query}`);
      const { json } = await service.get(`/v1/Find?Kind=${kind}&Query=${query}`);
      expect({ words, matched: items.json.numberMatched }).toEqual({ words, matched: json.TotalFoundCount });
      const ids = (items.json.features as readonly { readonly id: string }[]).map(({ id }) => id.split('~')[1]);
      const identifiers = (json.Found as readonly Found[]).flatMap(({ Identifier }) => Identifier ?? []);
      expect(ids).toEqual(expect.arrayContaining(identifiers));
    }
  });

  test('q combines with filters and pages, and is refused for amounts, which have no names', async () => {
    const both = await service.get('/ogc/collections/sites/items?q=harney&filter=State%3D%27WY%27&limit=1');
    expect(both.json).toMatchObject({ numberMatched: 1, features: [{ id: 'UT_1~UTss_2' }] });
    const page = await service.get('/ogc/collections/sites/items?q=harney&limit=1');
    const next = (page.json.links as readonly { rel: string; href: string }[]).find(({ rel }) => rel === 'next');
    expect(next?.href).toContain('q=harney');
    expect((await service.get('/ogc/collections/site-amounts/items?q=harney')).json.errors).toMatchObject([
      { parameter: 'q' },
    ]);
    expect((await service.get('/ogc/collections/sites/items?q=--')).json.errors).toMatchObject([{ parameter: 'q' }]);
  });
});
