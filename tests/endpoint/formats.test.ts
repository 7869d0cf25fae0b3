// The format of an answer: chosen by the parameter format or the header Accept (ADR 0033), and compressed (ADR 0047).
// Also checks every declared member of JSON, in the order of the specification (D21 to D27), against lists that are
// written out here.

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { ANSWER_FORMATS } from '../../shared/query/format-parameters';
import { aggregatedAmount, allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { type Feature, readCsv } from '../fixtures/read-formats';
import {
  aggregatedSubmission,
  allocationsSubmission,
  type Row,
  siteAmountsSubmission,
  type Submission,
} from '../fixtures/submission';
import { type Answer, createLoadedService } from '../fixtures/test-service';
import { createStateSubmission } from '../fixtures/two-states';

const POLYGON = 'POLYGON((-112 40,-112 41,-111 41,-111 40,-112 40),(-111.5 40.5,-111.4 40.5,-111.4 40.6,-111.5 40.5))';

const submission: Submission = {
  ...buildLookups({ OrganizationName: '=cmd|calc, "Office"' }),
  'beneficialuses.csv': [
    { BeneficialUseCategory: 'Irrigation|Lawn', USGSCategoryNameCV: 'Irrigation' },
    { BeneficialUseCategory: '+Mining', USGSCategoryNameCV: '' },
  ],
  'sites.csv': [
    { SiteUUID: 'S1', SiteName: '@Site\nOne', Longitude: '-111.5', Latitude: '40.25', County: 'Cache' },
    { SiteUUID: 'S2', SiteName: "'Two", Longitude: '-112', Latitude: '41', Geometry: POLYGON },
    { SiteUUID: 'S3', Longitude: '-112.5', Latitude: '41', Geometry: 'POLYGON((0 0,1 1' },
    { SiteUUID: 'S4', Geometry: 'nothing' },
    { SiteUUID: 'S5', HUC8: '01010203' },
  ],
  'reportingunits.csv': [
    { ReportingUnitUUID: 'RU1', ReportingUnitName: 'Ünit', Geometry: POLYGON },
    { ReportingUnitUUID: 'RU2', Geometry: 'POLYGON((400000 4500000,400001 4500000,400001 4500001,400000 4500000))' },
  ],
  'sitespecificamounts.csv': ['S1', 'S2', 'S3', 'S4', 'S5'].map((SiteUUID, index) =>
    siteAmount({ SiteUUID, Amount: -5 - index, ReportYearCV: 2000, BeneficialUseCategory: 'Irrigation|Lawn,+Mining' }),
  ),
  'aggregatedamounts.csv': ['RU1', 'RU2'].map((ReportingUnitUUID) =>
    aggregatedAmount({ ReportingUnitUUID, ReportYearCV: 2000, CustomerTypeCV: '-x' }),
  ),
  'waterallocations.csv': [
    { AllocationNativeID: '-7', SiteUUID: 'S1,S2,S5', AllocationOwner: '=1+1', BeneficialUseCategory: '+Mining' },
    { AllocationNativeID: '2', SiteUUID: '', ExemptOfVolumeFlowPriority: 'true' },
    { AllocationNativeID: '3', SiteUUID: 'S4' },
  ].map((row: Row) => allocation(row)),
};

const service = createLoadedService(submission);
const ask = service.getWith;

function getFeatures({ json }: Answer): readonly Feature[] {
  return json.features;
}

const TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  csv: 'text/csv; charset=utf-8; header=present',
  geojson: 'application/geo+json',
};

test.each([
  ['', '*/*', 'json'],
  ['', 'text/csv', 'csv'],
  ['', 'application/geo+json;q=0.9, text/csv;q=0.8', 'geojson'],
  ['?format=csv', 'application/json', 'csv'],
  ['?format=GeoJSON', 'image/png', 'geojson'],
  ['?FORMAT=json', 'text/csv', 'json'],
  ['?format=', 'text/csv', 'csv'],
])('%s with Accept: %s is %s', async (query, accept, format) => {
  const { status, headers } = await ask(`${paths.site}${query}`, { accept });
  expect([status, headers['Content-Type']]).toEqual([200, TYPES[format]]);
  expect(headers['Vary']).toContain('Accept');
});

