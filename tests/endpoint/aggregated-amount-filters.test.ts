// Each text filter of AggregatedAmounts finds what it should and only that (D8 to D13, D16). Amounts name the records.

import { aggregatedAmount, found, lookupsOf, paths } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  await service.load({
    ...lookupsOf({ State: 'ID' }),
    'variables.csv': [
      { VariableSpecificUUID: 'V1', VariableSpecificCV: 'Aggregated Withdrawal_Irrigation', VariableCV: 'Withdrawal' },
      {
        VariableSpecificUUID: 'V2',
        VariableSpecificCV: 'AggregatedReturnFlow, Discharge',
        VariableCV: 'Site-Specific Return Flow',
      },
    ],
    'reportingunits.csv': [
      { ReportingUnitUUID: 'RU1', ReportingUnitTypeCV: 'County', StateCV: 'ID' },
      { ReportingUnitUUID: 'RU2', ReportingUnitTypeCV: 'HUC 8', StateCV: 'Oregon' },
    ],
    'beneficialuses.csv': [{ BeneficialUseCategory: 'Ice Rinks', USGSCategoryNameCV: 'Public Supply' }],
    'aggregatedamounts.csv': [
      aggregatedAmount({ Amount: 1, BeneficialUseCategory: 'Irrigation,Ice Rinks' }),
      aggregatedAmount({ Amount: 2, VariableSpecificUUID: 'V2', PrimaryUseCategory: 'Mining' }),
      aggregatedAmount({ Amount: 3, ReportingUnitUUID: 'RU2' }),
    ],
  });
  await service.load({
    ...lookupsOf({ OrganizationUUID: 'ORG_2', State: 'US' }),
    'reportingunits.csv': [{ ReportingUnitUUID: 'RU9', StateCV: 'OR' }],
    'aggregatedamounts.csv': [aggregatedAmount({ OrganizationUUID: 'ORG_2', ReportingUnitUUID: 'RU9', Amount: 4 })],
  });
});

afterAll(() => service.close());

test.each<[string, readonly number[]]>([
  ['', [1, 2, 3, 4]],
  ['ReportingUnitUUID=ru1', [1, 2]],
  ['ReportingUnitUUID=RU2&ReportingUnitUUID=RU9', [3, 4]],
  ['ReportingUnitUUID=RU', []],
  ['ReportingUnitTypeCV=county', [1, 2]],
  ['ReportingUnitTypeCV=HUC+8', [3]],
  ['ReportingUnitTypeCV=HUC8', []],
  ['VariableCV=SiteSpecificReturnFlow', [2]],
  ['VariableCV=withdrawal', [1, 3, 4]],
  ['VariableSpecificCV=AggregatedWithdrawal,Irrigation', [1, 3]],
  ['VariableSpecificCV=Aggregated+Withdrawal+Irrigation', [1, 3]],
  ['VariableSpecificCV=AggregatedReturnFlow_Discharge', [2]],
  ['VariableSpecificCV=AggregatedReturnFlow', []],
  ['BeneficialUseCV=irrigation', [1]],
  ['BeneficialUseCV=Mining', [2]],
  ['UsgsCategoryNameCV=Public+Supply', [1]],
  ['USGSCategoryNameCV=irrigation', [1]],
  ['UsgsCategoryNameCV=Mining', [2]],
  ['State=ID', [1, 2, 3]],
  ['State=OR', [3, 4]],
  ['State=US', [4]],
  ['State=US&State=ID&ReportingUnitTypeCV=County', [1, 2]],
])('AggregatedAmounts?%s finds the amounts %j', async (query, amounts) => {
  expect(await found(service, `${paths.aggregated}?${query}`)).toEqual(amounts);
});
