// A rejecting rule rejects only its row, and a missing required column rejects every row. A warning rule accepts its
// row. The report lists a limited number of findings, and FILE.warned.csv contains all warnings of a file.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RuleName, rules } from '../../data-loaders/format/rules';
import { REQUIRED_COLUMNS } from '../fixtures/plain-verdicts';
import { getFileCounts, listFindings } from '../fixtures/raw-submission';
import {
  aggregatedSubmission,
  allocationsSubmission,
  type Row,
  siteAmountsSubmission,
  type Submission,
  writeCsvCell,
} from '../fixtures/submission';
import { getRows, withCells, withInsertedCopy, withoutColumn, withRows } from '../fixtures/submission-changes';
import { createTestService } from '../fixtures/test-service';

const service = createTestService();

interface Case {
  readonly name: string;
  readonly file: string;
  /**
   * The cells in which an added second row differs from the first; for warnings, the cells that are changed in the
   * first row.
   */
  readonly cells: Row;
  readonly column: string | null;
  readonly rule: RuleName;
  readonly value: unknown;
}

const SITE_AMOUNTS = 'sitespecificamounts.csv';
const AGGREGATED = 'aggregatedamounts.csv';
const ALLOCATIONS = 'waterallocations.csv';
const RELATIONS = 'podsitetopousiterelationships.csv';
const SITES = 'sites.csv';
const UNITS = 'reportingunits.csv';

/** Pairs of a file and a required column of it. */
const REQUIRED_PAIRS = Object.entries(REQUIRED_COLUMNS).flatMap(([file, columns]) =>
  columns.map((column): readonly [string, string] => [file, column]),
);

/** A valid submission that has the file. */
function submissionWith(file: string): Submission {
  const beneficialUses = [{ BeneficialUseCategory: 'Irrigation', USGSCategoryNameCV: 'Irrigation' }];
  const found = [siteAmountsSubmission, aggregatedSubmission, allocationsSubmission].find((one) => file in one);
  return found ?? { ...siteAmountsSubmission, 'beneficialuses.csv': beneficialUses };
}

/** `hint` follows an identifier that differs from a known identifier only in letter case. */
function unknownReference(file: string, column: string, id: string, rule: RuleName, hint = ''): Case {
  const name = `an amount of ${file} whose ${column} the submission does not hold (${id})`;
  return { name, file, cells: { [column]: id, AllocationNativeID: 'other' }, column, rule, value: `${id}${hint}` };
}

function unreadable(file: string, column: string, value: string): Case {
  const name = `a row of ${file} whose ${column} is "${value}"`;
  return { name, file, cells: { [column]: value }, column, rule: 'required-unreadable', value };
}

function duplicate(file: string, column: string, value: string): Case {
  const name = `a second row of ${file} with the same ${column}`;
  return { name, file, cells: { [column]: value }, column, rule: 'duplicate-identifier', value };
}