test('an unknown format is a 400 that lists the formats', async () => {
  const { status, json } = await ask(`${paths.site}?format=xml`);
  expect(status).toBe(400);
  expect(json.errors).toEqual([{ parameter: 'format', message: 'must be json, csv or geojson', value: 'xml' }]);
});

test('an Accept header that accepts none of the formats gets a 406 that lists them', async () => {
  const { status, json, headers } = await ask(paths.site, { accept: 'text/html' });
  expect([status, headers['Content-Type']]).toEqual([406, 'application/problem+json']);
  expect(json.detail).toMatch(/application\/json, text\/csv, application\/geo\+json.*format=json, csv or geojson/);
});

describe('CSV', () => {
  test('has a header line and CRLF line ends, and a file name for its page', async () => {
    const { text, headers } = await ask(`${paths.site}?format=csv&RecordCount=2`);
    expect(text.split('\r\n')).toHaveLength(4);
    expect(text.split('\r\n')[0]).toMatch(/^OrganizationUUID,OrganizationName,OrganizationState,SiteUUID,SiteTypeCV,/);
    expect(headers['Content-Disposition']).toBe('attachment; filename="SiteVariableAmounts.csv"');
    const next = await ask(`${paths.site}?format=csv&RecordCount=2&StartIndex=2`);
    expect(next.headers['Content-Disposition']).toBe('attachment; filename="SiteVariableAmounts-2.csv"');
    expect(next.text.split('\r\n')[0]).toBe(text.split('\r\n')[0]);
  });

  test('has no cell that a spreadsheet would run, and keeps numbers', async () => {
    const { text } = await ask(`${paths.site}?format=csv&SiteUUID=S1`);
    expect(text).toContain(`,"'=cmd|calc, ""Office""",`);
    expect(text).toContain(`,"'@Site\nOne",`);
    expect(text).toContain(',-5,');
    expect(text).toContain(',-111.5,40.25,');
    const [row] = readCsv(text);
    expect(row).toMatchObject({
      SiteName: '@Site\nOne',
      Amount: '-5',
      BeneficialUseCategoryCV: 'Irrigation\\|Lawn|+Mining',
    });
    expect(row).toMatchObject({ USGSCategoryNameCV: 'Irrigation|', County: 'Cache', VariableCV: 'Withdrawal' });
  });
});

describe('GeoJSON', () => {
  test('places a site at its geometry, otherwise at its point, and keeps unreadable geometries as text', async () => {
    const features = getFeatures(await ask(`${paths.site}?format=geojson`));
    expect(features.map(({ geometry }) => geometry?.type)).toEqual(['Point', 'Polygon', 'Point', undefined, undefined]);
    expect(features[0]?.geometry?.coordinates).toEqual([-111.5, 40.25]);
    expect(features.map(({ properties }) => properties['UnreadableGeometry'])).toEqual([
      null,
      null,
      'POLYGON((0 0,1 1',
      'nothing',
      null,
    ]);
  });

  test('keeps the id of a record when other members change', async () => {
    const idsOf = async (): Promise<readonly string[]> =>
      getFeatures(await ask(`${paths.site}?format=geojson`)).map(({ id }) => id);
    const before = await idsOf();
    expect(new Set(before).size).toBe(5);
    await service.load({
      ...submission,
      'sitespecificamounts.csv': (submission['sitespecificamounts.csv'] ?? []).map((row) => ({ ...row, Amount: 1 })),
    });
    expect(await idsOf()).toEqual(before);
    await service.load(submission);
  });
});

