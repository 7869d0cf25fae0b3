// The header Query-Hint of a query that finds nothing (ADR 0038).

import { aggregatedAmount, allocation, buildLookups, paths, siteAmount } from '../fixtures/handmade';
import { createLoadedService } from '../fixtures/test-service';

const hinting = createLoadedService({
  ...buildLookups({ OrganizationUUID: 'UT_Water' }),
  'variables.csv': [
    { VariableSpecificUUID: 'V1', VariableSpecificCV: 'Aggregated Withdrawal, Irrigation', VariableCV: 'Withdrawal' },
  ],
  'sites.csv': [
    { SiteUUID: 'S1', SiteTypeCV: 'Réservoir "A"', County: 'Cache County', HUC8: '16010202' },
    { SiteUUID: 'S2', SiteTypeCV: 'Stream Gage', County: 'Rich', Longitude: -111, Latitude: 40 },
    { SiteUUID: 'S3' },
  ],
  'sitespecificamounts.csv': [
    siteAmount({ OrganizationUUID: 'UT_Water', BeneficialUseCategory: 'Irrigation,Mining' }),
    siteAmount({ OrganizationUUID: 'UT_Water', SiteUUID: 'S2', BeneficialUseCategory: 'Public Supply, 100%' }),
  ],
  'reportingunits.csv': [{ ReportingUnitUUID: 'RU1' }],
  'aggregatedamounts.csv': [aggregatedAmount({ OrganizationUUID: 'UT_Water' })],
  'waterallocations.csv': [
    allocation({ OrganizationUUID: 'UT_Water', AllocationNativeID: '0042', AllocationLegalStatusCV: 'Active' }),
  ],
});

async function hintOf(path: string): Promise<string | undefined> {
  const { status, headers } = await hinting.get(path);
  expect(status).toBe(200);
  return headers['Query-Hint'];
}

test.each<[string, string]>([
  ['BeneficialUseCV=Irigation', 'BeneficialUseCV "Irigation" is not in the data (nearest: "Irrigation")'],
  ['BeneficialUseCV=irrigaiton', 'BeneficialUseCV "irrigaiton" is not in the data (nearest: "Irrigation")'],
  ['beneficialusecv=Minnig&State=UT', 'BeneficialUseCV "Minnig" is not in the data (nearest: "Mining")'],
  ['BeneficialUseCV=Snowmaking', 'BeneficialUseCV "Snowmaking" is not in the data'],
  ['County=Cach', 'County "Cach" is not in the data (nearest: "Cache County")'],
  ['HUC8=16010203', 'HUC8 "16010203" is not in the data (nearest: "16010202")'],
  ['SiteUUID=S9', 'SiteUUID "S9" is not in the data'],
  ['State=CO', 'State "CO" is not in the data'],
  ['OrganizationUUID=UT_Watr', 'OrganizationUUID "UT_Watr" is not in the data (nearest: "UT_Water")'],
  [
    'SearchBoundary=county:UT/Cach',
    'SearchBoundary "county:UT/Cach" is not in the data (nearest: "UT/Cache County", "UT/Rich")',
  ],
  ['SearchBoundary=site:S9', 'SearchBoundary "site:S9" is not in the data, or has no geometry'],
  ['SearchGeometry=site:S1', 'SearchBoundary "site:S1" is not in the data, or has no geometry'],
  [
    'SiteTypeCV=R%C3%A9servoir+A',
    'SiteTypeCV "R%C3%A9servoir A" is not in the data (nearest: "R%C3%A9servoir %22A%22")',
  ],
  [
    'County=Reich&BeneficialUseCV=Minin&SiteUUID=S1',
    'BeneficialUseCV "Minin" is not in the data (nearest: "Mining"); County "Reich" is not in the data (nearest: "Rich")',
  ],
])('SiteVariableAmounts?%s gets the hint %s', async (query, hint) => {
  expect(await hintOf(`${paths.site}?${query}`)).toBe(hint);
});

test.each([
  [
    `${paths.aggregated}?VariableSpecificCV=AggregatedWithdrawl_Irrigation`,
    /nearest: "Aggregated Withdrawal, Irrigation"/,
  ],
  [`${paths.aggregated}?SearchBoundary=huc8:99999999`, /"huc8:99999999" is not in the data$/],
  [`${paths.allocations}?AllocationNativeID=42`, /^AllocationNativeID "42" is not in the data$/],
  [`${paths.allocations}?AllocationLegalStatusCV=Actve`, /nearest: "Active"/],
])('%s gets the hint %s', async (path, hint) => {
  expect(await hintOf(path)).toMatch(hint);
});

test.each([
  'BeneficialUseCV=Irrigation',
  'BeneficialUseCV=Irrigation&SiteTypeCV=Stream+Gage',
  'BeneficialUseCV=Irigation&BeneficialUseCV=Mining&SiteTypeCV=Stream+Gage',
  'StartDate=2100-01-01',
  'SearchBoundary=POINT(1+1)',
  'StartIndex=100&BeneficialUseCV=Mining',
])('%s gets no hint, because its values are in the data', async (query) => {
  expect(await hintOf(`${paths.site}?${query}`)).toBeUndefined();
});

test('a hint has at most 1,000 ASCII characters, and never a key', async () => {
  const long = (name: string): string => `${name}=${'%C3%A9'.repeat(80)}`;
  const names = ['SiteUUID', 'SiteTypeCV', 'VariableCV', 'BeneficialUseCV', 'County', 'WaterSourceTypeCV'];
  const hint = (await hintOf(`${paths.site}?${names.map(long).join('&')}`)) ?? '';
  expect(hint).toMatch(/^[ -~]{100,1000}$/);
  expect(await hintOf(`${paths.site}?County=${hinting.key}`)).toBe('County "[key]" is not in the data');
});
