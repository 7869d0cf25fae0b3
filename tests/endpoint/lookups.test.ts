// Lookup lists hold exactly what a page's records refer to, each once and in order (D24), with categories (D25, D13).

import { aggregatedAmount, allocation, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import type { Row } from '../fixtures/submission';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

const ids = (name: string, list: readonly string[]): readonly Row[] => list.map((id) => ({ [name]: id }));

const shared = {
  ...lookupsOf(),
  'variables.csv': ['V1', 'V2', 'V3', 'Unused'].map((VariableSpecificUUID) => ({
    VariableSpecificUUID,
    VariableSpecificCV: `Withdrawal ${VariableSpecificUUID}`,
    VariableCV: 'Withdrawal',
  })),
  'methods.csv': ids('MethodUUID', ['m', 'M2', 'M1', 'Unused']),
  'watersources.csv': ids('WaterSourceUUID', ['W3', 'W2', 'W1', 'Unused']),
  'sites.csv': [
    { SiteUUID: 'S2', WaterSourceUUIDs: 'W3,W2' },
    { SiteUUID: 'S1', WaterSourceUUIDs: 'W2' },
    { SiteUUID: 'Unused', WaterSourceUUIDs: 'Unused' },
  ],
  'reportingunits.csv': ids('ReportingUnitUUID', ['RU2', 'RU1', 'Unused']),
  'beneficialuses.csv': [
    { BeneficialUseCategory: 'irrigation', PrimaryUseCategory: 'Farming', NAICSCodeNameCV: 'Own' },
    { BeneficialUseCategory: 'Unused' },
  ],
};

const uses = { BeneficialUseCategory: 'Stockwatering,Irrigation', PrimaryUseCategory: 'Municipal' };

beforeAll(async () => {
  await service.load({
    ...shared,
    'sitespecificamounts.csv': [
      siteAmount({ ...uses, WaterSourceUUID: 'W1' }),
      siteAmount({ SiteUUID: 'S2', VariableSpecificUUID: 'V2', MethodUUID: 'm', BeneficialUseCategory: 'Bathing' }),
      siteAmount({ SiteUUID: 'S2', VariableSpecificUUID: 'V3', MethodUUID: 'M2', BeneficialUseCategory: 'Bathing' }),
    ],
    'aggregatedamounts.csv': [
      aggregatedAmount({ ...uses, WaterSourceUUID: 'W2' }),
      aggregatedAmount({ ReportingUnitUUID: 'RU2', VariableSpecificUUID: 'V3', MethodUUID: 'm' }),
    ],
    'waterallocations.csv': [
      allocation({ ...uses, AllocationNativeID: 'A', SiteUUID: 'S2,S1', WaterSourceUUID: 'W1' }),
      allocation({ AllocationNativeID: 'B', SiteUUID: 'S1', VariableSpecificUUID: 'V2', MethodUUID: 'M2' }),
    ],
  });
});

afterAll(() => service.close());

/** The identifiers of each lookup list of the answer's only organization. */
async function lookupsAt(path: string): Promise<Record<string, readonly unknown[]>> {
  const { json } = await service.get(path);
  const [organization] = json.Organizations;
  const identifiers = {
    VariableSpecifics: 'VariableSpecificUUID',
    Methods: 'MethodUUID',
    WaterSources: 'WaterSourceUUID',
    BeneficialUses: 'Name',
    Sites: 'SiteUUID',
    ReportingUnits: 'ReportingUnitUUID',
  };
  const lists = Object.entries(identifiers).flatMap(([list, name]): [string, readonly unknown[]][] =>
    list in organization ? [[list, organization[list].map((item: Record<string, unknown>) => item[name])]] : [],
  );
  return Object.fromEntries(lists);
}

const allUses = ['Bathing', 'Irrigation', 'Municipal', 'Stockwatering'];

test.each([
  [
    '',
    {
      VariableSpecifics: ['V1', 'V2', 'V3'],
      Methods: ['M1', 'M2', 'm'],
      WaterSources: ['W1', 'W2', 'W3'],
      BeneficialUses: allUses,
      Sites: ['S1', 'S2'],
    },
  ],
  [
    '?RecordCount=1',
    {
      VariableSpecifics: ['V1'],
      Methods: ['M1'],
      WaterSources: ['W1', 'W2'],
      BeneficialUses: allUses.slice(1),
      Sites: ['S1'],
    },
  ],
  [
    '?StartIndex=2',
    {
      VariableSpecifics: ['V3'],
      Methods: ['M2'],
      WaterSources: ['W2', 'W3'],
      BeneficialUses: ['Bathing'],
      Sites: ['S2'],
    },
  ],
  [
    '?SiteUUID=S2',
    {
      VariableSpecifics: ['V2', 'V3'],
      Methods: ['M2', 'm'],
      WaterSources: ['W2', 'W3'],
      BeneficialUses: ['Bathing'],
      Sites: ['S2'],
    },
  ],
])('SiteVariableAmounts%s', async (query, lists) => {
  expect(await lookupsAt(paths.site + query)).toEqual(lists);
});

test.each([
  [
    '?RecordCount=1',
    {
      ReportingUnits: ['RU1'],
      VariableSpecifics: ['V1'],
      Methods: ['M1'],
      WaterSources: ['W2'],
      BeneficialUses: allUses.slice(1),
    },
  ],
  [
    '?ReportingUnitUUID=RU2',
    { ReportingUnits: ['RU2'], VariableSpecifics: ['V3'], Methods: ['m'], WaterSources: [], BeneficialUses: [] },
  ],
])('AggregatedAmounts%s', async (query, lists) => {
  expect(await lookupsAt(paths.aggregated + query)).toEqual(lists);
});

test.each([
  [
    '?RecordCount=1',
    {
      VariableSpecifics: ['V1'],
      Methods: ['M1'],
      WaterSources: ['W1', 'W2', 'W3'],
      BeneficialUses: allUses.slice(1),
      Sites: ['S1', 'S2'],
    },
  ],
  [
    '?StartIndex=1',
    { VariableSpecifics: ['V2'], Methods: ['M2'], WaterSources: ['W2'], BeneficialUses: [], Sites: ['S1'] },
  ],
])('SiteAllocationAmounts%s', async (query, lists) => {
  expect(await lookupsAt(paths.allocations + query)).toEqual(lists);
});

test("a use has its categories from beneficialuses.csv, else from the service's table, else none", async () => {
  const { json } = await service.get(paths.site);
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