describe('compressed answers', () => {
  const { getWith: ask } = createLoadedService(createStateSubmission('UT', 60));

  describe.each(ANSWER_FORMATS)('%s', (format) => {
    const path = `${paths.site}?format=${format}`;

    test.each([
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ])('is the same answer compressed with %s, with its own tag', async (coding, decode) => {
      const plain = await ask(path);
      const coded = await ask(path, { 'accept-encoding': coding });
      expect(coded.headers).toMatchObject({ 'Content-Encoding': coding, 'Content-Length': String(coded.bytes.length) });
      expect(coded.headers['Content-Type']).toBe(plain.headers['Content-Type']);
      expect(decode(coded.bytes).toString()).toBe(plain.text);
      expect(coded.bytes.length).toBeLessThan(plain.bytes.length / 5);
      expect(coded.headers['ETag']).not.toBe(plain.headers['ETag']);

      const again = { 'accept-encoding': coding, 'if-none-match': coded.headers['ETag'] ?? '' };
      expect(await ask(path, again)).toMatchObject({ status: 304 });
      expect(await ask(path, { 'if-none-match': coded.headers['ETag'] ?? '' })).toMatchObject({ status: 200 });
    });
  });

  test('errors, small answers and answers to clients that accept no coding are not compressed', async () => {
    const coding = { 'accept-encoding': 'gzip, br' };
    const plain = [
      await ask(paths.site),
      await ask(`${paths.site}?RecordCount=1`, coding),
      await ask(`${paths.site}?StartIndex=x`, coding),
    ];
    expect(plain.map(({ headers }) => headers['Content-Encoding'])).toEqual([undefined, undefined, undefined]);
    expect(plain.map(({ headers }) => headers['Vary'])).toEqual([
      ...Array<string>(2).fill('Accept, Accept-Encoding, Origin'),
      undefined,
    ]);
  });
});

