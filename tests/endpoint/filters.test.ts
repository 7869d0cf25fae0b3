// Filters by text and by date match exactly the right records (D7 to D13, D16). Records are identified by their
// amounts.

import { aggregatedAmount, allocation, buildLookups, findRecordNames, paths, siteAmount } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { createLoadedService } from '../fixtures/test-service';

describe('text', () => {
  const service = createLoadedService(
    {
      ...buildLookups({ State: 'UT' }),
      'variables.csv': [
        { VariableSpecificUUID: 'V1', VariableSpecificCV: 'Withdrawal_Public Supply', VariableCV: 'Withdrawal' },
        { VariableSpecificUUID: 'V2', VariableSpecificCV: 'Gage Height, Daily-Mean', VariableCV: 'Gage Height' },
      ],
      'sites.csv': [
        { SiteUUID: 'Ut_S1', SiteTypeCV: 'Stream  Gage', HUC12: '160102020305', County: 'Cache County', StateCV: 'UT' },
        { SiteUUID: 'Ut_S2', SiteTypeCV: 'Reservoir', HUC8: '14060003', County: 'Rich', StateCV: 'Wyoming' },
        { SiteUUID: 'Ut_S3', SiteTypeCV: 'Réservoir', HUC8: '14060003', HUC12: '160102020305', County: 'County Line' },
      ],
      'beneficialuses.csv': [
        { BeneficialUseCategory: 'Snowmaking', USGSCategoryNameCV: 'Commercial' },
        { BeneficialUseCategory: 'Mining', USGSCategoryNameCV: 'Industrial' },
      ],
      'sitespecificamounts.csv': [
        siteAmount({ SiteUUID: 'Ut_S1', Amount: 1, BeneficialUseCategory: 'Irrigation,Domestic' }),
        siteAmount({ SiteUUID: 'Ut_S1', Amount: 2, VariableSpecificUUID: 'V2', PrimaryUseCategory: 'Stockwatering' }),
        siteAmount({ SiteUUID: 'Ut_S2', Amount: 3, BeneficialUseCategory: 'Snowmaking', PrimaryUseCategory: 'Mining' }),
        siteAmount({ SiteUUID: 'Ut_S3', Amount: 4 }),
      ],
    },
    {
      ...buildLookups({ OrganizationUUID: 'ORG_2', State: 'CO' }),
      'sites.csv': [{ SiteUUID: 'Co_S1', StateCV: 'nm' }],
      'sitespecificamounts.csv': [siteAmount({ OrganizationUUID: 'ORG_2', SiteUUID: 'Co_S1', Amount: 5 })],
    },
  );

  test.each<[string, readonly number[]]>([
    ['', [1, 2, 3, 4, 5]],
    ['SiteUUID=Ut_S1', [1, 2]],
    ['SiteUUID=%20uT_s1%20', [1, 2]],
    ['SiteUUID=Ut_S', []],
    ['SiteUUID=Ut_S2&siteuuid=Co_S1', [3, 5]],
    ['SiteTypeCV=Stream+Gage', [1, 2]],
    ['SiteTypeCV=stream%20%20%09GAGE', [1, 2]],
    ['SiteTypeCV=StreamGage', []],
    ['SiteTypeCV=R%C3%89SERVOIR', [4]],
    ['SiteTypeCV=Re%CC%81servoir', [4]],
    ['SiteTypeCV=Reservoir', [3]],
    ['VariableCV=Withdrawal', [1, 3, 4, 5]],
    ['VariableCV=gage_height', [2]],
    ['VariableCV=Gage', []],
    ['VariableSpecificCV=Withdrawal_Public+Supply', [1, 3, 4]],
    ['VariableSpecificCV=withdrawal,%20publicSUPPLY', [1, 3, 4]],
    ['VariableSpecificCV=With-drawal/Public_Supply', [1, 3, 4]],
    ['VariableSpecificCV=GageHeightDailyMean', [2]],
    ['VariableSpecificCV=Withdrawal', [5]],
    ['VariableSpecificCV=Withdrawal.', []],
    ['BeneficialUseCV=irrigation', [1]],
    ['BeneficialUseCV=Domestic', [1]],
    ['BeneficialUseCV=Irrigation,Domestic', []],
    ['BeneficialUseCV=Stockwatering', [2]],
    ['BeneficialUseCV=Mining&BeneficialUseCV=Domestic', [1, 3]],
    ['USGSCategoryNameCV=Irrigation', [1]],
    ['USGSCategoryNameCV=domestic', [1]],
    ['USGSCategoryNameCV=Livestock', [2]],
    ['USGSCategoryNameCV=Commercial', [3]],
    ['USGSCategoryNameCV=Industrial', [3]],
    ['USGSCategoryNameCV=Mining', []],
    ['HUC8=16010202', [1, 2]],
    ['HUC8=14060003', [3, 4]],
    ['HUC12=160102020305', [1, 2, 4]],
    ['HUC12=160102020306', []],
    ['County=Cache', [1, 2]],
    ['County=cache%20COUNTY', [1, 2]],
    ['County=Rich+County', [3]],
    ['County=County+Line', [4]],
    ['County=Line', []],
    ['State=UT', [1, 2, 3, 4]],
    ['State=wy', [3]],
    ['State=CO', [5]],
    ['State=NM', [5]],
    ['State=WY&State=NM', [3, 5]],
    ['State=CA', []],
    ['County=Rich&BeneficialUseCV=Mining', [3]],
    ['County=Rich&BeneficialUseCV=Irrigation', []],
    ['HUC8=14060003&State=WY', [3]],
  ])('SiteVariableAmounts?%s finds the amounts %j', async (query, amounts) => {
    expect(await findRecordNames(service, `${paths.site}?${query}`)).toEqual(amounts);
  });
});

