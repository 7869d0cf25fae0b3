import { aggregatedSubmission, allocationsSubmission, siteAmountsSubmission } from '../fixtures/submission';
import type { Submission } from '../fixtures/submission';
import { countsOf, findingsOf } from '../fixtures/raw-submission';
import { rowsOf, withoutColumn, withoutFile, withRenamedColumn, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

/** Gives a column a value on every row, so that its renaming shows. */
function filled(submission: Submission, file: string, column: string, value: string): Submission {
  return withRows(
    submission,
    file,
    rowsOf(submission, file).map((row) => ({ ...row, [column]: value })),
  );
}

const allocations = 'waterallocations.csv';
const amounts = 'sitespecificamounts.csv';
const fullAllocations = [
  'AllocationSDWISIdentifierCV',
  'CommunityWaterSupplySystem',
  'WaterAllocationNativeURL',
].reduce((submission, column) => filled(submission, allocations, column, 'UT1'), allocationsSubmission);

test.each([
  [siteAmountsSubmission, 'sites.csv', 'SiteUUID', 'WaDESiteUUID'],
  [siteAmountsSubmission, 'sites.csv', 'WaterSourceUUIDs', 'WaterSourceUUID'],
  [siteAmountsSubmission, amounts, 'SiteUUID', 'WaDESiteUUID'],
  [siteAmountsSubmission, amounts, 'PrimaryUseCategory', 'PrimaryBeneficialUseCategory'],
  [siteAmountsSubmission, amounts, 'PrimaryUseCategory', 'PrimaryUseCategoryCV'],
  [siteAmountsSubmission, amounts, 'CommunityWaterSupplySystem', 'CommunityWaterSupplySyste'],
  [
    filled(siteAmountsSubmission, 'methods.csv', 'WaDEDataMappingUrl', 'x'),
    'methods.csv',
    'WaDEDataMappingUrl',
    'WaDEDataMappingURL',
  ],
  [siteAmountsSubmission, 'organizations.csv', 'OrganizationUUID', 'OrganizationUID'],
  [aggregatedSubmission, 'organizations.csv', 'OrganizationDataMappingURL', 'DataMappingURL'],
  [aggregatedSubmission, 'reportingunits.csv', 'ReportingUnitUUID', 'ReportingUnitUID'],
  [aggregatedSubmission, 'aggregatedamounts.csv', 'ReportingUnitUUID', 'ReportingUnitUID'],
  [aggregatedSubmission, 'aggregatedamounts.csv', 'OrganizationUUID', 'OrganizationUID'],
  [allocationsSubmission, allocations, 'SiteUUID', 'WaDESiteUUID'],
  [allocationsSubmission, allocations, 'AllocationFlow_CFS', 'AllocationAmount'],
  [allocationsSubmission, allocations, 'AllocationVolume_AF', 'AllocationMaximum'],
  [allocationsSubmission, allocations, 'AllocationLegalStatusCV', 'AllocationLegalStatusCodeCV'],
  [allocationsSubmission, allocations, 'PrimaryUseCategory', 'PrimaryBeneficialUseCategory'],
  [fullAllocations, allocations, 'AllocationSDWISIdentifierCV', 'AllocationSDWISIdentifier'],
  [fullAllocations, allocations, 'CommunityWaterSupplySystem', 'CommunityWaterSupplySyste'],
  [fullAllocations, allocations, 'WaterAllocationNativeURL', 'WaterAllocationNativeUrl'],
])('$#: takes an older name of a column for the newer one', async (submission, file, name, olderName) => {
  await service.load(submission);
  const report = await service.load(withRenamedColumn(submission, file, name, olderName));
  expect(report).toMatchObject({ verdict: 'unchanged', notes: [] });
});

test.each([
  ['lower case', (name: string) => name.toLowerCase()],
  ['capitals', (name: string) => name.toUpperCase()],
  ['space around', (name: string) => `  ${name}\u00a0`],
  ['a byte order mark before', (name: string) => `\ufeff${name}`],
])('matches header names with %s', async (_, change) => {
  await service.load(siteAmountsSubmission);
  const changed = Object.entries(siteAmountsSubmission).map(([file, rows]) => [
    file,
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [change(name), value]))),
  ]);
  const report = await service.load(Object.fromEntries(changed) as Submission);
  expect(report).toMatchObject({ verdict: 'unchanged', notes: [] });
});

test('the newer name of a column wins over the older one beside it', async () => {
  await service.load(allocationsSubmission);
  const report = await service.load(filled(allocationsSubmission, allocations, 'AllocationAmount', '77'));
  expect(report.verdict).toBe('unchanged');
});

test.each(['index', '', 'Index'])('ignores a first column that is called "%s"', async (name) => {
  await service.load(siteAmountsSubmission);
  const rows = rowsOf(siteAmountsSubmission, amounts).map((row, index) => ({ [name]: index, ...row }));
  const report = await service.load(withRows(siteAmountsSubmission, amounts, rows));
  expect(report).toMatchObject({ verdict: 'unchanged', notes: [] });
});

test('reports unknown and unnamed columns once a file, and does not read them', async () => {
  await service.load(siteAmountsSubmission);
  const rows = rowsOf(siteAmountsSubmission, amounts).map((row) => ({ ...row, PowerType: 'x', '  ': 'y' }));
  const report = await service.load(withRows(siteAmountsSubmission, amounts, rows));
  expect(report.verdict).toBe('unchanged');
  expect(report.notes).toEqual([expect.stringMatching(/^sitespecificamounts\.csv.*PowerType.*unnamed/)]);
});

test('warns once a file of columns that may be missing, and takes the rows', async () => {
  const lacking = withoutColumn(
    withoutColumn(siteAmountsSubmission, amounts, 'WaterSourceUUID'),
    amounts,
    'TimeframeEnd',
  );
  const report = await service.load(lacking);
  const found = findingsOf(report, 'absent-column').filter(({ file }) => file === amounts);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({
    line: 1,
    column: null,
    value: expect.stringMatching(/WaterSourceUUID.*TimeframeEnd/),
  });
  expect(countsOf(report, amounts)).toMatchObject({ read: 6, accepted: 6, warned: 0, rejected: 0 });
});

test('a missing file counts as a file without rows', async () => {
  const report = await service.load(withoutFile(siteAmountsSubmission, 'watersources.csv'));
  expect(report.files.map(({ file }) => file)).not.toContain('watersources.csv');
  expect(countsOf(report, amounts)).toMatchObject({ accepted: 6, warned: 6, reasons: { 'unknown-water-source': 6 } });
});