describe('members and their order', () => {
  const service = createLoadedService({ ...siteAmountsSubmission, ...allocationsSubmission }, aggregatedSubmission);

  const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '');

  const organizationStart = words(`OrganizationName OrganizationPurview OrganizationWebsite OrganizationPhoneNumber
    OrganizationContactName OrganizationContactEmail OrganizationState WaterSources`);
  const variable = words(`VariableSpecificTypeCV VariableCV AmountUnitCV AggregationStatisticCV AggregationInterval
    AggregationIntervalUnitCV ReportYearStartMonth ReportYearTypeCV MaximumAmountUnitCV VariableSpecificUUID`);
  const method = words(`MethodUUID MethodName MethodDescription MethodNEMILink ApplicableResourceType MethodTypeCV
    DataCoverageValue DataQualityValue DataConfidenceValue`);
  const use = words('BeneficialUseCategoryCV PrimaryUseCategoryCV USGSCategoryNameCV NAICSCodeNameCV Term Name');
  const waterSource =
    words(`WaterSourceName WaterSourceNativeID WaterSourceUUID WaterSourceTypeCV FreshSalineIndicatorCV
    WaterSourceGeometry`);
  const site = words(`SiteName SiteUUID NativeSiteID USGSSiteID SiteTypeCV Longitude Latitude PODorPOUSite
    CoordinateMethodCV CoordinateAccuracy WaterSources SiteGeometry NHDNetworkStatusCV NHDProductCV NHDUpdateDate
    NHDReachCode NHDMeasureNumber StateCV County HUC8 HUC12 RelatedPODSites RelatedPOUSites WaterSourceUUIDs`);
  const reportingUnit = words(`ReportingUnitUUID ReportingUnitNativeID ReportingUnitName ReportingUnitTypeCV
    ReportingUnitUpdateDate ReportingUnitProductVersion StateCV EPSGCodeCV Geometry ReportingUnitGeometry`);
  const siteAmount = words(`SiteUUID SiteTypeCV Longitude Latitude CoordinateMethodCV CoordinateAccuracy
    VariableSpecificTypeCV BeneficialUseCategoryCV WaterSourceUUID WaterSourceTypeCV MethodUUID ReportYear TimeframeStart
    TimeframeEnd Amount AmountUnitCV IrrigationMethodCV IrrigatedAcreage CropTypeCV PopulationServed PowerGeneratedGWh
    AllocationCommunityWaterSupplySystem SDWISIdentifierCV CustomerTypeCV AssociatedNativeAllocationIDs
    DataPublicationDate DataPublicationDOI VariableSpecificUUID VariableCV PrimaryUseCategoryCV`);
  const aggregatedAmount = words(`VariableSpecificTypeCV BeneficialUseCategoryCV WaterSourceUUID MethodUUID
    ReportingUnitUID ReportingUnitName ReportingUnitTypeCV ReportYear TimeframeStart TimeframeEnd AmountUnitCV Amount
    PopulationServed AllocationCommunityWaterSupplySystem CustomerTypeCV SDWISIdentifierCV PowerGeneratedGWh
    IrrigationMethodCV IrrigatedAcreage CropTypeCV DataPublicationDate VariableSpecificUUID VariableCV
    PrimaryUseCategoryCV ReportingUnitUUID`);
  const allocation = words(`AllocationNativeID WaterSourceUUID AllocationOwner AllocationApplicationDate
    AllocationPriorityDate AllocationLegalStatusCodeCV AllocationExpirationDate AllocationChangeApplicationIndicator
    LegacyAllocationIDs AllocationAcreage AllocationBasisCV TimeframeStart TimeframeEnd DataPublicationDate
    AllocationCropDutyAmount AllocationAmount AllocationMaximum PopulationServed GeneratedPowerCapacityMW
    AllocationCommunityWaterSupplySystem AllocationSDWISIdentifier MethodUUID VariableSpecificTypeCV Sites BeneficialUses
    AllocationUUID AllocationFlow_CFS AllocationVolume_AF AllocationTypeCV OwnerClassificationCV PrimaryUseCategoryCV
    ExemptOfVolumeFlowPriority IrrigationMethodCV CropTypeCV CustomerTypeCV WaterAllocationNativeURL DataPublicationDOI
    VariableSpecificUUID VariableCV`);
  const allocationSite =
    words(`SiteUUID NativeSiteID SiteName SiteTypeCV Longitude Latitude CoordinateMethodCV HUC8 HUC12
    County StateCV PODorPOUSite`);

  /**
   * Lists, for each operation, the members next to the records, the lists of an organization, and the members of their
   * items.
   */
  const answers = [
    {
      path: paths.site,
      kind: 'SiteVariableAmounts',
      record: siteAmount,
      last: 'VariableSpecifics Methods BeneficialUses SiteVariableAmounts Sites State OrganizationUUID',
      inRecord: { BeneficialUseCategoryCV: words('BeneficialUseCategoryCV') },
    },
    {
      path: paths.aggregated,
      kind: 'AggregatedAmounts',
      record: aggregatedAmount,
      last: `ReportingUnits VariableSpecifics Methods BeneficialUses AggregatedAmounts State OrganizationDataMappingURL
        OrganizationUUID`,
      inRecord: { BeneficialUseCategoryCV: words('BeneficialUseCategoryCV') },
    },
    {
      path: paths.allocations,
      kind: 'WaterAllocations',
      record: allocation,
      last: 'VariableSpecifics Methods BeneficialUses WaterAllocations Sites State OrganizationUUID',
      inRecord: { Sites: allocationSite },
    },
  ];

  const lookups: Readonly<Record<string, readonly string[]>> = {
    WaterSources: waterSource,
    VariableSpecifics: variable,
    Methods: method,
    BeneficialUses: use,
    Sites: site,
    ReportingUnits: reportingUnit,
  };

  test.each(answers)(
    '$kind has its members in the documented order',
    async ({ path, kind, record, last, inRecord }) => {
      const { json } = await service.get(path);
      expect(Object.keys(json)).toEqual([`Total${kind}Count`, 'Organizations']);
      const [organization] = json.Organizations;
      expect(Object.keys(organization)).toEqual([...organizationStart, ...words(last)]);
      expectEach(organization[kind], record);
      for (const [list, members] of Object.entries(lookups))
        if (list in organization) expectEach(organization[list], members);
      for (const [list, members] of Object.entries(inRecord)) expectEach(organization[kind][0][list], members);
    },
  );

  test('the water sources and relations of a site have their members in the documented order', async () => {
    const { json } = await service.get(paths.site);
    const [{ WaterSources, RelatedPOUSites }] = json.Organizations[0].Sites;
    expectEach(WaterSources, words('WaterSourceUUID WaterSourceTypeCV'));
    expectEach(RelatedPOUSites, words('SiteUUID StartDate EndDate'));
  });

  /** Expects at least one object, and these members of each, in this order. */
  function expectEach(objects: readonly object[], members: readonly string[]): void {
    expect(objects.length).toBeGreaterThan(0);
    for (const object of objects) expect(Object.keys(object)).toEqual(members);
  }
});
