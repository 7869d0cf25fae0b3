// Totals are what a plain scan of the submitted rows adds up to, for random filters and groups, over random and real
// submissions (D38 to D40).

import fc from 'fast-check';
import { DATA_SET_KINDS, type DataSetKind } from '../../shared/records/data-sets';
import { compareUtf8 } from '../../shared/values/text';
import { plainRecords, type PlainRecord } from '../fixtures/plain-records';
import { OPERATIONS, pathOf, plainMatches, type PlainQuery } from '../fixtures/plain-search';
import { foldGroup, GROUPINGS, plainTotals, variableMembers, type PlainTotals } from '../fixtures/plain-totals';
import { queriesFor } from '../fixtures/queries-about';
import { randomQuery, randomSubmission } from '../fixtures/random-submission';
import { loadRealRecords } from '../fixtures/real-records';
import { servicesOfTests } from '../fixtures/services-of-tests';
import { isSoak, soakCases } from '../fixtures/soak';

const SEED = 20_260_308;

type AnsweredRow = Readonly<Record<string, string | number | null>>;

const serviceOfTest = servicesOfTests(3);

const YEARS = Array.from({ length: 20 }, (_, index) => 1996 + index);

function totalsPath(kind: DataSetKind, query: PlainQuery, groupings: readonly string[]): string {
  const groups = groupings.map((name) => `GroupBy=${name}`).join('&');
  return pathOf(kind, query, `${groups}&RecordCount=10000`).replace(OPERATIONS[kind], `${OPERATIONS[kind]}/Totals`);
}

/** A sum that lost nothing but its last digits: what is cancelled may be as large as the largest value. */
function isSum(answered: unknown, values: readonly number[]): boolean {
  if (values.length === 0) return answered === null;
  const bound = values.reduce((sum, value) => sum + Math.abs(value), 0) * 1e-13;
  return Math.abs(Number(answered) - values.reduce((sum, value) => sum + value, 0)) <= bound;
}

/** The members whose values are compared as they are; sums and means differ in their last digits. */
function exactMembers(
  kind: DataSetKind,
  { records, values: [first = [], second = []], firstDay, lastDay, places }: PlainTotals,
): AnsweredRow {
  if (kind === 'WaterAllocations') {
    const counts = { RecordsCount: records, FlowCount: first.length, VolumeCount: second.length, SitesCount: places };
    return { ...counts, FirstPriorityDate: firstDay, LastPriorityDate: lastDay };
  }
  return {
    ...{ RecordsCount: records, AmountsCount: first.length, PlacesCount: places, FirstDay: firstDay, LastDay: lastDay },
    Minimum: first.length === 0 ? null : Math.min(...first),
    Maximum: first.length === 0 ? null : Math.max(...first),
  };
}

/** The members in which the row is not what the plain scan has; an `expect` for each would take most of the time. */
function wrongMembers(kind: DataSetKind, row: AnsweredRow, plain: PlainTotals): readonly string[] {
  const wrong = Object.entries(exactMembers(kind, plain)).flatMap(([name, value]) => (row[name] === value ? [] : name));
  const [first = [], second = []] = plain.values;
  if (kind === 'WaterAllocations') {
    if (!isSum(row['FlowSum'], first)) wrong.push('FlowSum');
    if (!isSum(row['VolumeSum'], second)) wrong.push('VolumeSum');
    return wrong;
  }
  if (!isSum(row['Sum'], first)) wrong.push('Sum');
  if (first.length > 0 && !isMean(row['Mean'], row['Sum'], first.length)) wrong.push('Mean');
  return wrong;
}

function isMean(answered: unknown, sum: unknown, count: number): boolean {
  if (typeof answered !== 'number' || typeof sum !== 'number') return false;
  return Math.abs(answered - sum / count) <= Math.abs(sum / count) * 1e-13;
}

