// The values of an answer (D21, D25 to D28): their types, and what stands for one that was not submitted.

import { aggregatedAmount, allocation, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { loadedService } from '../fixtures/test-service';

describe('the type of each value', () => {
  const AREA = 'POLYGON ((-112.50 41, -111 41, -111 42, -112.50 41))';

  const service = loadedService({
    ...lookupsOf({ OrganizationDataMappingURL: 'https://example.org/map' }),
    'variables.csv': [
      {
        ...{ VariableSpecificUUID: 'V1', VariableSpecificCV: 'Withdrawal_Mining', VariableCV: 'Withdrawal' },
        ...{ AggregationInterval: '1.0', ReportYearStartMonth: '10/1', AmountUnitCV: 'AF' },
      },
    ],
    'watersources.csv': [
      { WaterSourceUUID: 'WS1', WaterSourceTypeCV: 'Groundwater', WaterQualityIndicatorCV: 'Fresh', Geometry: AREA },
    ],
    'sites.csv': [
      {
        ...{ SiteUUID: 'S1', SiteNativeID: '007', Longitude: '-111.50', Latitude: '040.5000' },
        ...{ Geometry: 'POINT (-111.50 40.5)', NHDUpdateDate: '2/3/2020', HUC12: '60102020305', County: 'Cache' },
        WaterSourceUUIDs: 'WS1',
      },
    ],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1', ReportingUnitUpdateDate: '2020-02-03 10:11', Geometry: AREA }],
    'sitespecificamounts.csv': [
      siteAmount({
        ...{ WaterSourceUUID: 'WS1', Amount: '-0.10', ReportYearCV: '2015.0', TimeframeStart: '1/1/2015' },
        ...{ TimeframeEnd: '2015-12-31 00:00:00', PopulationServed: '1200', IrrigatedAcreage: '1.5E2' },
        ...{ PowerGeneratedGWh: '.25', SDWISIdentifier: '00123', DataPublicationDate: '5/6/24' },
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
        ...{ AllocationNativeID: '0042', SiteUUID: 'S1', AllocationPriorityDate: '6/1/1902' },
        ...{ AllocationApplicationDate: '1901-01-02', AllocationExpirationDate: '12/31/2030' },
        ...{ AllocationTimeframeStart: '04/15', AllocationTimeframeEnd: '10/31', AllocationFlow_CFS: '1.50' },
        ...{ AllocationVolume_AF: '300', IrrigatedAcreage: '12', ExemptOfVolumeFlowPriority: 'No' },
        ...{ DataPublicationDate: '2024-05-06', CommunityWaterSupplySystem: 'General' },
        AllocationSDWISIdentifierCV: '0099',
      }),
    ],
  });

  test('a site amount and its site', async () => {
    const { json } = await service.get(paths.site);
    const [organization] = json.Organizations;
    expect(organization.SiteVariableAmounts).toEqual([
      expect.objectContaining({
        ...{ Longitude: '-111.50', Latitude: '040.5000', VariableSpecificTypeCV: 'Withdrawal_Mining' },
        ...{ WaterSourceTypeCV: 'Groundwater', Amount: -0.1, AmountUnitCV: 'AF', ReportYear: '2015' },
        ...{ TimeframeStart: '2015-01-01', TimeframeEnd: '2015-12-31', PopulationServed: 1200, IrrigatedAcreage: 150 },
        ...{ PowerGeneratedGWh: 0.25, SDWISIdentifierCV: '00123', DataPublicationDate: '2024-05-06T00:00:00' },
      }),
    ]);
    expect(organization.Sites).toEqual([
      expect.objectContaining({
        ...{ NativeSiteID: '007', Longitude: '-111.50', SiteGeometry: 'POINT (-111.50 40.5)', HUC8: '06010202' },
        ...{ HUC12: '060102020305', WaterSources: [{ WaterSourceUUID: 'WS1', WaterSourceTypeCV: 'Groundwater' }] },
        WaterSourceUUIDs: ['WS1'],
      }),
    ]);
    expect(organization.VariableSpecifics[0]).toMatchObject({ AggregationInterval: '1', ReportYearStartMonth: '10/1' });
    expect(organization.WaterSources[0]).toMatchObject({ FreshSalineIndicatorCV: 'Fresh', WaterSourceGeometry: AREA });
  });

  test('the NHD update date is a timestamp, as the field table of service.md says', async () => {
    const { json } = await service.get(paths.site);
    expect(json.Organizations[0].Sites[0].NHDUpdateDate).toBe('2020-02-03T00:00:00');
  });

  test('an aggregated amount and its reporting unit', async () => {
    const { json } = await service.get(paths.aggregated);
    const [organization] = json.Organizations;
    expect(organization.OrganizationDataMappingURL).toBe('https://example.org/map');
    expect(organization.AggregatedAmounts).toEqual([
      expect.objectContaining({
        ...{ Amount: 123456789.125, ReportYear: null, TimeframeStart: '2014-10-01T00:00:00' },
        ...{ TimeframeEnd: '2015-09-30T00:00:00', DataPublicationDate: '2024-05-06T00:00:00' },
      }),
    ]);
    expect(organization.ReportingUnits).toEqual([
      expect.objectContaining({ ReportingUnitUpdateDate: '2020-02-03', Geometry: AREA, ReportingUnitGeometry: AREA }),
    ]);
  });

  test('an allocation and its site', async () => {
    const { json } = await service.get(paths.allocations);
    expect(json.Organizations[0].WaterAllocations).toEqual([
      expect.objectContaining({
        ...{ AllocationNativeID: '0042', AllocationPriorityDate: '1902-06-01' },
        ...{ AllocationApplicationDate: '1901-01-02', AllocationExpirationDate: '2030-12-31', TimeframeStart: '04/15' },
        ...{ TimeframeEnd: '10/31', AllocationAmount: 1.5, AllocationMaximum: 300, AllocationFlow_CFS: 1.5 },
        ...{ AllocationVolume_AF: 300, AllocationAcreage: 12, ExemptOfVolumeFlowPriority: false },
        ...{ DataPublicationDate: '2024-05-06T00:00:00', AllocationCommunityWaterSupplySystem: 'General' },
        AllocationSDWISIdentifier: '0099',
      }),
    ]);
    expect(json.Organizations[0].WaterAllocations[0].Sites).toEqual([
      expect.objectContaining({ SiteUUID: 'S1', NativeSiteID: '007', Longitude: '-111.50', HUC8: '06010202' }),
    ]);
  });
});

describe('values that were not submitted', () => {
  const service = loadedService({
    ...lookupsOf(),
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

  test('an organization with only three cells filled', async () => {
    const organization = await onlyOrganization(paths.aggregated);
    const { ReportingUnits, VariableSpecifics, Methods, AggregatedAmounts, ...rest } = organization;
    expect(rest).toEqual({
      ...{ OrganizationName: 'Office', OrganizationPurview: null, OrganizationWebsite: null },
      ...{ OrganizationPhoneNumber: null, OrganizationContactName: null, OrganizationContactEmail: null },
      ...{ OrganizationState: 'UT', WaterSources: [], BeneficialUses: [], State: 'Utah' },
      ...{ OrganizationDataMappingURL: null, OrganizationUUID: 'ORG_1' },
    });
    expect([ReportingUnits, VariableSpecifics, Methods, AggregatedAmounts].map((list) => list?.length)).toEqual([
      ...[1, 1, 1, 1],
    ]);
  });

  const reference = {
    ...{ VariableSpecificTypeCV: 'Withdrawal', VariableCV: 'Withdrawal', VariableSpecificUUID: 'V1', MethodUUID: 'M1' },
  };

  test('an amount of an unknown use, source and time at a site of which only the identifier is known', async () => {
    const { SiteVariableAmounts: [amount = {}] = [], Sites: [site = {}] = [] } = await onlyOrganization(paths.site);
    expect(known(amount)).toEqual({ ...reference, SiteUUID: 'S1', Amount: 0 });
    expect(amount['BeneficialUseCategoryCV']).toEqual([]);
    expect(amount['TimeframeStart']).toBeNull();
    expect(known(site)).toEqual({ SiteUUID: 'S1' });
    for (const list of ['WaterSources', 'RelatedPODSites', 'RelatedPOUSites', 'WaterSourceUUIDs']) {
      expect(site[list]).toEqual([]);
    }
  });

  test('an allocation without sites, of which a filler text names the owner', async () => {
    const { WaterAllocations: [right = {}] = [], Sites } = await onlyOrganization(paths.allocations);
    expect(known(right)).toEqual({ ...reference, AllocationUUID: 'A1' });
    expect(right['Sites']).toEqual([]);
    expect(right['BeneficialUses']).toEqual([]);
    expect(right['ExemptOfVolumeFlowPriority']).toBeNull();
    expect(Sites).toEqual([]);
  });
});