describe('water sources of rights', () => {
  const right = (name: string, cells: Row): Row => allocation({ AllocationNativeID: name, ...cells });
  const service = createLoadedService(
    {
      ...buildLookups({ State: 'UT' }),
      'watersources.csv': ['WS_a', 'WS_b', 'WS_c', 'WS_d'].map((WaterSourceUUID) => ({ WaterSourceUUID })),
      'sites.csv': [
        { SiteUUID: 'S1', WaterSourceUUIDs: 'WS_a' },
        { SiteUUID: 'S2', WaterSourceUUIDs: 'WS_b,WS_c' },
        { SiteUUID: 'S3' },
      ],
      'waterallocations.csv': [
        right('own', { SiteUUID: 'S3', WaterSourceUUID: 'WS_a' }),
        right('site', { SiteUUID: 'S1', WaterSourceUUID: '' }),
        right('both', { SiteUUID: 'S2', WaterSourceUUID: 'WS_a' }),
        right('several', { SiteUUID: 'S3,S1,S2', WaterSourceUUID: '' }),
        right('sourceless', { SiteUUID: 'S3', WaterSourceUUID: '' }),
      ],
    },
    {
      ...buildLookups({ OrganizationUUID: 'ORG_2', State: 'CO' }),
      'watersources.csv': [{ WaterSourceUUID: 'ws_A' }],
      'sites.csv': [{ SiteUUID: 'S1' }],
      'waterallocations.csv': [
        right('other office', { OrganizationUUID: 'ORG_2', SiteUUID: 'S1', WaterSourceUUID: 'ws_A' }),
      ],
    },
  );

  test.each<[string, readonly string[]]>([
    ['WaterSourceUUID=WS_a', ['both', 'other office', 'own', 'several', 'site']],
    ['WaterSourceUUID=%20ws_A', ['both', 'other office', 'own', 'several', 'site']],
    ['WaterSourceUUIDs=WS_a', ['both', 'other office', 'own', 'several', 'site']],
    ['WaterSourceUUID=WS_a&OrganizationUUID=ORG_2', ['other office']],
    ['WaterSourceUUID=WS_b', ['both', 'several']],
    ['WaterSourceUUID=WS_c', ['both', 'several']],
    ['WaterSourceUUID=WS_c&WaterSourceUUID=WS_a', ['both', 'other office', 'own', 'several', 'site']],
    ['WaterSourceUUID=WS_d', []],
    ['WaterSourceUUID=WS', []],
  ])('SiteAllocationAmounts?%s finds the rights %j', async (query, names) => {
    const found = await findRecordNames(service, `${paths.allocations}?${query}`);
    expect([...found].sort()).toEqual(names);
  });

  test.each<[string, readonly string[]]>([
    ["WaterSourceUUIDs = 'WS_a'", ['both', 'own', 'several', 'site']],
    ["WaterSourceUUIDs = 'ws_A'", ['other office']],
    ["WaterSourceUUIDs LIKE 'WS%'", ['both', 'own', 'several', 'site']],
    ["WaterSourceUUIDs LIKE '%_c'", ['both', 'several']],
    ['WaterSourceUUIDs IS NULL', ['sourceless']],
    ['WaterSourceUUIDs IS NOT NULL', ['both', 'other office', 'own', 'several', 'site']],
  ])('a request for items with the filter %s finds the rights %j', async (filter, names) => {
    const query = new URLSearchParams({ filter, f: 'json' });
    const { json } = await service.get(`/ogc/collections/allocations/items?${query.toString()}`);
    const { features } = json as { features: { properties: { AllocationNativeID: string } }[] };
    expect(features.map(({ properties }) => properties.AllocationNativeID).sort()).toEqual(names);
  });
});