const cases: readonly Case[] = [
  ...REQUIRED_PAIRS.map(([file, column]): Case => ({
    name: `a row of ${file} without its ${column}`,
    file,
    cells: { [column]: ' ' },
    column,
    rule: 'required-empty',
    value: ' ',
  })),
  ...[SITE_AMOUNTS, AGGREGATED, ALLOCATIONS].flatMap((file) => [
    unknownReference(file, 'OrganizationUUID', 'ORG_9', 'unknown-organization'),
    unknownReference(file, 'OrganizationUUID', 'org_1', 'unknown-organization', ' (organizations.csv has ORG_1)'),
    unknownReference(file, 'VariableSpecificUUID', 'v1', 'unknown-variable', ' (variables.csv has V1)'),
    unknownReference(file, 'MethodUUID', 'M2', 'unknown-method'),
  ]),
  unknownReference(SITE_AMOUNTS, 'SiteUUID', 's1', 'unknown-site', ' (sites.csv has S1)'),
  unknownReference(AGGREGATED, 'ReportingUnitUUID', 'ru1', 'unknown-reporting-unit', ' (reportingunits.csv has RU1)'),
  ...['Infinity', '-inf', '0x10', 'Unknown', '1e999', '--1'].map((value) => unreadable(SITE_AMOUNTS, 'Amount', value)),
  ...['NaN', 'nan', '#REF!', '\\N', 'NA'].map((value): Case => ({
    ...unreadable(SITE_AMOUNTS, 'Amount', value),
    rule: 'required-empty',
  })),
  { ...unreadable(AGGREGATED, 'Amount', 'n/a'), rule: 'required-empty' },
  ...[
    ['1,000', 'write 1000, or 1.000 if the comma is a decimal comma'],
    ['12 AF', 'write the number without AF'],
  ].map(([value = '', hint = '']): Case => ({
    ...unreadable(SITE_AMOUNTS, 'Amount', value),
    value: `${value} (${hint})`,
  })),
  ...['Utah', 'XX', 'U', 'UTA'].map((value) => unreadable('organizations.csv', 'State', value)),
  duplicate('organizations.csv', 'OrganizationUUID', 'ORG_1'),
  duplicate('variables.csv', 'VariableSpecificUUID', 'V1'),
  duplicate('methods.csv', 'MethodUUID', 'M1'),
  duplicate('watersources.csv', 'WaterSourceUUID', 'WS1'),
  duplicate(SITES, 'SiteUUID', 'S1'),
  duplicate(UNITS, 'ReportingUnitUUID', 'RU1'),
  duplicate('beneficialuses.csv', 'BeneficialUseCategory', 'Irrigation'),
  ...[SITE_AMOUNTS, AGGREGATED, ALLOCATIONS].map((file): Case => ({
    name: `a second amount of ${file} with the same key`,
    file,
    cells: { Amount: '99', AllocationOwner: 'Somebody else' },
    column: null,
    rule: 'duplicate-amount',
    value: expect.stringContaining('line 2'),
  })),
  ...['PODSiteUUID', 'POUSiteUUID'].map((column): Case => ({
    name: `a relation whose ${column} is not in sites.csv`,
    file: RELATIONS,
    cells: { [column]: 'S9' },
    column,
    rule: 'relation-without-site',
    value: 'S9',
  })),
  {
    name: 'a second relation of the same sites and dates',
    file: RELATIONS,
    cells: { StartDate: '1/1/2001', EndDate: '2001-12-31 00:00:00' },
    column: null,
    rule: 'duplicate-relation',
    value: 'S1,S2,1/1/2001,2001-12-31 00:00:00',
  },
  {
    name: 'an allocation with neither AllocationUUID nor AllocationNativeID',
    file: ALLOCATIONS,
    cells: { AllocationNativeID: 'Unknown' },
    column: 'AllocationUUID',
    rule: 'no-identifier',
    value: '',
  },
];

test.each(cases)('rejects $name, and no other row', async ({ file, cells, column, rule, value }) => {
  const submission = submissionWith(file);
  const report = await service.load(withInsertedCopy(submission, file, cells));
  expect(listFindings(report, rule)).toEqual([{ file, line: 3, column, rule, value }]);
  const rows = getRows(submission, file).length;
  expect(getFileCounts(report, file)).toMatchObject({
    read: rows + 1,
    accepted: rows,
    rejected: 1,
    reasons: { [rule]: 1 },
  });
  expect(report.verdict).not.toBe('refused');
});

test.each(REQUIRED_PAIRS)('rejects every row of %s if the file lacks the column %s', async (file, column) => {
  const submission = submissionWith(file);
  const report = await service.load(withoutColumn(submission, file, column));
  expect(listFindings(report, 'missing-column')).toEqual([
    { file, line: 1, column, rule: 'missing-column', value: '' },
  ]);
  const rows = getRows(submission, file).length;
  expect(getFileCounts(report, file)).toMatchObject({
    read: rows,
    accepted: 0,
    rejected: rows,
    reasons: { 'missing-column': 1 },
  });
});

const amounts = getRows(siteAmountsSubmission, SITE_AMOUNTS);
const [amount] = amounts;

test('a rejected row lists all of its reasons', async () => {
  const differences = [
    {},
    { WaterSourceUUID: 'WS9' },
    { SiteUUID: 'S9', MethodUUID: 'M9' },
    { Amount: '', SiteUUID: '' },
  ];
  const rows = [...amounts, ...differences.map((cells) => ({ ...amount, ...cells }))];
  const report = await service.load(withRows(siteAmountsSubmission, SITE_AMOUNTS, rows));
  const found = report.findings.filter(({ line, file }) => file === SITE_AMOUNTS && line >= 10);
  expect(found.map(({ line, column, rule }) => [line, column, rule])).toEqual(
    expect.arrayContaining([
      [10, 'SiteUUID', 'unknown-site'],
      [10, 'MethodUUID', 'unknown-method'],
      [11, 'SiteUUID', 'required-empty'],
      [11, 'Amount', 'required-empty'],
    ]),
  );
  expect(getFileCounts(report, SITE_AMOUNTS).rejected).toBe(3);
});

test('shows at most 200 characters of a value', async () => {
  const report = await service.load(withCells(siteAmountsSubmission, SITE_AMOUNTS, 0, { Amount: 'x'.repeat(5000) }));
  expect(listFindings(report, 'required-unreadable')).toMatchObject([{ value: 'x'.repeat(200) }]);
});