async function expectTotals(
  kind: DataSetKind,
  records: readonly PlainRecord[],
  query: PlainQuery,
  groupings: readonly string[],
): Promise<void> {
  const expected = plainTotals(
    kind,
    records.filter((record) => plainMatches(record, query)),
    groupings,
  );
  const path = totalsPath(kind, query, groupings);
  const { status, json, text } = await serviceOfTest().get(path);
  if (status !== 200) throw new Error(`${path}: ${text}`);
  const rows = json.Totals as readonly AnsweredRow[];
  const members = variableMembers(kind, groupings).map(([member]) => member);
  const shown = groupings.map((name) => shownName(kind, name));
  const keyOf = (row: AnsweredRow): string => {
    const groups = shown.map((name) => (row[name] === null ? null : foldGroup(name, String(row[name]))));
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

/** By their members, null first, by UTF-8 bytes. */
function expectOrder(rows: readonly (readonly (string | null)[])[]): void {
  const compare = (a: string | null, b: string | null): number =>
    a === null || b === null ? Number(a !== null) - Number(b !== null) : compareUtf8(a, b);
  const sorted = [...rows].sort(
    (a, b) => a.map((text, index) => compare(text, b[index] ?? null)).find((one) => one !== 0) ?? 0,
  );
  expect(rows).toEqual(sorted);
}

test('random filters and groups over random submissions', async () => {
  let rows = 0;
  for (const submission of fc.sample(randomSubmission, { seed: SEED, numRuns: soakCases(8, 0.6) })) {
    await serviceOfTest().load(submission);
    for (const kind of DATA_SET_KINDS) {
      const records = plainRecords(kind, submission);
      const groups = fc.subarray([...GROUPINGS[kind]], { maxLength: 3 });
      for (const [query, by] of fc.sample(fc.tuple(randomQuery(kind), groups), { seed: SEED, numRuns: 40 })) {
        await expectTotals(kind, records, query, by);
        rows++;
      }
    }
  }
  expect(rows).toBeGreaterThan(500);
});

test('random filters and groups over long series, of which a filter finds all or a part', async () => {
  const [sample] = fc.sample(randomSubmission, { seed: SEED + 1, numRuns: 1 });
  const submission = {
    ...sample,
    'sitespecificamounts.csv': (sample?.['sitespecificamounts.csv'] ?? []).slice(0, 25).flatMap((row) =>
      YEARS.map((year, index) => ({
        ...{ ...row, ReportYearCV: year, TimeframeStart: `${year}-01-01`, TimeframeEnd: `${year}-12-31` },
        Amount: ((index * 7) % 11) / 4,
      })),
    ),
  };
  await serviceOfTest().load(submission);
  const records = plainRecords('SiteVariableAmounts', submission);
  expect(records.length).toBeGreaterThan(10 * YEARS.length);
  const groups = fc.subarray([...GROUPINGS.SiteVariableAmounts], { maxLength: 2 });
  const drawn = fc.sample(fc.tuple(randomQuery('SiteVariableAmounts'), groups), { seed: SEED, numRuns: 60 });
  for (const [query, by] of drawn) await expectTotals('SiteVariableAmounts', records, query, by);
  // A part of each series.
  for (const [{ text = {} }, by] of drawn.slice(0, 20)) {
    await expectTotals('SiteVariableAmounts', records, { text, from: '1999-01-01', to: '2007-12-31' }, by);
  }
});

test('every name and pairs of names over the real submissions, with and without filters', async () => {
  const all = await loadRealRecords(serviceOfTest());
  for (const kind of DATA_SET_KINDS) {
    const records = all[kind];
    const names = GROUPINGS[kind];
    for (const name of names) await expectTotals(kind, records, {}, [name]);
    const pairs = fc.sample(fc.subarray([...names], { minLength: 2, maxLength: 2 }), { seed: SEED, numRuns: 6 });
    const queries = queriesFor(kind, records).filter((_, index) => index % (isSoak ? 5 : 20) === 0);
    for (const [index, query] of queries.entries()) await expectTotals(kind, records, query, pairs[index % 6] ?? []);
  }
});
