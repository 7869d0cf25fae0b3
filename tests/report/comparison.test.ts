import type { DataSetOutcome, Report } from '../../data-loaders/format/report';
import {
  allocationsSubmission,
  type Row,
  siteAmountsSubmission,
  type Submission,
  writeSubmission,
} from '../fixtures/submission';
import { rowsOf, withCells, withRows } from '../fixtures/submission-changes';
import { servicesOfTests } from '../fixtures/test-service';
import { join } from 'node:path';
import type { Store } from '../../shared/store/port';

const FILE = 'sitespecificamounts.csv';
const service = servicesOfTests();

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
  const [first] = rowsOf(siteAmountsSubmission, FILE);
  const rows = Array.from({ length: count }, (_, index): Row => ({
    ...first,
    ReportYearCV: 1900 + index,
    Amount: amountOf(1900 + index),
  }));
  return withRows(siteAmountsSubmission, FILE, rows);
}

test('the first release of a data set counts all records as added, without examples and without totals before', async () => {
  const dataSet = onlyDataSet(await service().load(siteAmountsSubmission));
  expect(dataSet).toMatchObject({ change: { added: 6, removed: 0, changed: 0 }, examples: null, smells: [] });
  expect(dataSet.totals?.variables).toEqual([
    {
      ...{ variableSpecificUuid: 'V1', variableSpecific: 'Withdrawal_Irrigation', unit: 'AF', before: null },
      after: { records: 6, sums: { Amount: 1200.6 } },
    },
  ]);
});

test('shows which records were added, removed and changed, and both values of each member that differs', async () => {
  const [one, two, three, ...others] = rowsOf(siteAmountsSubmission, FILE);
  const rows = [{ ...one, Amount: 7, IrrigatedAcreage: 3 }, { ...two }, ...others, { ...three, ReportYearCV: 1999 }];
  const { examples } = await loadTwice(siteAmountsSubmission, withRows(siteAmountsSubmission, FILE, rows));
  const key = {
    ...{ SiteUUID: 'S1', VariableSpecificUUID: 'V1', WaterSourceUUID: 'WS1', MethodUUID: 'M1' },
    ...{ PrimaryUseCategoryCV: 'Irrigation', BeneficialUseCategoryCV: 'Irrigation, Domestic' },
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

test('totals per use count a record under each of its uses, whatever the spelling', async () => {
  const rows = rowsOf(siteAmountsSubmission, FILE).map((row, index) => ({
    ...row,
    BeneficialUseCategory: index === 0 ? 'irrigation' : 'Mining',
    PrimaryUseCategory: '',
    Amount: 10,
  }));
  const { totals } = await loadTwice(siteAmountsSubmission, withRows(siteAmountsSubmission, FILE, rows));
  expect(totals?.uses).toEqual([
    { use: 'Mining', unit: 'AF', before: null, after: { records: 5, sums: { Amount: 50 } } },
    {
      ...{ use: 'irrigation', unit: 'AF', before: { records: 6, sums: { Amount: 1200.6 } } },
      after: { records: 1, sums: { Amount: 10 } },
    },
    { use: 'Domestic', unit: 'AF', before: { records: 6, sums: { Amount: 1200.6 } }, after: null },
  ]);
});

test('totals of allocations are sums of flow and of volume, to which missing ones add nothing', async () => {
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

test('compares with the release that is current at the publish when another load published in between', async () => {
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

test('lists the uses that are in no USGS category, and whether the table knows them', async () => {
  const uses = ['Commercial', 'Unheard of', 'Irrigation', 'Unheard of', 'Mining', 'Own'];
  const rows = rowsOf(siteAmountsSubmission, FILE).map((row, index) => ({
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