function doubtful(file: string, rule: RuleName, column: string, value: string): Case {
  return { name: `${column} of ${file} that is "${value}"`, file, cells: { [column]: value }, column, rule, value };
}

function noPoint(longitude: string, latitude: string): Case {
  return {
    name: `coordinates that are no point (${longitude} ${latitude})`,
    file: SITES,
    cells: { Longitude: longitude, Latitude: latitude },
    column: 'Longitude',
    rule: 'no-point',
    value: `${longitude} ${latitude}`,
  };
}

function nearPole(latitude: string): Case {
  const cells = { Longitude: '-111', Latitude: latitude };
  return {
    name: `a latitude near a pole (${latitude})`,
    file: SITES,
    cells,
    column: 'Latitude',
    rule: 'near-pole',
    value: latitude,
  };
}

function geometryNearPole(file: string, geometry: string, latitude: number): Case {
  return {
    name: `a geometry of ${file} that reaches a pole (${geometry})`,
    file,
    cells: { Geometry: geometry },
    column: 'Geometry',
    rule: 'near-pole',
    value: `latitude ${latitude}`,
  };
}

function unusableGeometry(file: string, geometry: string): Case {
  return {
    name: `a geometry of ${file} that searches cannot use (${geometry})`,
    file,
    cells: { Geometry: geometry },
    column: 'Geometry',
    rule: 'unusable-geometry',
    value: expect.stringContaining(geometry),
  };
}

const warnings: readonly Case[] = [
  ...[SITE_AMOUNTS, AGGREGATED, ALLOCATIONS].map((file): Case => ({
    name: `a water source of ${file} that the submission does not hold`,
    file,
    cells: { WaterSourceUUID: 'ws1' },
    column: 'WaterSourceUUID',
    rule: 'unknown-water-source',
    value: 'ws1 (watersources.csv has WS1)',
  })),
  {
    name: 'a water source of a site that the submission does not hold',
    file: SITES,
    cells: { WaterSourceUUIDs: 'WS1,WS9' },
    column: 'WaterSourceUUIDs',
    rule: 'unknown-water-source',
    value: 'WS9',
  },
  {
    name: 'an unknown site in an allocation',
    file: ALLOCATIONS,
    cells: { SiteUUID: 'S2,S9,S1' },
    column: 'SiteUUID',
    rule: 'unknown-site-in-list',
    value: 'S9',
  },
  {
    name: 'an allocation without any site',
    file: ALLOCATIONS,
    cells: { SiteUUID: '' },
    column: 'SiteUUID',
    rule: 'without-site',
    value: '',
  },
  ...[SITE_AMOUNTS, AGGREGATED].map((file): Case => ({
    name: `a TimeframeStart of ${file} after its TimeframeEnd`,
    file,
    cells: { TimeframeStart: '2017-02-01', TimeframeEnd: '2016-03-04' },
    column: 'TimeframeStart',
    rule: 'reversed-timeframe',
    value: expect.stringContaining('2017-02-01'),
  })),
  doubtful(SITE_AMOUNTS, 'unreadable-date', 'TimeframeStart', '13/13/2000'),
  doubtful(SITE_AMOUNTS, 'unreadable-date', 'DataPublicationDate', '2020-02-30'),
  doubtful(AGGREGATED, 'unreadable-number', 'IrrigatedAcreage', 'Infinity'),
  doubtful(ALLOCATIONS, 'unreadable-number', 'AllocationFlow_CFS', '1.5 cubic feet / second (mean)'),
  doubtful(SITE_AMOUNTS, 'impossible-number', 'Amount', '-1.797E+308'),
  doubtful(SITE_AMOUNTS, 'impossible-number', 'IrrigatedAcreage', '1.01e300'),
  doubtful(AGGREGATED, 'impossible-number', 'Amount', '1.7e308'),
  doubtful(ALLOCATIONS, 'impossible-number', 'AllocationFlow_CFS', '1.7976931348623157e308'),
  doubtful(ALLOCATIONS, 'impossible-number', 'AllocationVolume_AF', '-1e301'),
  noPoint('-181', '40'),
  noPoint('-111', '90.5'),
  noPoint('180.1', '40'),
  noPoint('-111', '-91'),
  nearPole('90'),
  nearPole('-89.99999999'),
  nearPole('85.1'),
  geometryNearPole(UNITS, 'POLYGON ((-112 41, -111 41, -111 90, -112 41))', 90),
  geometryNearPole(SITES, 'POINT (-111 -89.5)', -89.5),
  unusableGeometry(UNITS, 'POLYGON ((-112 41, -111 41, -111 42))'),
  unusableGeometry(UNITS, 'POLYGON ((-112 41, -111 41, -111 42, -112 40))'),
  unusableGeometry(SITES, 'a field behind the barn'),
];

