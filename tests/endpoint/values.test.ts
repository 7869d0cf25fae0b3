// The values of an answer (D21, D25 to D28): their types, and the values for missing cells. Also what a record refers
// to: uses with their categories (D25, D13), the water source and the sites of an allocation (D27), and related sites
// (D29). tests/property/search-laws.test.ts checks which lookups a page lists.

import { aggregatedAmount, allocation, buildLookups, listRecords, paths, siteAmount } from '../fixtures/handmade';
import { createLoadedService, createTestService } from '../fixtures/test-service';

describe('each value has its documented type', () => {
  const AREA = 'POLYGON ((-112.50 41, -111 41, -111 42, -112.50 41))';

  const service = createLoadedService({
    ...buildLookups({ OrganizationDataMappingURL: 'https://example.org/map' }),
    'variables.csv': [
      {
        VariableSpecificUUID: 'V1',
        VariableSpecificCV: 'Withdrawal_Mining',
        VariableCV: 'Withdrawal',
        AggregationInterval: '1.0',
        ReportYearStartMonth: '10/1',
        AmountUnitCV: 'AF',
      },
    ],
    'watersources.csv': [
      { WaterSourceUUID: 'WS1', WaterSourceTypeCV: 'Groundwater', WaterQualityIndicatorCV: 'Fresh', Geometry: AREA },
    ],
    'sites.csv': [
      {
        SiteUUID: 'S1',
        SiteNativeID: '007',
        Longitude: '-111.50',
        Latitude: '040.5000',
        Geometry: 'POINT (-111.50 40.5)',
        NHDUpdateDate: '2/3/2020',
        HUC12: '60102020305',
        County: 'Cache',
        WaterSourceUUIDs: 'WS1',
      },
    ],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', ReportingUnitUpdateDate: '2020-02-03 10:11', Geometry: AREA }],
    'sitespecificamounts.csv': [
      siteAmount({
        WaterSourceUUID: 'WS1',
        Amount: '-0.10',
        ReportYearCV: '2015.0',
        TimeframeStart: '1/1/2015',
        TimeframeEnd: '2015-12-31 00:00:00',
        PopulationServed: '1200',
        IrrigatedAcreage: '1.5E2',
        PowerGeneratedGWh: '.25',
        SDWISIdentifier: '00123',
        DataPublicationDate: '5/6/24',
      }),
    ],
    'aggregatedamounts.csv': [
      aggregatedAmount({
        Amount: '123456789.125',
        TimeframeStart: '10/01/2014',
        TimeframeEnd: '09/30/2015',
        DataPublicationDate: '2024-05-06T07:08:09Z',
      }),
    ],
    'waterallocations.csv': [
      allocation({
        AllocationNativeID: '0042',
        SiteUUID: 'S1',
        AllocationPriorityDate: '6/1/1902',
        AllocationApplicationDate: '1901-01-02',
        AllocationExpirationDate: '12/31/2030',
        AllocationTimeframeStart: '04/15',
        AllocationTimeframeEnd: '10/31',
        AllocationFlow_CFS: '1.50',
        AllocationVolume_AF: '300',
        IrrigatedAcreage: '12',
        ExemptOfVolumeFlowPriority: 'No',
        DataPublicationDate: '2024-05-06',
        CommunityWaterSupplySystem: 'General',
        AllocationSDWISIdentifierCV: '0099',
      }),
    ],
  });

  test('in a site amount and its site', async () => {
    const { json } = await service.get(paths.site);
    const [organization] = json.Organizations;
    expect(organization.SiteVariableAmounts).toEqual([
      expect.objectContaining({
        Longitude: '-111.50',
        Latitude: '040.5000',
        VariableSpecificTypeCV: 'Withdrawal_Mining',
        WaterSourceTypeCV: 'Groundwater',
        Amount: -0.1,
        AmountUnitCV: 'AF',
        ReportYear: '2015',
        TimeframeStart: '2015-01-01',
        TimeframeEnd: '2015-12-31',
        PopulationServed: 1200,
        IrrigatedAcreage: 150,
        PowerGeneratedGWh: 0.25,
        SDWISIdentifierCV: '00123',
        DataPublicationDate: '2024-05-06T00:00:00',
      }),
    ]);
    expect(organization.Sites).toEqual([
      expect.objectContaining({
        NativeSiteID: '007',
        Longitude: '-111.50',
        SiteGeometry: 'POINT (-111.50 40.5)',
        HUC8: '06010202',
        HUC12: '060102020305',
        WaterSources: [{ WaterSourceUUID: 'WS1', WaterSourceTypeCV: 'Groundwater' }],
        WaterSourceUUIDs: ['WS1'],
        NHDUpdateDate: '2020-02-03T00:00:00',
      }),
    ]);
    expect(organization.VariableSpecifics[0]).toMatchObject({ AggregationInterval: '1', ReportYearStartMonth: '10/1' });
    expect(organization.WaterSources[0]).toMatchObject({ FreshSalineIndicatorCV: 'Fresh', WaterSourceGeometry: AREA });
  });

  test('in an aggregated amount and its reporting unit', async () => {
    const { json } = await service.get(paths.aggregated);
    const [organization] = json.Organizations;
    expect(organization.OrganizationDataMappingURL).toBe('https://example.org/map');
    expect(organization.AggregatedAmounts).toEqual([
      expect.objectContaining({
        Amount: 123456789.125,
        ReportYear: null,
        TimeframeStart: '2014-10-01T00:00:00',
        TimeframeEnd: '2015-09-30T00:00:00',
        DataPublicationDate: '2024-05-06T00:00:00',
      }),
    ]);
    expect(organization.ReportingUnits).toEqual([
      expect.objectContaining({ ReportingUnitUpdateDate: '2020-02-03', Geometry: AREA, ReportingUnitGeometry: AREA }),
    ]);
  });

  test('in an allocation and its site', async () => {
    const { json } = await service.get(paths.allocations);
    expect(json.Organizations[0].WaterAllocations).toEqual([
      expect.objectContaining({
        AllocationNativeID: '0042',
        AllocationPriorityDate: '1902-06-01',
        AllocationApplicationDate: '1901-01-02',
        AllocationExpirationDate: '2030-12-31',
        TimeframeStart: '04/15',
        TimeframeEnd: '10/31',
        AllocationAmount: 1.5,
        AllocationMaximum: 300,
        AllocationFlow_CFS: 1.5,
        AllocationVolume_AF: 300,
        AllocationAcreage: 12,
        ExemptOfVolumeFlowPriority: false,
        DataPublicationDate: '2024-05-06T00:00:00',
        AllocationCommunityWaterSupplySystem: 'General',
        AllocationSDWISIdentifier: '0099',
      }),
    ]);
    expect(json.Organizations[0].WaterAllocations[0].Sites).toEqual([
      expect.objectContaining({ SiteUUID: 'S1', NativeSiteID: '007', Longitude: '-111.50', HUC8: '06010202' }),
    ]);
  });
});

