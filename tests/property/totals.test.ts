// Totals equal those of a plain scan of the submitted rows, for random filters and groups, over random and real
// submissions (D38 to D40).

import fc from 'fast-check';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { compareUtf8 } from '../../shared/values/compare-utf8';
import { type PlainRecord, readPlainRecords } from '../fixtures/plain-records';
import { getFold, matchesPlainly, OPERATIONS, type PlainQuery, writePath } from '../fixtures/plain-search';
import {
  computeTotalsPlainly,
  GROUPINGS,
  listVariableMembers,
  type PlainTotals,
  sumExactly,
} from '../fixtures/plain-totals';
import { createQueries } from '../fixtures/queries-about';
import { drawQuery, randomSubmission } from '../fixtures/random-submission';
import { loadRealRecords } from '../fixtures/real-submissions';
import { chooseSeed, countCases, isSoak, printInSoak } from '../fixtures/soak';
import type { Row } from '../fixtures/submission';
import { createServiceForEachTest } from '../fixtures/test-service';

const SEED = 20_260_308;

type AnsweredRow = Readonly<Record<string, string | number | null>>;

const serviceOfTest = createServiceForEachTest();

const YEARS = Array.from({ length: 20 }, (_, index) => 1996 + index);

function totalsPath(kind: DataSetKind, query: PlainQuery, groupings: readonly string[]): string {
  const groups = groupings.map((name) => `GroupBy=${name}`).join('&');
  return writePath(kind, query, `${groups}&RecordCount=10000`).replace(OPERATIONS[kind], `${OPERATIONS[kind]}/Totals`);
}

/** Whether a value is the sum to 15 digits; null for a sum beyond the doubles. */
function isSum(answered: unknown, values: readonly number[]): boolean {
  const sum = values.length === 0 ? null : sumExactly(values);
  if (sum === null || !Number.isFinite(sum)) return answered === null;
  return typeof answered === 'number' && Math.abs(answered - sum) <= Math.abs(sum) * 1e-14;
}

/** The members that must be equal exactly; sums and means may differ in their last digits. */
function exactMembers(
  kind: DataSetKind,
  { records, values: [first = [], second = []], firstDay, lastDay, places }: PlainTotals,
): AnsweredRow {
  if (kind === 'WaterAllocations') {
    const counts = { RecordsCount: records, FlowCount: first.length, VolumeCount: second.length, SitesCount: places };
    return { ...counts, FirstPriorityDate: firstDay, LastPriorityDate: lastDay };
  }
  return {
    RecordsCount: records,
    AmountsCount: first.length,
    PlacesCount: places,
    FirstDay: firstDay,
    LastDay: lastDay,
    Minimum: first.length === 0 ? null : Math.min(...first),
    Maximum: first.length === 0 ? null : Math.max(...first),
  };
}

/** The members in which the row differs from the plain scan; an `expect` for each would take most of the time. */
function wrongMembers(kind: DataSetKind, row: AnsweredRow, plain: PlainTotals): readonly string[] {
  const wrong = Object.entries(exactMembers(kind, plain)).flatMap(([name, value]) => (row[name] === value ? [] : name));
  const [first = [], second = []] = plain.values;
  if (kind === 'WaterAllocations') {
    if (!isSum(row['FlowSum'], first)) wrong.push('FlowSum');
    if (!isSum(row['VolumeSum'], second)) wrong.push('VolumeSum');
    return wrong;
  }
  if (!isSum(row['Sum'], first)) wrong.push('Sum');
  if (first.length > 0 && !isMean(row['Mean'], first)) wrong.push('Mean');
  if (!isShare(row['LargestAmountShare'], first)) wrong.push('LargestAmountShare');
  return wrong;
}

/** Whether a share is correct: by magnitude and at most 1, because amounts of both signs may cancel out. */
function isShare(answered: unknown, values: readonly number[]): boolean {
  const sum = sumExactly(values);
  if (values.length === 0 || sum === 0 || !Number.isFinite(sum)) return answered === null;
  const share = Math.min(1, Math.max(...values.map(Math.abs)) / Math.abs(sum));
  return typeof answered === 'number' && Math.abs(answered - share) <= 1e-6;
}

function isMean(answered: unknown, values: readonly number[]): boolean {
  const { length } = values;
  const mean = sumExactly(values.map((value) => value / length));
  // The error of divided values, which lose a part of their last digit.
  const lost = values.reduce((sum, value) => sum + Math.abs(value / length), 0) * 2 ** -53;
  return typeof answered === 'number' && Math.abs(answered - mean) <= Math.abs(mean) * 1e-14 + lost;
}