describe('dates', () => {
  const timeframes: readonly Row[] = [
    { Amount: 1, TimeframeStart: '2010-01-01', TimeframeEnd: '2010-12-31' },
    { Amount: 2, TimeframeStart: '2011-12-31', TimeframeEnd: '2011-01-01' },
    { Amount: 3, TimeframeStart: '2012-03-04' },
    { Amount: 4, TimeframeEnd: '2012-03-05' },
    { Amount: 5, ReportYearCV: '2013' },
    { Amount: 6, ReportYearCV: '2013-2014' },
    { Amount: 7 },
    { Amount: 8, TimeframeStart: '2014-02-29', TimeframeEnd: '12/31/14' },
  ];

  const service = createLoadedService({
    ...buildLookups(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'sitespecificamounts.csv': timeframes.map(siteAmount),
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'aggregatedamounts.csv': timeframes.map(aggregatedAmount),
    'waterallocations.csv': [
      allocation({ AllocationNativeID: 'A', AllocationPriorityDate: '1902-06-01' }),
      allocation({ AllocationNativeID: 'B', AllocationPriorityDate: '06/02/1902' }),
      allocation({ AllocationNativeID: 'C', AllocationApplicationDate: '1902-06-01' }),
    ],
  });

  describe.each([paths.site, paths.aggregated])('%s', (path) => {
    test.each<[string, readonly number[]]>([
      ['StartDate=2010-01-01&EndDate=2010-12-31', [1]],
      ['StartDate=2010-01-02&EndDate=2010-12-31', []],
      ['StartDate=2010-01-01&EndDate=2010-12-30', []],
      ['StartDate=2011-01-01&EndDate=2011-12-31', [2]],
      ['StartDate=2011-01-02&EndDate=2011-12-31', []],
      ['StartDate=2011-01-01&EndDate=2011-12-30', []],
      ['StartDate=2012-03-04&EndDate=2012-03-04', [3]],
      ['StartDate=2012-03-05&EndDate=2012-03-05', [4]],
      ['StartDate=3/4/2012&EndDate=3/5/2012', [3, 4]],
      ['StartDate=2013-01-01&EndDate=2013-12-31', [5]],
      ['StartDate=2013-01-02', [8]],
      ['EndDate=2013-12-30', [1, 2, 3, 4]],
      ['StartDate=2014-12-31T23:59:59Z&EndDate=2014-12-31', [8]],
      ['StartDate=1000-01-01', [1, 2, 3, 4, 5, 8]],
      ['EndDate=9999-12-31', [1, 2, 3, 4, 5, 8]],
      ['', [1, 2, 3, 4, 5, 6, 7, 8]],
    ])('?%s finds the amounts %j', async (query, amounts) => {
      expect([...(await findRecordNames(service, `${path}?${query}`))].sort()).toEqual(amounts);
    });
  });

  test.each<[string, readonly string[]]>([
    ['', ['A', 'B', 'C']],
    ['StartPriorityDate=1902-06-01', ['A', 'B']],
    ['StartPriorityDate=1902-06-02', ['B']],
    ['EndPriorityDate=1902-06-01', ['A']],
    ['EndPriorityDate=1902-05-31', []],
    ['StartPriorityDate=6/1/1902&EndPriorityDate=6/1/1902', ['A']],
    ['EndPriorityDate=9999-12-31', ['A', 'B']],
  ])('SiteAllocationAmounts?%s finds %j', async (query, identifiers) => {
    expect(await findRecordNames(service, `${paths.allocations}?${query}`)).toEqual(identifiers);
  });
});