describe('missing values are null or empty lists', () => {
  const service = createLoadedService({
    ...buildLookups(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'sitespecificamounts.csv': [siteAmount({ Amount: 0 })],
    'aggregatedamounts.csv': [aggregatedAmount({ Amount: -1.5 })],
    'waterallocations.csv': [allocation({ AllocationUUID: 'A1', AllocationOwner: 'WaDE Unspecified' })],
  });

  /** The members of an object that are neither null nor an empty list. */
  function known(object: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
    return Object.fromEntries(Object.entries(object).filter(([, value]) => !isEmpty(value)));
  }

  async function onlyOrganization(path: string): Promise<Record<string, readonly Record<string, unknown>[]>> {
    const { json } = await service.get(path);
    expect(json.Organizations).toHaveLength(1);
    return json.Organizations[0];
  }

  test('in an organization with values in only three cells', async () => {
    const organization = await onlyOrganization(paths.aggregated);
    const { ReportingUnits, VariableSpecifics, Methods, AggregatedAmounts, ...rest } = organization;
    expect(rest).toEqual({
      OrganizationName: 'Office',
      OrganizationPurview: null,
      OrganizationWebsite: null,
      OrganizationPhoneNumber: null,
      OrganizationContactName: null,
      OrganizationContactEmail: null,
      OrganizationState: 'UT',
      WaterSources: [],
      BeneficialUses: [],
      State: 'Utah',
      OrganizationDataMappingURL: null,
      OrganizationUUID: 'ORG_1',
    });
    for (const list of [ReportingUnits, VariableSpecifics, Methods, AggregatedAmounts]) expect(list).toHaveLength(1);
  });

  const reference = {
    VariableSpecificTypeCV: 'Withdrawal',
    VariableCV: 'Withdrawal',
    VariableSpecificUUID: 'V1',
    MethodUUID: 'M1',
  };

  test('in an amount without use, source and time at a site with only an identifier', async () => {
    const { SiteVariableAmounts: [amount = {}] = [], Sites: [site = {}] = [] } = await onlyOrganization(paths.site);
    expect(known(amount)).toEqual({ ...reference, SiteUUID: 'S1', Amount: 0 });
    expect(amount['BeneficialUseCategoryCV']).toEqual([]);
    expect(amount['TimeframeStart']).toBeNull();
    expect(known(site)).toEqual({ SiteUUID: 'S1' });
    for (const list of ['WaterSources', 'RelatedPODSites', 'RelatedPOUSites', 'WaterSourceUUIDs']) {
      expect(site[list]).toEqual([]);
    }
  });

  test('in an allocation without sites, with a filler text as its owner', async () => {
    const { WaterAllocations: [right = {}] = [], Sites } = await onlyOrganization(paths.allocations);
    expect(known(right)).toEqual({ ...reference, AllocationUUID: 'A1' });
    expect(right['Sites']).toEqual([]);
    expect(right['BeneficialUses']).toEqual([]);
    expect(right['ExemptOfVolumeFlowPriority']).toBeNull();
    expect(Sites).toEqual([]);
  });
});

describe('uses, water sources and sites', () => {
  const service = createLoadedService({
    ...buildLookups(),
    'beneficialuses.csv': [
      { BeneficialUseCategory: 'irrigation', PrimaryUseCategory: 'Farming', NAICSCodeNameCV: 'Own' },
      { BeneficialUseCategory: 'Unused' },
    ],
    'watersources.csv': ['WS1', 'WS2', 'WS3'].map((WaterSourceUUID) => ({ WaterSourceUUID })),
    'sites.csv': [
      { SiteUUID: 'S1' },
      { SiteUUID: 'S2', WaterSourceUUIDs: 'WS9,WS3,WS2,WS8' },
      { SiteUUID: 'S3', WaterSourceUUIDs: 'WS1' },
    ],
    'sitespecificamounts.csv': [siteAmount({ WaterSourceUUID: 'WS9' })],
    'waterallocations.csv': [
      allocation({
        AllocationNativeID: '1',
        SiteUUID: 'S2,S3',
        WaterSourceUUID: 'WS2',
        BeneficialUseCategory: 'Bathing',
      }),
      allocation({
        AllocationNativeID: '2',
        SiteUUID: 'S1, S9 ,S2,S3,S1,unknown',
        BeneficialUseCategory: 'Stockwatering,Irrigation',
      }),
      allocation({ AllocationNativeID: '3', SiteUUID: 'S3,S2,S1', PrimaryUseCategory: 'Municipal' }),
      allocation({ AllocationNativeID: '4', SiteUUID: 'S1' }),
      allocation({ AllocationNativeID: '5' }),
      allocation({ AllocationNativeID: '7', SiteUUID: 'S9', WaterSourceUUID: 'WS1' }),
      allocation({ AllocationNativeID: '6', SiteUUID: 'S2', WaterSourceUUID: 'WS-unknown' }),
    ],
  });

  test('takes the water source of the row, otherwise the first source of its first site that has one', async () => {
    const rights = listRecords(await service.get(paths.allocations), 'WaterAllocations');
    expect(rights.map((right) => right['WaterSourceUUID'])).toEqual(['WS2', 'WS3', 'WS1', null, null, 'WS3', 'WS1']);
  });

  test('an unknown water source is null in an amount and is left out of the list of a site', async () => {
    const [amount] = listRecords(await service.get(paths.site), 'SiteVariableAmounts');
    expect(amount).toMatchObject({ WaterSourceUUID: null, WaterSourceTypeCV: null });
    const { json } = await service.get(paths.allocations);
    const { WaterSources, WaterSourceUUIDs } = json.Organizations[0].Sites[1];
    expect(WaterSourceUUIDs).toEqual(['WS3', 'WS2']);
    expect(WaterSources).toEqual(
      WaterSourceUUIDs.map((WaterSourceUUID: string) => ({ WaterSourceUUID, WaterSourceTypeCV: null })),
    );
  });

  test('lists known sites in row order within the allocation, and by identifier within the organization', async () => {
    const { json } = await service.get(paths.allocations);
    const [organization] = json.Organizations;
    const sites = organization.WaterAllocations.map((right: { Sites: readonly { SiteUUID: string }[] }) =>
      right.Sites.map(({ SiteUUID }) => SiteUUID).join(','),
    );
    expect(sites).toEqual(['S2,S3', 'S1,S2,S3', 'S3,S2,S1', 'S1', '', 'S2', '']);
    expect(organization.Sites.map(({ SiteUUID }: { SiteUUID: string }) => SiteUUID)).toEqual(['S1', 'S2', 'S3']);
  });

  test('takes the categories of a use from beneficialuses.csv, otherwise from the table of the service', async () => {
    const { json } = await service.get(paths.allocations);
    const named = (BeneficialUseCategoryCV: string): Record<string, string> => ({
      BeneficialUseCategoryCV,
      Term: BeneficialUseCategoryCV,
      Name: BeneficialUseCategoryCV,
    });
    const unknown = { PrimaryUseCategoryCV: null, USGSCategoryNameCV: null, NAICSCodeNameCV: null };
    expect(json.Organizations[0].BeneficialUses).toEqual([
      { ...named('Bathing'), ...unknown },
      { ...named('Irrigation'), ...unknown, PrimaryUseCategoryCV: 'Farming', NAICSCodeNameCV: 'Own' },
      expect.objectContaining({ ...named('Municipal'), USGSCategoryNameCV: 'Public Supply' }),
      expect.objectContaining({ ...named('Stockwatering'), USGSCategoryNameCV: 'Livestock' }),
    ]);
  });
});

describe('RelatedPODSites and RelatedPOUSites', () => {
  const service = createTestService();

  const relation = (PODSiteUUID: string, POUSiteUUID: string, StartDate = '', EndDate = '') => ({
    PODSiteUUID,
    POUSiteUUID,
    StartDate,
    EndDate,
  });

  beforeAll(async () => {
    const sites = [
      { SiteUUID: 'A', PODorPOUSite: 'POU' },
      { SiteUUID: 'B', PODorPOUSite: 'POD' },
      { SiteUUID: 'C' },
      { SiteUUID: 'D', PODorPOUSite: 'POD' },
    ];
    await service.load({
      ...buildLookups(),
      'sites.csv': sites,
      'podsitetopousiterelationships.csv': [
        relation('C', 'A', '2002-01-01'),
        relation('B', 'A', '2001-01-01', '2001-12-31'),
        relation('B', 'A', '1/1/2000', '12/31/2000'),
        relation('B', 'A', '', '1999-12-31'),
        relation('A', 'C'),
      ],
      'sitespecificamounts.csv': sites.map(({ SiteUUID }) => siteAmount({ SiteUUID })),
      'waterallocations.csv': [allocation({ AllocationNativeID: '1', SiteUUID: 'A' })],
    });
  });

  async function relatedSites(path: string): Promise<readonly unknown[]> {
    const { json } = await service.get(path);
    return json.Organizations[0].Sites.map(
      ({ SiteUUID, RelatedPODSites, RelatedPOUSites }: Record<string, unknown>) => [
        SiteUUID,
        RelatedPODSites,
        RelatedPOUSites,
      ],
    );
  }

  const podsOfA = [
    { SiteUUID: 'B', StartDate: null, EndDate: '1999-12-31' },
    { SiteUUID: 'B', StartDate: '2000-01-01', EndDate: '2000-12-31' },
    { SiteUUID: 'B', StartDate: '2001-01-01', EndDate: '2001-12-31' },
    { SiteUUID: 'C', StartDate: '2002-01-01', EndDate: null },
  ];

  const always = { StartDate: null, EndDate: null };

  test('are sorted by site, then start, and follow the columns of the relation, not PODorPOUSite', async () => {
    expect(await relatedSites(paths.site)).toEqual([
      ['A', podsOfA, [{ SiteUUID: 'C', ...always }]],
      ['B', [], podsOfA.slice(0, 3).map((pod) => ({ ...pod, SiteUUID: 'A' }))],
      ['C', [{ SiteUUID: 'A', ...always }], [{ SiteUUID: 'A', StartDate: '2002-01-01', EndDate: null }]],
      ['D', [], []],
    ]);
  });

  test('are also on the sites of allocations', async () => {
    expect(await relatedSites(paths.allocations)).toEqual([['A', podsOfA, [{ SiteUUID: 'C', ...always }]]]);
  });
});
