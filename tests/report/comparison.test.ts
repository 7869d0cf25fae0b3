// The parts of a report about differences from the previous release and about data quality.

import { join } from 'node:path';
import type { DataSetOutcome, QualityWarning, Report } from '../../data-loaders/format/report';
import { isJump } from '../../data-loaders/publish/record-comparison';
import { isOutsideState } from '../../data-loaders/publish/state-boxes';
import { reportMarkdown } from '../../data-loaders/report/report-texts';
import type { Store } from '../../shared/store/port';
import { createAmounts } from '../fixtures/many-amounts';
import {
  aggregatedSubmission,
  allocationsSubmission,
  type Row,
  siteAmountsSubmission,
  type Submission,
  writeSubmission,
} from '../fixtures/submission';
import { getRows, withCells, withRows } from '../fixtures/submission-changes';
import { createServiceForEachTest } from '../fixtures/test-service';

const FILE = 'sitespecificamounts.csv';
const service = createServiceForEachTest();

function onlyDataSet({ dataSets }: Report): DataSetOutcome {
  const [dataSet, ...others] = dataSets;
  if (dataSet === undefined || others.length > 0) throw new Error(`${dataSets.length} data sets`);
  return dataSet;
}

async function loadTwice(first: Submission, second: Submission): Promise<DataSetOutcome> {
  await service().load(first);
  return onlyDataSet(await service().load(second));
}

/** Amounts of many years at the first site. */
function years(count: number, amountOf: (year: number) => number): Submission {
  const [first] = getRows(siteAmountsSubmission, FILE);
  const rows = Array.from({ length: count }, (_, index): Row => ({
    ...first,
    ReportYearCV: 1900 + index,
    Amount: amountOf(1900 + index),
  }));
  return withRows(siteAmountsSubmission, FILE, rows);
}

test('the first release of a data set counts all records as added, without examples and previous totals', async () => {
  const dataSet = onlyDataSet(await service().load(siteAmountsSubmission));
  expect(dataSet).toMatchObject({ change: { added: 6, removed: 0, changed: 0 }, examples: null, qualityWarnings: [] });
  expect(dataSet.totals?.variables).toEqual([
    {
      variableSpecificUuid: 'V1',
      variableSpecific: 'Withdrawal_Irrigation',
      unit: 'AF',
      before: null,
      after: { records: 6, sums: { Amount: 1200.6 } },
    },
  ]);
});

test('shows which records were added, removed and changed, and both values of each member that differs', async () => {
  const [one, two, three, ...others] = getRows(siteAmountsSubmission, FILE);
  const rows = [{ ...one, Amount: 7, IrrigatedAcreage: 3 }, { ...two }, ...others, { ...three, ReportYearCV: 1999 }];
  const { examples } = await loadTwice(siteAmountsSubmission, withRows(siteAmountsSubmission, FILE, rows));
  const key = {
    SiteUUID: 'S1',
    VariableSpecificUUID: 'V1',
    WaterSourceUUID: 'WS1',
    MethodUUID: 'M1',
    PrimaryUseCategoryCV: 'Irrigation',
    BeneficialUseCategoryCV: 'Irrigation, Domestic',
    AllocationCommunityWaterSupplySystem: 'Clear Creek Water',
  };
  const timeframe = { TimeframeStart: '2002-01-01', TimeframeEnd: '2002-12-31' };
  expect(examples).toEqual({
    added: [{ ...key, ...timeframe, ReportYear: '1999' }],
    removed: [{ ...key, ...timeframe, ReportYear: '2002' }],
    changed: [
      {
        identity: { ...key, TimeframeStart: '2000-01-01', TimeframeEnd: '2000-12-31', ReportYear: '2000' },
        members: [
          { member: 'Amount', before: 200, after: 7 },
          { member: 'IrrigatedAcreage', before: null, after: 3 },
        ],
      },
    ],
  });
});

test('identifies allocations by their identifiers and shows lists as text', async () => {
  const changed = withCells(allocationsSubmission, 'waterallocations.csv', 0, { BeneficialUseCategory: 'Irrigation' });
  const { examples } = await loadTwice(allocationsSubmission, changed);
  expect(examples).toMatchObject({
    changed: [
      {
        identity: { AllocationNativeID: '0042' },
        members: [{ member: 'BeneficialUses', before: '["Irrigation","Stockwatering"]', after: '["Irrigation"]' }],
      },
    ],
  });
});

