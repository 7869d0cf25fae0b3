// Each text filter of SiteVariableAmounts finds what it should and only that (D8 to D13, D16). Amounts name the
// records.

import { found, lookupsOf, paths, siteAmount } from '../fixtures/handmade';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

beforeAll(async () => {
  await service.load({
    ...lookupsOf({ State: 'UT' }),
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
  });
  await service.load({
    ...lookupsOf({ OrganizationUUID: 'ORG_2', State: 'CO' }),
    'sites.csv': [{ SiteUUID: 'Co_S1', StateCV: 'nm' }],
    'sitespecificamounts.csv': [siteAmount({ OrganizationUUID: 'ORG_2', SiteUUID: 'Co_S1', Amount: 5 })],
  });
});

afterAll(() => service.close());

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
  expect(await found(service, `${paths.site}?${query}`)).toEqual(amounts);
});