test.each(warnings)('accepts $name with a warning', async ({ file, cells, column, rule, value }) => {
  const submission = submissionWith(file);
  const report = await service.load(withCells(submission, file, 0, cells));
  expect(listFindings(report, rule)).toEqual([{ file, line: 2, column, rule, value }]);
  const rows = getRows(submission, file).length;
  const counts = getFileCounts(report, file);
  expect(counts).toMatchObject({ read: rows, accepted: rows, rejected: 0 });
  expect(counts.reasons[rule]).toBe(1);
  expect(counts.warned).toBeGreaterThanOrEqual(1);
});

test('accepts a vocabulary term in another letter case with a warning', async () => {
  const changed = withCells(siteAmountsSubmission, SITE_AMOUNTS, 3, { BeneficialUseCategory: 'IRRIGATION,Domestic' });
  const report = await service.load(
    withCells(changed, SITE_AMOUNTS, 4, { CommunityWaterSupplySystem: 'clear creek water' }),
  );
  expect(listFindings(report, 'letter-case')).toEqual([
    expect.objectContaining({
      file: SITE_AMOUNTS,
      line: 5,
      column: 'BeneficialUseCategory',
      value: expect.stringContaining('IRRIGATION'),
    }),
  ]);
  expect(getFileCounts(report, SITE_AMOUNTS)).toMatchObject({ accepted: 6, warned: 1, rejected: 0 });
});

test('ignores other organizations, each with a warning', async () => {
  const others = { OrganizationUUID: 'ORG_2', State: 'CO' };
  const report = await service.load(withInsertedCopy(siteAmountsSubmission, 'organizations.csv', others));
  expect(listFindings(report, 'other-organization')).toEqual([
    { file: 'organizations.csv', line: 3, column: 'OrganizationUUID', rule: 'other-organization', value: 'ORG_2' },
  ]);
  expect(getFileCounts(report, 'organizations.csv')).toMatchObject({ read: 2, accepted: 2, warned: 1, rejected: 0 });
  expect(report.dataSets.map(({ organizationUuid }) => organizationUuid)).toEqual(['ORG_1']);
});

test('counts a row with several warnings once, and each of its warnings', async () => {
  const cells = { WaterSourceUUID: 'WS9', DataPublicationDate: 'soon', PopulationServed: 'many' };
  const report = await service.load(withCells(siteAmountsSubmission, SITE_AMOUNTS, 2, cells));
  expect(getFileCounts(report, SITE_AMOUNTS)).toMatchObject({
    warned: 1,
    reasons: { 'unknown-water-source': 1, 'unreadable-date': 1, 'unreadable-number': 1 },
  });
});

async function load(submission: Submission, name: string) {
  const rejectedDirectory = join(service.folder, name);
  const report = await service.load(submission, { rejectedDirectory, isDryRun: true });
  const readText = (file: string): string => readFileSync(join(rejectedDirectory, file), 'utf8');
  return {
    report,
    linesOf: (file: string) => (existsSync(join(rejectedDirectory, file)) ? readText(file).trimEnd().split('\n') : []),
  };
}

interface SimilarCase {
  readonly known: readonly string[];
  readonly reference: string;
  /** Undefined if the finding suggests no identifier. */
  readonly hint: string | undefined;
}

const similarCases: readonly SimilarCase[] = [
  { known: ['00123'], reference: '123', hint: 'sites.csv has 00123' },
  { known: ['123'], reference: '00123', hint: 'sites.csv has 123' },
  { known: ['00123', '0123'], reference: '123', hint: undefined },
  { known: ['1E5'], reference: '1.00E+05', hint: 'sites.csv has 1E5' },
  { known: ['12.50'], reference: '12.5', hint: 'sites.csv has 12.50' },
  { known: ['1250000'], reference: '1.25E+06', hint: 'sites.csv has 1250000' },
  { known: ['00000000000000000123'], reference: '123', hint: 'sites.csv has 00000000000000000123' },
  { known: ['12345678901234567891'], reference: '1.23456789012346E+19', hint: undefined },
  { known: ['EX_S1'], reference: 'EX_S\u00ad1', hint: 'sites.csv has EX_S1; U+00AD here' },
  { known: ['EX S1'], reference: 'EX\u00a0S1', hint: 'sites.csv has EX S1; U+00A0 here' },
  { known: ['EX-8'], reference: 'EX\u20118', hint: 'sites.csv has EX-8; U+2011 here' },
  { known: ['EX\u20138'], reference: 'EX-8', hint: 'sites.csv has EX\u20138; U+2013 there' },
  { known: ['EX_S10'], reference: '\u0415X_S10', hint: 'sites.csv has EX_S10; U+0415 here' },
  { known: ['Pe\u00f1_S9'], reference: 'Pen\u0303_S9', hint: 'sites.csv has Pe\u00f1_S9; U+0303 here; U+00F1 there' },
  { known: ['EX_S1', 'ex_s1'], reference: 'Ex_S1', hint: undefined },
  { known: ['EX_S1'], reference: 'EX_S2', hint: undefined },
];

