// Cells of waterallocations.csv, one allocation a case, all loaded at once: the member in the answer and the warning.

import type { Report } from '../../data-loaders/format/report';
import type { RuleName } from '../../data-loaders/format/rules';
import { allocationsSubmission } from '../fixtures/submission';
import { lineOf, rowsOf, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

/** `hint` is what a warning says behind the text of the cell. */
type Case = readonly [
  ...[column: string, text: string, member: string, expected: unknown],
  ...[warning?: RuleName, hint?: string],
];

const NO_BREAK_SPACE = '\u00a0';

function owner(text: string, expected: unknown): Case {
  return ['AllocationOwner', text, 'AllocationOwner', expected];
}

function date(text: string, expected: string | null): Case {
  const column = 'AllocationApplicationDate';
  return expected === null ? [column, text, column, null, 'unreadable-date'] : [column, text, column, expected];
}

function lastDayOf2010(text: string): Case {
  return date(text, '2010-12-31');
}

function acreage(text: string, expected: number | null): Case {
  const shared = ['IrrigatedAcreage', text, 'AllocationAcreage', expected] as const;
  return expected === null ? [...shared, 'unreadable-number'] : shared;
}

function exempt(text: string, expected: boolean | null): Case {
  const shared = ['ExemptOfVolumeFlowPriority', text, 'ExemptOfVolumeFlowPriority', expected] as const;
  return expected === null ? [...shared, 'unreadable-boolean'] : shared;
}

function uses(text: string, expected: readonly string[]): Case {
  return ['BeneficialUseCategory', text, 'BeneficialUses', expected];
}

const fillers = ['Unspecified', 'Unknown', 'WaDE Blank', 'WaDE Unspecified', 'In Review', 'nan', 'NaN', 'None', 'null'];

const cases: readonly Case[] = [
  ...fillers.flatMap((filler) => [
    owner(filler, null),
    owner(filler.toUpperCase(), null),
    owner(`${NO_BREAK_SPACE}${filler} `, null),
  ]),
  owner('', null),
  owner(` \t${NO_BREAK_SPACE}`, null),
  owner(`${NO_BREAK_SPACE} Sample Ranch\t`, 'Sample Ranch'),
  owner('Unknown Ranch', 'Unknown Ranch'),
  owner('Sample "Old" Ranch, LLC', 'Sample "Old" Ranch, LLC'),
  owner('11130302.0', '11130302.0'),
  ...['2010-12-31', '2010-12-31T23:59:59', '2010-12-31 00:00:00', '2010-12-31 00:00:00.000'].map(lastDayOf2010),
  ...['2010-12-31T23:59:59.999Z', '2010-12-31T23:59:59-07:00', '2010-12-31 7:05', '12/31/2010'].map(lastDayOf2010),
  ...['12/31/2010 0:00', '12/31/2010 12:30:00', '12/31/2010 12:00:00 AM', '12/31/2010 11:59 pm'].map(lastDayOf2010),
  ...[date('1/2/2010', '2010-01-02'), date('01/02/2010', '2010-01-02'), date('1/2/30', '1930-01-02')],
  ...[date('12/31/99', '1999-12-31'), date('1/1/00', '2000-01-01'), date('12/31/29', '2029-12-31')],
  ...[date('2/29/04', '2004-02-29'), date('2/29/2000', '2000-02-29'), date('2024-02-29', '2024-02-29')],
  ...[
    ...['2/29/1900', '31/13/2010', '2010-13-01', '2010-02-30', '2010-02-29', '2010', '2010-12', '12/31', '2/29/01'],
    ...['Dec 31, 2010', '2-Jan-10', '2010/12/31', '12-31-2010', '20101231', '2010-12-31x', '2010-12-31 noon'],
    ...['12/31/2010 noon', '1/2/10 10:00', '1/2/2010 25:00', '2010-12-31 10:99', '-1/2/2010', '1/2/1', '1/2/210'],
    ...['1/2/010', '1/2/20100', '0/1/2010', '0000-00-00', 'pending'],
  ].map((text) => date(text, null)),
  ['AllocationApplicationDate', '31/12/2010', 'AllocationApplicationDate', null, 'day-first-date', 'write 2010-12-31'],
  ['AllocationApplicationDate', '40543', 'AllocationApplicationDate', null, 'serial-day', 'write 2010-12-31'],
  acreage('12.50', 12.5),
  acreage('-3', -3),
  acreage('0', 0),
  acreage('+7', 7),
  acreage('.5', 0.5),
  acreage('1.5E3', 1500),
  acreage('2e-2', 0.02),
  acreage(' 4 ', 4),
  acreage('125483.15625', 125483.15625),
  ...['Infinity', '-Infinity', '1,000', '0x10', '12 acres', '1e400', '1.2.3', '--1', '$5', '1_000'].map((text) =>
    acreage(text, null),
  ),
  ...['1', 'true', 'TRUE', 'Yes', 'yes'].map((text) => exempt(text, true)),
  ...['0', 'false', 'False', 'NO', 'no'].map((text) => exempt(text, false)),
  ...['2', 'y', 't', '1.0', 'maybe'].map((text) => exempt(text, null)),
  uses('Irrigation,Domestic', ['Irrigation', 'Domestic']),
  uses(' Stockwatering ,, Unspecified,Domestic, Stockwatering,none ', ['Stockwatering', 'Domestic']),
  uses('', []),
  uses('WaDE Blank', []),
  uses(',', []),
  ['AllocationSDWISIdentifierCV', '11130302.0', 'AllocationSDWISIdentifier', '11130302'],
  ['AllocationSDWISIdentifierCV', '0042', 'AllocationSDWISIdentifier', '0042'],
  ['AllocationSDWISIdentifierCV', '12.50', 'AllocationSDWISIdentifier', '12.50'],
  ['AllocationSDWISIdentifierCV', '7.00', 'AllocationSDWISIdentifier', '7'],
  ['AllocationSDWISIdentifierCV', 'UT10.0', 'AllocationSDWISIdentifier', 'UT10.0'],
  ['AllocationTimeframeStart', '04/15', 'TimeframeStart', '04/15'],
  ['AllocationTimeframeEnd', 'Oct 31', 'TimeframeEnd', 'Oct 31'],
  ['DataPublicationDate', '5/6/2024', 'DataPublicationDate', '2024-05-06T00:00:00'],
  ['AllocationFlow_CFS', '1.5', 'AllocationAmount', 1.5],
  ['AllocationVolume_AF', '300', 'AllocationMaximum', 300],
  ['AllocationCommunityWaterSupplySystem', 'Own column', 'AllocationCommunityWaterSupplySystem', 'Own column'],
  ['CommunityWaterSupplySystem', 'Other column', 'AllocationCommunityWaterSupplySystem', 'Other column'],
];

const service = createTestService();
let report: Report;
let allocations: Readonly<Record<string, unknown>>[];

beforeAll(async () => {
  const [first] = rowsOf(allocationsSubmission, 'waterallocations.csv');
  const rows = cases.map(([column, text], index) => ({
    ...first,
    AllocationNativeID: `case ${index}`,
    [column]: text,
  }));
  report = await service.load(withRows(allocationsSubmission, 'waterallocations.csv', rows));
  const { json } = await service.get('/v1/SiteAllocationAmounts');
  allocations = json.Organizations[0].WaterAllocations;
});

const named = cases.map(([column, text, member, expected, warning, hint], index) => {
  return { column, text, member, expected, warning, value: hint === undefined ? text : `${text} (${hint})`, index };
});

test.each(named)('$index: $column "$text" is $expected', ({ column, member, expected, warning, value, index }) => {
  const found = allocations.find((allocation) => allocation['AllocationNativeID'] === `case ${index}`);
  expect(found?.[member]).toEqual(expected);
  const line = lineOf(index);
  // Two-digit years are read, and warned for all the same (tests/loader/damages.test.ts).
  const findings = report.findings.filter((finding) => finding.line === line && finding.rule !== 'two-digit-year');
  const file = 'waterallocations.csv';
  expect(findings).toEqual(warning === undefined ? [] : [{ file, line, column, rule: warning, value }]);
});
