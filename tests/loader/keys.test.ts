import { countsOf, findingsOf } from '../fixtures/raw-submission';
import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import type { Row, Submission } from '../fixtures/submission';
import { rowsOf, withInsertedCopy, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const SITE_AMOUNTS = 'sitespecificamounts.csv';
const AGGREGATED = 'aggregatedamounts.csv';
const ALLOCATIONS = 'waterallocations.csv';

const service = createTestService();

const [variable] = rowsOf(siteAmountsSubmission, 'variables.csv');
const [method] = rowsOf(siteAmountsSubmission, 'methods.csv');
const [source] = rowsOf(siteAmountsSubmission, 'watersources.csv');
const [unit] = rowsOf(aggregatedSubmission, 'reportingunits.csv');
const moreLookups = {
  'variables.csv': [{ ...variable }, { ...variable, VariableSpecificUUID: 'V2' }],
  'methods.csv': [{ ...method }, { ...method, MethodUUID: 'M2' }],
  'watersources.csv': [{ ...source }, { ...source, WaterSourceUUID: 'WS2' }],
  'reportingunits.csv': [{ ...unit }, { ...unit, ReportingUnitUUID: 'RU2' }],
};
const siteAmounts: Submission = { ...siteAmountsSubmission, ...moreLookups };
const aggregated: Submission = { ...aggregatedSubmission, ...moreLookups };

const partsOfBothKeys: readonly Row[] = [
  { VariableSpecificUUID: 'V2' },
  { MethodUUID: 'M2' },
  { WaterSourceUUID: 'WS2' },
  { WaterSourceUUID: '' },
  { TimeframeStart: '1999-05-05' },
  { TimeframeStart: '' },
  { TimeframeEnd: '2003-05-05' },
  { ReportYearCV: '2050' },
  { ReportYearCV: '' },
  { PrimaryUseCategory: 'Stockwatering' },
  { BeneficialUseCategory: 'Stockwatering' },
  { BeneficialUseCategory: '' },
  { CommunityWaterSupplySystem: 'Another system' },
];

const differences = [
  ...partsOfBothKeys.map((cells) => ({ submission: siteAmounts, file: SITE_AMOUNTS, cells })),
  { submission: siteAmounts, file: SITE_AMOUNTS, cells: { SiteUUID: 'S2', TimeframeEnd: '2000-06-06' } },
  ...partsOfBothKeys.map((cells) => ({ submission: aggregated, file: AGGREGATED, cells })),
  { submission: aggregated, file: AGGREGATED, cells: { ReportingUnitUUID: 'RU2' } },
  { submission: allocationsSubmission, file: ALLOCATIONS, cells: { AllocationNativeID: '42' } },
  { submission: allocationsSubmission, file: ALLOCATIONS, cells: { AllocationUUID: 'A1' } },
].map((one) => ({ ...one, difference: JSON.stringify(one.cells) }));

test.each(differences)(
  'takes a second row of $file that differs in $difference',
  async ({ submission, file, cells }) => {
    const report = await service.load(withInsertedCopy(submission, file, cells));
    const rows = rowsOf(submission, file).length + 1;
    expect(countsOf(report, file)).toMatchObject({ read: rows, accepted: rows, rejected: 0 });
  },
);

const sameKeys = [
  { submission: siteAmounts, file: SITE_AMOUNTS, cells: { Amount: '-1', CropTypeCV: 'Alfalfa' } },
  { submission: siteAmounts, file: SITE_AMOUNTS, cells: { BeneficialUseCategory: 'Domestic, Irrigation' } },
  { submission: siteAmounts, file: SITE_AMOUNTS, cells: { BeneficialUseCategory: 'Irrigation,Domestic,Irrigation,' } },
  { submission: siteAmounts, file: SITE_AMOUNTS, cells: { TimeframeStart: '1/1/2000 00:00' } },
  { submission: siteAmounts, file: SITE_AMOUNTS, cells: { ReportYearCV: '2000.0' } },
  { submission: siteAmounts, file: SITE_AMOUNTS, cells: { CommunityWaterSupplySystem: ' Clear Creek Water\u00a0' } },
  { submission: aggregated, file: AGGREGATED, cells: { Amount: '0', PopulationServed: '12' } },
  { submission: allocationsSubmission, file: ALLOCATIONS, cells: { SiteUUID: 'S1', AllocationOwner: 'Other' } },
].map((one) => ({ ...one, difference: JSON.stringify(one.cells) }));

test.each(sameKeys)(
  'rejects a second row of $file that differs only in $difference',
  async ({ submission, file, cells }) => {
    const report = await service.load(withInsertedCopy(submission, file, cells));
    expect(findingsOf(report, 'duplicate-amount')).toMatchObject([{ file, line: 3 }]);
    const rows = rowsOf(submission, file).length;
    expect(countsOf(report, file)).toMatchObject({ read: rows + 1, accepted: rows, rejected: 1 });
  },
);

test.each([
  [
    { TimeframeStart: '1/1/2000' },
    'as line 2 (Amount 200 there, 200 here): S1, V1, 1/1/2000, 2000-12-31, 2000, WS1, M1, Irrigation, Irrigation,Domestic',
  ],
  [{}, 'a copy of line 2: S1, V1, 2000-01-01, 2000-12-31, 2000, WS1, M1, Irrigation, Irrigation,Domestic'],
])('says of which row a row with %j is the second, and the key as it stands in the file', async (cells, value) => {
  const report = await service.load(withInsertedCopy(siteAmounts, SITE_AMOUNTS, cells));
  expect(findingsOf(report, 'duplicate-amount')).toMatchObject([{ line: 3, value: expect.stringContaining(value) }]);
});

test('makes the key after references were resolved: an unknown water source equals none', async () => {
  const copies = ['', 'WS9', 'WS8', 'Unknown'].map((WaterSourceUUID) => ({
    ...rowsOf(siteAmounts, SITE_AMOUNTS)[0],
    WaterSourceUUID,
  }));
  const report = await service.load(withRows(siteAmounts, SITE_AMOUNTS, copies));
  expect(findingsOf(report, 'duplicate-amount').map(({ line }) => line)).toEqual([3, 4, 5]);
  expect(countsOf(report, SITE_AMOUNTS)).toMatchObject({ accepted: 1, rejected: 3, warned: 0 });
});

test('an AllocationUUID is the key, whatever the native identifier', async () => {
  const rows = ['0042', '0043'].map((AllocationNativeID) => ({
    ...rowsOf(allocationsSubmission, ALLOCATIONS)[0],
    ...{ AllocationUUID: 'A1', AllocationNativeID },
  }));
  const report = await service.load(withRows(allocationsSubmission, ALLOCATIONS, rows));
  expect(countsOf(report, ALLOCATIONS)).toMatchObject({ accepted: 1, rejected: 1 });
});