test('says which sites of a right are new, gone or changed, and how far they moved', async () => {
  const [first] = getRows(allocationsSubmission, 'sites.csv');
  const site = (id: string, cells: Row = {}): Row => ({ ...first, SiteUUID: id, SiteName: `Site ${id}`, ...cells });
  const withSites = (list: string, sites: readonly Row[]): Submission =>
    withCells(withRows(allocationsSubmission, 'sites.csv', sites), 'waterallocations.csv', 0, { SiteUUID: list });
  await service().load(
    withSites('A,B,C', [
      site('S1'),
      site('A', { Longitude: -111, Latitude: 40 }),
      site('B', { County: 'Cache' }),
      site('C'),
    ]),
  );
  const report = await service().load(
    withSites('A,B,D', [
      site('S1'),
      site('A', { Longitude: -111, Latitude: 40.0108 }),
      site('B', { County: 'Rich' }),
      site('D'),
    ]),
  );
  const [change] = onlyDataSet(report).examples?.changed ?? [];
  expect(change?.members).toEqual(
    expect.arrayContaining([
      { member: 'Sites', before: 'C', after: null },
      { member: 'Sites', before: null, after: 'D' },
      { member: 'Longitude, Latitude of site A', before: '-111, 40', after: '-111, 40.0108' },
      { member: 'County of site B', before: 'Cache', after: 'Rich' },
    ]),
  );
  expect(reportMarkdown(report)).toContain(
    'site `C` removed; site `D` added; site A moved 1.2 km: Longitude, Latitude `-111, 40` → `-111, 40.0108`; ' +
      'County of site B `Cache` → `Rich`',
  );
});

test("shows both orders if only the order of a right's sites changed", async () => {
  const [one, ...others] = getRows(allocationsSubmission, 'sites.csv');
  const sites = withRows(allocationsSubmission, 'sites.csv', [one ?? {}, ...others, { ...one, SiteUUID: 'A' }]);
  const withList = (list: string): Submission => withCells(sites, 'waterallocations.csv', 0, { SiteUUID: list });
  const id = String(one?.['SiteUUID']);
  const { examples } = await loadTwice(withList(`A,${id}`), withList(`${id},A`));
  expect(examples?.changed[0]?.members).toEqual([{ member: 'Order of Sites', before: `A, ${id}`, after: `${id}, A` }]);
});

test('counts all differences and shows the first twenty of each kind', async () => {
  const { change, examples } = await loadTwice(
    years(90, (year) => year),
    years(80, (year) => (year < 1950 ? year : year + 1)),
  );
  expect(change).toEqual({ added: 0, removed: 10, changed: 30 });
  expect(examples?.removed.map(({ ReportYear }) => ReportYear)).toEqual(
    Array.from({ length: 10 }, (_, index) => String(1980 + index)),
  );
  expect(examples?.changed.map(({ identity }) => identity['ReportYear'])).toEqual(
    Array.from({ length: 20 }, (_, index) => String(1950 + index)),
  );
});

test('totals per use count a record under each of its uses, regardless of spelling', async () => {
  const rows = getRows(siteAmountsSubmission, FILE).map((row, index) => ({
    ...row,
    BeneficialUseCategory: index === 0 ? 'irrigation' : 'Mining',
    PrimaryUseCategory: '',
    Amount: 10,
  }));
  const { totals } = await loadTwice(siteAmountsSubmission, withRows(siteAmountsSubmission, FILE, rows));
  expect(totals?.uses).toEqual([
    { use: 'Mining', unit: 'AF', before: null, after: { records: 5, sums: { Amount: 50 } } },
    {
      use: 'irrigation',
      unit: 'AF',
      before: { records: 6, sums: { Amount: 1200.6 } },
      after: { records: 1, sums: { Amount: 10 } },
    },
    { use: 'Domestic', unit: 'AF', before: { records: 6, sums: { Amount: 1200.6 } }, after: null },
  ]);
});

test('totals of allocations add up flow and volume and ignore missing values', async () => {
  const { totals } = onlyDataSet(await service().load(allocationsSubmission));
  expect(totals?.variables).toMatchObject([
    { unit: null, after: { records: 2, sums: { AllocationFlow_CFS: 1.75, AllocationVolume_AF: 300 } } },
  ]);
});

