// GET /v1/Inventory, and the links to terms of use (ADR 0038).

import { aggregatedAmount, allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { loadRawFiles } from '../fixtures/raw-submission';
import { createTestService, TEST_NOW } from '../fixtures/test-service';

const service = createTestService();

const PATH = '/v1/Inventory';

const LICENSE = 'https://example.org/licenses/öpen';

const TERMS = 'https://example.org/terms';

beforeAll(async () => {
  const submission = {
    ...buildLookups({ OrganizationUUID: 'UT_1' }),
    'sites.csv': [
      {
        SiteUUID: 'S1',
        SiteTypeCV: 'Well',
        County: 'Cache',
        HUC12: '160102020305',
        StateCV: 'WY',
        PODorPOUSite: 'POD',
      },
      { SiteUUID: 'S2', County: 'Rich' },
      { SiteUUID: 'unused', County: 'Nowhere' },
    ],
    'sitespecificamounts.csv': [
      siteAmount({ TimeframeStart: '2001-02-03', TimeframeEnd: '2001-02-04', DataPublicationDate: '2020-01-01' }),
      siteAmount({ TimeframeStart: '2003-01-01', BeneficialUseCategory: 'Irrigation,Mining' }),
      siteAmount({ SiteUUID: 'S2', Amount: 2, WaterSourceUUID: 'WS1', DataPublicationDate: '2021-05-06' }),
    ].map((row) => ({ ...row, OrganizationUUID: 'UT_1' })),
    'waterallocations.csv': [
      allocation({ OrganizationUUID: 'UT_1', AllocationNativeID: 'A', AllocationPriorityDate: '1902-06-01' }),
    ],
  };
  const metadata = { contact: 'data@example.org', license: LICENSE, termsOfUse: TERMS, citation: 'Office (2026)' };
  await loadRawFiles(service, submission, { 'submission.json': JSON.stringify(metadata) }, { name: 'third quarter' });
  await service.load({
    ...buildLookups({ OrganizationUUID: 'CO_1', OrganizationName: 'Colorado Office', State: 'CO' }),
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', ReportingUnitTypeCV: 'County', ReportingUnitName: 'Mesa' }],
    'aggregatedamounts.csv': [aggregatedAmount({ OrganizationUUID: 'CO_1' })],
  });
});

async function fetchOrganizations(query = ''): Promise<readonly unknown[]> {
  return (await service.get(`${PATH}${query}`)).json.Organizations;
}

test('lists organizations, data sets, counts, periods and operations', async () => {
  const { json, headers } = await service.get(PATH);
  expect(json.DataVersion).toBe((await service.store.currentState()).version);
  expect(headers['Data-Version']).toBe(json.DataVersion);
  expect(json.Organizations).toMatchObject([
    {
      OrganizationUUID: 'CO_1',
      OrganizationName: 'Colorado Office',
      OrganizationState: 'CO',
      State: 'Colorado',
      DataSets: [
        {
          DataSet: 'AggregatedAmounts',
          Path: paths.aggregated,
          Records: 1,
          Sites: null,
          ReportingUnits: 1,
          PlacesPath: '/v1/ReportingUnits?OrganizationUUID=CO_1',
        },
      ],
    },
    {
      OrganizationUUID: 'UT_1',
      DataSets: [
        {
          DataSet: 'SiteVariableAmounts',
          Path: paths.site,
          Records: 3,
          Sites: 2,
          ReportingUnits: null,
          FirstDay: '2001-02-03',
          LastDay: '2003-01-01',
          LastPublicationDate: '2021-05-06',
          PublishedAt: TEST_NOW.toISOString(),
          IsSample: false,
        },
        {
          DataSet: 'WaterAllocations',
          Path: paths.allocations,
          Records: 1,
          FirstDay: '1902-06-01',
          LastPublicationDate: null,
        },
      ],
    },
  ]);
});

test('lists the values of each filter with their record counts, but no identifiers', async () => {
  const { json } = await service.get(`${PATH}?OrganizationUUID=ut_1`);
  const one = (Value: string, Records: number): object => ({ Value, Records });
  expect(json.Organizations[0].DataSets[0].Vocabulary).toEqual({
    SiteTypeCV: [one('Well', 2)],
    VariableCV: [one('Withdrawal', 3)],
    VariableSpecificCV: [one('Withdrawal', 3)],
    BeneficialUseCV: [one('Irrigation', 1), one('Mining', 1)],
    UseCategoryCV: [one('Irrigation', 1), one('Mining', 1)],
    USGSCategoryNameCV: [one('Irrigation', 1), one('Mining', 1)],
    HUC8: [one('16010202', 2)],
    County: [one('Cache', 2), one('Rich', 1)],
    State: [one('UT', 3), one('WY', 2)],
    PODorPOUSite: [one('POD', 2)],
    WaterSourceTypeCV: [one('Surface Water', 1)],
  });
});

test('has the terms and notes of the submission, or null if there are none', async () => {
  const { json } = await service.get(PATH);
  const [colorado, utah] = json.Organizations;
  expect(utah.DataSets[1].Submission).toEqual({
    Name: 'third quarter',
    Contact: 'data@example.org',
    Note: null,
    TermsOfUse: TERMS,
    License: LICENSE,
    Citation: 'Office (2026)',
  });
  expect(colorado.DataSets[0].Submission).toMatchObject({ Contact: null, License: null });
});

test.each<[string, readonly string[]]>([
  ['?State=CO', ['CO_1']],
  ['?State=wy', ['UT_1']],
  ['?State=CO&State=UT', ['CO_1', 'UT_1']],
  ['?State=NM', []],
  ['?OrganizationUUID=co_1', ['CO_1']],
  ['?OrganizationUUID=CO_1&State=UT', []],
])('%s lists %j', async (query, organizations) => {
  expect(await fetchOrganizations(query)).toEqual(
    organizations.map((id) => expect.objectContaining({ OrganizationUUID: id }) as unknown),
  );
});

test('lists each kept previous version exactly once, and none from before the first publish', async () => {
  const { json } = await service.get(PATH);
  expect(json.FormerDataVersions).toHaveLength(1);
  const [{ DataVersion, Since }] = json.FormerDataVersions;
  expect(Since).toBe(TEST_NOW.toISOString());
  const earlierAnswer = await service.get(`${PATH}?DataVersion=${DataVersion}`);
  expect(earlierAnswer.json.Organizations).toMatchObject([{ OrganizationUUID: 'UT_1' }]);
  const changed = await service.get(`${paths.aggregated}?ChangedSince=${DataVersion}`);
  expect(changed.json.TotalAggregatedAmountsCount).toBe(1);
});

const FEED_LINK = '</releases.atom>; rel="alternate"; type="application/atom+xml"; title="What was published"';

const termsLinks = `<https://example.org/licenses/%C3%B6pen>; rel="license", <${TERMS}>; rel="terms-of-service"`;

test('an answer links to each of the terms of its data exactly once, after the paging links', async () => {
  const { headers } = await service.get(`${paths.site}?RecordCount=1`);
  expect(headers['Link']).toMatch(/rel="next".*rel="last"/);
  expect(headers['Link']?.endsWith(`, ${termsLinks}`)).toBe(true);
  expect((await service.get(PATH)).headers['Link']).toBe(`${FEED_LINK}, ${termsLinks}`);
});

test('answers over data without terms have no links to terms', async () => {
  expect((await service.get(paths.aggregated)).headers['Link']).not.toContain('license');
  expect((await service.get(`${PATH}?State=CO`)).headers['Link']).toBe(FEED_LINK);
});
