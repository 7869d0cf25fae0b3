// Values that were not submitted are null, and lists without items are empty (D21): answers from the barest rows.

import { aggregatedAmount, allocation, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  await service.load({
    ...lookupsOf(),
    'sites.csv': [{ SiteUUID: 'S1' }],
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
    'sitespecificamounts.csv': [siteAmount({ Amount: 0 })],
    'aggregatedamounts.csv': [aggregatedAmount({ Amount: -1.5 })],
    'waterallocations.csv': [allocation({ AllocationUUID: 'A1', AllocationOwner: 'WaDE Unspecified' })],
  });
});

afterAll(() => service.close());

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
  expect([ReportingUnits, VariableSpecifics, Methods, AggregatedAmounts].map((list) => list?.length)).toEqual([
    1, 1, 1, 1,
  ]);
});

const reference = {
  VariableSpecificTypeCV: 'Withdrawal',
  VariableCV: 'Withdrawal',
  VariableSpecificUUID: 'V1',
  MethodUUID: 'M1',
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

test('an aggregated amount of an unknown use, source and time', async () => {
  const { AggregatedAmounts: [amount = {}] = [], ReportingUnits: [unit = {}] = [] } = await onlyOrganization(
    paths.aggregated,
  );
  expect(known(amount)).toEqual({ ...reference, ReportingUnitUID: 'RU1', ReportingUnitUUID: 'RU1', Amount: -1.5 });
  expect(amount['DataPublicationDate']).toBeNull();
  expect(known(unit)).toEqual({ ReportingUnitUUID: 'RU1' });
});

test('an allocation without sites, of which a filler text names the owner', async () => {
  const { WaterAllocations: [right = {}] = [], Sites } = await onlyOrganization(paths.allocations);
  expect(known(right)).toEqual({ ...reference, AllocationUUID: 'A1' });
  expect(right['Sites']).toEqual([]);
  expect(right['BeneficialUses']).toEqual([]);
  expect(right['ExemptOfVolumeFlowPriority']).toBeNull();
  expect(Sites).toEqual([]);
});