test('real data are not compared with samples', async () => {
  await service().load(siteAmountsSubmission, { isSample: true });
  const real = onlyDataSet(await service().load(withCells(siteAmountsSubmission, FILE, 0, { Amount: 1 })));
  expect(real).toMatchObject({ formerReleaseId: null, change: { added: 6, removed: 0, changed: 0 }, examples: null });
});

test('compares with the release that is current at the time of the publish', async () => {
  await service().load(siteAmountsSubmission);
  const between = await service().load(withCells(siteAmountsSubmission, FILE, 0, { Amount: 5 }), { isDryRun: true });
  const { folder, store } = service();
  const other = writeSubmission(join(folder, 'between'), withCells(siteAmountsSubmission, FILE, 0, { Amount: 5 }));
  let isFirst = true;
  const slow: Store = Object.assign(Object.create(store) as Store, {
    publish: async (...args: Parameters<Store['publish']>) => {
      if (isFirst) {
        isFirst = false;
        await service().loadFolder(other);
      }
      return store.publish(...args);
    },
  });
  const next = withCells(siteAmountsSubmission, FILE, 1, { Amount: 6 });
  const report = onlyDataSet(await service().load(next, { store: slow }));
  expect(report.formerReleaseId).toBe(onlyDataSet(between).releaseId);
  expect(report.change).toEqual({ added: 0, removed: 0, changed: 2 });
  expect(report.examples?.changed.map(({ members }) => members)).toEqual([
    [{ member: 'Amount', before: 5, after: 200 }],
    [{ member: 'Amount', before: 200.1, after: 6 }],
  ]);
});

test('lists the uses without a USGS category, and whether the table contains them', async () => {
  const uses = ['Commercial', 'Unheard of', 'Irrigation', 'Unheard of', 'Mining', 'Own'];
  const rows = getRows(siteAmountsSubmission, FILE).map((row, index) => ({
    ...row,
    PrimaryUseCategory: '',
    BeneficialUseCategory: uses[index] ?? '',
  }));
  const submission = {
    ...withRows(siteAmountsSubmission, FILE, rows),
    'beneficialuses.csv': [{ BeneficialUseCategory: 'Own', USGSCategoryNameCV: 'Mining' }],
  };
  expect(onlyDataSet(await service().load(submission)).uncategorizedUses).toEqual([
    { use: 'Unheard of', records: 2, primaryUse: null },
    { use: 'Commercial', records: 1, primaryUse: 'Commercial' },
  ]);
});

async function listWarnings(...submissions: readonly Submission[]): Promise<readonly QualityWarning[]> {
  let warnings: readonly QualityWarning[] = [];
  for (const submission of submissions) {
    warnings = (await service().load(submission)).dataSets.flatMap((dataSet) => dataSet.qualityWarnings);
  }
  return warnings;
}

function withSite(cells: Row): Submission {
  return withCells(siteAmountsSubmission, 'sites.csv', 0, cells);
}

test('reports that more than 20 percent of the records are gone, also in the sentence of the verdict', async () => {
  await service().load(createAmounts(10));
  const { dataSets, sentence } = await service().load(createAmounts(7));
  expect(dataSets[0]?.qualityWarnings).toEqual([
    {
      name: 'records-gone',
      count: 3,
      examples: [],
      sentence: '3 records of the 10 of the previous release are gone (30 percent).',
    },
  ]);
  expect(sentence).toBe(
    'Published 7 records of SiteVariableAmounts: 0 added, 3 removed, 0 changed. A person should look at it: records-gone.',
  );
});

test('reports a site that moved by more than 0.1 degree', async () => {
  expect(await listWarnings(siteAmountsSubmission, withSite({ Longitude: '-111.25', Latitude: '40.5' }))).toEqual([
    {
      name: 'place-moved',
      count: 1,
      sentence: '1 site is more than 0.1 degree from its position in the previous release.',
      examples: [{ identity: { SiteUUID: 'S1' }, member: null, before: '-111.5 40.5', after: '-111.25 40.5' }],
    },
  ]);
});

test.each<[string, Submission, Submission]>([
  ['a fifth of the records is removed', createAmounts(10), createAmounts(8)],
  [
    'a site moves by less than 0.1 degree',
    siteAmountsSubmission,
    withSite({ Longitude: '-111.45', Latitude: '40.55' }),
  ],
  ['a place loses its coordinates', siteAmountsSubmission, withSite({ Longitude: '', Latitude: '' })],
])('reports nothing if %s', async (_, before, after) => {
  expect(await listWarnings(before, after)).toEqual([]);
});