async function expectTotals(
  kind: DataSetKind,
  records: readonly PlainRecord[],
  query: PlainQuery,
  groupings: readonly string[],
): Promise<void> {
  const expected = computeTotalsPlainly(
    kind,
    records.filter((record) => matchesPlainly(record, query)),
    groupings,
  );
  const path = totalsPath(kind, query, groupings);
  const { status, json, text } = await serviceOfTest().get(path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  const rows = json.Totals as readonly AnsweredRow[];
  const members = listVariableMembers(kind, groupings).map(([member]) => member);
  const shown = groupings.map((name) => shownName(kind, name));
  const keyOf = (row: AnsweredRow): string => {
    const groups = shown.map((name) => (row[name] === null ? null : getFold(name)(String(row[name]))));
    return JSON.stringify([...groups, ...members.map((member) => row[member])]);
  };
  expect({ path, keys: rows.map(keyOf).sort() }).toEqual({ path, keys: [...expected.keys()].sort() });
  expect(json.TotalGroupsCount).toBe(expected.size);
  const wrong = rows.flatMap((row) => {
    const plain = expected.get(keyOf(row));
    const members = plain === undefined ? ['its group'] : wrongMembers(kind, row, plain);
    return members.length === 0 ? [] : [{ members, row, plain }];
  });
  expect({ path, wrong }).toEqual({ path, wrong: [] });
  expectOrder(rows.map((row) => [...shown, ...members].map((name) => row[name] as string | null)));
}

/** The name as the operation spells it. */
function shownName(kind: DataSetKind, name: string): string {
  return kind === 'AggregatedAmounts' ? name.replace('USGS', 'Usgs') : name;
}

/** Expects the rows to be sorted by their members: null first, strings by their UTF-8 bytes. */
function expectOrder(rows: readonly (readonly (string | null)[])[]): void {
  const compare = (a: string | null, b: string | null): number =>
    a === null || b === null ? Number(a !== null) - Number(b !== null) : compareUtf8(a, b);
  const sorted = [...rows].sort(
    (a, b) => a.map((text, index) => compare(text, b[index] ?? null)).find((one) => one !== 0) ?? 0,
  );
  expect(rows).toEqual(sorted);
}

test('random filters and groups over random submissions give the totals of a plain scan', async () => {
  let rows = 0;
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: countCases(8, 0.3) })) {
    await serviceOfTest().load(submission);
    for (const kind of DATA_SET_KINDS) {
      const records = readPlainRecords(kind, submission);
      const groups = fc.subarray([...GROUPINGS[kind]], { maxLength: 3 });
      for (const [query, by] of fc.sample(fc.tuple(drawQuery(kind), groups), {
        seed: SEED,
        numRuns: countCases(40, 0.625),
      })) {
        await expectTotals(kind, records, query, by);
        rows++;
      }
    }
  }
  expect(rows).toBeGreaterThan(200);
});

test('random totals over long series, with bounds and other filters, equal those of a plain scan', async () => {
  // Few amounts exceed most bounds, so that some series match completely and others in part.
  const amount = fc.oneof(
    { weight: 60, arbitrary: fc.integer({ min: -40, max: 40 }) },
    fc.constantFrom(1e16, -0.1, -60),
  );
  const bounds = fc.constantFrom<NonNullable<PlainQuery['bounds']>>(
    { MaximumAmount: 59.5 },
    { MaximumAmount: 1127 },
    { MinimumAmount: -58 },
    { MinimumAmount: 0 },
    { MinimumAmount: -50, MaximumAmount: 50.25 },
    {},
  );
  // Most queries have only one bound, because more filters leave too few records.
  const query = fc.oneof(
    bounds.map((some): PlainQuery => ({ bounds: some })),
    fc.tuple(drawQuery('SiteVariableAmounts'), bounds).map(([one, some]) => ({ ...one, bounds: some })),
  );
  const groups = fc.subarray([...GROUPINGS.SiteVariableAmounts], { maxLength: 3 });
  const seed = chooseSeed(SEED + 2);
  let checked = 0;
  for (const drawn of fc.sample(randomSubmission, { seed, numRuns: countCases(10, 0.2) })) {
    // Each site has only one series of a variable, because several series would be interleaved by date.
    const rowOfSeries = ({ SiteUUID, VariableSpecificUUID }: Row): string => `${SiteUUID} ${VariableSpecificUUID}`;
    const templates = [
      ...new Map((drawn['sitespecificamounts.csv'] ?? []).map((row) => [rowOfSeries(row), row])).values(),
    ];
    const amounts = fc.sample(amount, { seed, numRuns: templates.length * YEARS.length });
    const [first, second] = drawn['variables.csv'] ?? [];
    const submission = {
      ...drawn,
      // Two variables with each name, so that one row of totals combines several series of a site.
      'variables.csv': [first, second, first, second].map((row, of) => ({ ...row, VariableSpecificUUID: `V${of}` })),
      'sitespecificamounts.csv': templates.flatMap((row, of) => createSeries(row, of, amounts)),
    };
    await serviceOfTest().load(submission);
    const records = readPlainRecords('SiteVariableAmounts', submission);
    for (const [one, by] of fc.sample(fc.tuple(query, groups), { seed, numRuns: countCases(200, 0.2) })) {
      await expectTotals('SiteVariableAmounts', records, one, by);
      checked++;
    }
  }
  printInSoak(`${checked} totals over long series`);
  expect(checked).toBeGreaterThan(70);
});

/** The row, repeated for each year. */
function createSeries(row: Row, index: number, amounts: readonly number[]): readonly Row[] {
  return YEARS.map((year, at) => ({
    ...row,
    ReportYearCV: year,
    TimeframeStart: `${year}-01-01`,
    TimeframeEnd: `${year}-12-31`,
    Amount: amounts[index * YEARS.length + at] ?? 0,
  }));
}

test('groups by every name and by pairs of names over the real submissions give the totals of a plain scan', async () => {
  const all = await loadRealRecords(serviceOfTest());
  for (const kind of DATA_SET_KINDS) {
    const records = all[kind];
    const names = GROUPINGS[kind];
    for (const name of names) await expectTotals(kind, records, {}, [name]);
    const pairs = fc.sample(fc.subarray([...names], { minLength: 2, maxLength: 2 }), { seed: SEED, numRuns: 6 });
    const queries = createQueries(kind, records).filter((_, index) => index % (isSoak ? 5 : 20) === 0);
    for (const [index, query] of queries.entries()) await expectTotals(kind, records, query, pairs[index % 6] ?? []);
  }
});