test.each(similarCases)(
  '$reference is unknown, and the known $known gives the hint: $hint',
  async ({ known, reference, hint }) => {
    const site = getRows(siteAmountsSubmission, SITES)[0] ?? {};
    const sites = known.map((SiteUUID) => ({ ...site, SiteUUID }));
    const amounts = [reference, known[0] ?? ''].map((SiteUUID) => ({ ...amount, SiteUUID }));
    const submission = withRows(withRows(siteAmountsSubmission, SITES, sites), SITE_AMOUNTS, amounts);
    const { report } = await load(submission, 'similar');
    const value = hint === undefined ? reference : `${reference} (${hint})`;
    expect(listFindings(report, 'unknown-site').map((finding) => finding.value)).toEqual([value]);
  },
);

test('a warning has its line, column, rule, value and sentence', async () => {
  const submission = withCells(siteAmountsSubmission, SITE_AMOUNTS, 1, { IrrigatedAcreage: '1,200 acres' });
  const { linesOf } = await load(submission, 'one');
  const [header, ...lines] = linesOf('sitespecificamounts.warned.csv');
  expect(header).toBe('\uFEFFline,column,rule,value,sentence');
  expect(lines.filter((line) => !line.includes('absent-column'))).toEqual([
    `3,IrrigatedAcreage,unreadable-number,"1,200 acres (write the number without acres)",${writeCsvCell(rules['unreadable-number'].sentence)}`,
  ]);
});

test('the report lists the first 1,000 findings of a rule, and the file of warnings has all', async () => {
  const many = Array.from({ length: 1500 }, (_, index) => ({
    ...amount,
    TimeframeStart: '1.1.2000',
    CommunityWaterSupplySystem: `system ${index}`,
  }));
  const { report, linesOf } = await load(withRows(siteAmountsSubmission, SITE_AMOUNTS, many), 'many');
  const all = many.map((_, index) => index + 2);
  expect(listFindings(report, 'unreadable-date').map(({ line }) => line)).toEqual(all.slice(0, 1000));
  expect(getFileCounts(report, SITE_AMOUNTS).reasons).toMatchObject({ 'unreadable-date': all.length });
  const lines = linesOf('sitespecificamounts.warned.csv').filter((line) => line.includes(',unreadable-date,'));
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(all);
});

test('each file with warnings gets a file of warnings that agrees with the report', async () => {
  const spoilt = withCells(siteAmountsSubmission, 'sites.csv', 0, { Longitude: 'west', NHDUpdateDate: 'May' });
  const { report, linesOf } = await load(spoilt, 'each');
  for (const { file, reasons } of report.files) {
    // The keys of the reasons are rules.
    const warned = Object.entries(reasons).filter(
      ([rule]) => rules[rule as keyof typeof rules].severity !== 'rejected',
    );
    const lines = linesOf(file.replace('.csv', '.warned.csv')).slice(1);
    for (const [rule, count] of warned) expect(lines.filter((line) => line.includes(`,${rule},`))).toHaveLength(count);
    expect(lines).toHaveLength(warned.reduce((sum, [, count]) => sum + count, 0));
  }
});

test('a rejected row gets no warnings', async () => {
  const twice = { ...amount, TimeframeStart: '1.1.2000' };
  const { report, linesOf } = await load(withRows(siteAmountsSubmission, SITE_AMOUNTS, [twice, twice]), 'twice');
  const reasons = { 'unreadable-date': 1, 'duplicate-amount': 1 };
  expect(getFileCounts(report, SITE_AMOUNTS)).toMatchObject({ rejected: 1, warned: 1, reasons });
  expect(listFindings(report, 'unreadable-date')).toMatchObject([{ line: 2 }]);
  const lines = linesOf('sitespecificamounts.warned.csv').filter((line) => line.includes(',unreadable-date,'));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^2,/);
});