test('reports a reporting unit whose bounding box moved', async () => {
  const Geometry = 'POLYGON ((-112 40, -111 40, -111 41, -112 41, -112 40))';
  const moved = withCells(aggregatedSubmission, 'reportingunits.csv', 0, { Geometry });
  expect(await listWarnings(aggregatedSubmission, moved)).toMatchObject([
    {
      name: 'place-moved',
      count: 1,
      examples: [{ identity: { ReportingUnitUUID: 'RU1' }, before: '-111.5 41.5', after: '-111.5 40.5' }],
    },
  ]);
});

test('reports an amount that changed by a factor of 100 under the same key', async () => {
  expect(
    await listWarnings(siteAmountsSubmission, withCells(siteAmountsSubmission, FILE, 1, { Amount: 20010 })),
  ).toMatchObject([
    {
      name: 'amount-jumped',
      count: 1,
      sentence: '1 record has an amount that moved by a factor of 100 or more.',
      examples: [{ identity: { SiteUUID: 'S1', ReportYear: '2001' }, member: 'Amount', before: 200.1, after: 20010 }],
    },
  ]);
});

test.each([
  [1, 100, true],
  [1.1, 110, true],
  [100, 1, true],
  [-2, 200, true],
  [1, 99, false],
  [0, 500, false],
  [500, 0, false],
  [null, 500, false],
  [500, null, false],
  [3, 3, false],
])('a change from %p to %p is a jump: %p', (before, after, expected) => {
  expect(isJump(before, after)).toBe(expected);
});

test('reports reversed timeframes only if all of them are reversed', async () => {
  const rows = getRows(siteAmountsSubmission, FILE).map((row) => ({
    ...row,
    TimeframeStart: row['TimeframeEnd'] ?? '',
    TimeframeEnd: row['TimeframeStart'] ?? '',
  }));
  expect(await listWarnings(withRows(siteAmountsSubmission, FILE, rows))).toEqual([
    {
      name: 'timeframes-reversed',
      count: 6,
      examples: [],
      sentence: 'TimeframeStart is after TimeframeEnd in each of the 6 records with both dates.',
    },
  ]);
  const [first, ...others] = rows;
  const straight = { ...first, TimeframeStart: '2000-01-01', TimeframeEnd: '2000-12-31' };
  await service().load(withRows(siteAmountsSubmission, FILE, rows));
  expect((await service().load(withRows(siteAmountsSubmission, FILE, rows))).sentence).toMatch(
    /^Nothing changes: .*exactly the same\. A person should look at it: timeframes-reversed\.$/,
  );
  expect(await listWarnings(withRows(siteAmountsSubmission, FILE, [straight, ...others]))).not.toContainEqual(
    expect.objectContaining({ name: 'timeframes-reversed' }),
  );
});

test('reports a site outside the state of its organization', async () => {
  const outside = withCells(siteAmountsSubmission, 'sites.csv', 0, { Longitude: '40.5', Latitude: '-111.5' });
  const far = withCells(siteAmountsSubmission, 'sites.csv', 0, { Longitude: '111.5', Latitude: '40.5' });
  expect(await listWarnings(outside)).toEqual([]);
  expect((await listWarnings(far)).filter(({ name }) => name === 'outside-state')).toEqual([
    {
      name: 'outside-state',
      count: 1,
      sentence: '1 site is more than 0.5 degrees outside the box around Utah.',
      examples: [{ identity: { SiteUUID: 'S1' }, member: null, before: null, after: '111.5 40.5' }],
    },
  ]);
});

test.each([
  ['UT', -111.5, 40.5, false],
  ['UT', -108.6, 40.5, false],
  ['UT', -108.4, 40.5, true],
  ['UT', -111.5, 42.65, true],
  ['AK', -150, 61, false],
  ['AK', 173, 52.8, false],
  ['AK', 0, 61, true],
  ['HI', -157.8, 21.3, false],
  ['GU', 144.8, 13.4, false],
  ['US', 10, 50, false],
])('for %s, the point %p %p is outside: %p', (state, longitude, latitude, expected) => {
  expect(isOutsideState(state, [longitude, latitude, longitude, latitude])).toBe(expected);
});

test('a reporting unit that crosses the border of its state is not outside', () => {
  expect(isOutsideState('UT', [-109.5, 38, -105, 41])).toBe(false);
});
