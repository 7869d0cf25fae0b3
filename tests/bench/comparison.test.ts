// The comparison with PostgreSQL is computed and not copied: it is scaled by the floor of the run, and no slower row
// is left out.

import { mixWeights, type RequestName } from '../../bench/measure/requests';
import type { BenchmarkReport } from '../../bench/measure/benchmark';
import { compareWithPostgres, postgresAnswersASecond, postgresRows } from '../../bench/report/postgres-comparison';
import { reportTables } from '../../bench/report/report-tables';
import { consoleText, markdownText } from '../../bench/report/table-text';

const WALK = 'filtered, 100,000 records, 1,000 a page';

const load = { answers: 600, errors: 0, bytes: 1e9, p50: 20, p95: 50, p99: 100, slowest: 200, clientCores: 0.1 };

/** The figures of a machine twice as slow as that of the table. */
const report: BenchmarkReport = {
  machine: '2 cores',
  date: '2026-01-02',
  records: 1_000_000,
  storeMegabytes: 900,
  loading: [{ kind: 'SiteVariableAmounts', rows: 1_000_000, seconds: 25, peakMegabytes: 300 }],
  coldStart: { toFirstAnswer: 300, firstAnswer: 69, nodeMilliseconds: 30, moduleMilliseconds: 150 },
  rows: [
    { name: 'first page of 1,000', median: 3, p95: 4, floor: 1.5, bytes: 869_000 },
    { name: 'one short series', median: 32, p95: 40, floor: 1, bytes: 33_000 },
    { name: 'dates alone', median: 2, p95: 3, floor: 1, bytes: 867_000 },
  ],
  walks: [{ name: WALK, records: 100_000, median: 413, floor: 200, bytes: 1e8 }],
  referenceFloor: 13,
  loads: [{ clients: 32, service: { ...load, perSecond: 29 }, floor: { ...load, perSecond: 58 }, nextPlace: 1600 }],
  memory: { afterStart: 50, afterRows: 200, afterLoads: 250 },
  remarks: [],
};

test('times are scaled by the floor of the run, and answers a second the other way', () => {
  const { scale, rows } = compareWithPostgres(report);
  expect(scale).toBe(2);
  expect(rows.map(({ name, timesFaster }) => [name, timesFaster])).toEqual([
    ['first page of 1,000, first of a process', 2],
    ['first page of 1,000', 30],
    ['one short series', 0.1],
    [WALK, 20],
    ['mixed load, 32 clients, p99', 46.3],
    ['mixed load, 32 clients', 2],
  ]);
});

test('a walk over less data is not compared: it is another walk', () => {
  const short = { ...report, walks: report.walks.map((walk) => ({ ...walk, records: 46_000 })) };
  expect(compareWithPostgres(short).rows.map((row) => row.name)).not.toContain(WALK);
});

test('warns of a scale far from 1', () => {
  const notesAt = (referenceFloor: number): string =>
    reportTables({ ...report, referenceFloor })
      .map(consoleText)
      .join();
  expect(notesAt(13)).not.toContain('compare with care');
  expect(notesAt(26)).toContain('compare with care');
});

test('the mean is geometric, and its range follows from the range of the other floor', () => {
  const { mean, meanRange } = compareWithPostgres(report);
  expect(mean).toBeCloseTo((2 * 30 * 0.1 * 20 * 46.3 * 2) ** (1 / 6));
  expect(meanRange[0]).toBeCloseTo(mean * (6.5 / 8));
  expect(meanRange[1]).toBeCloseTo(mean * (6.5 / 5));
});

test('slower rows are named', () => {
  const text = reportTables(report).map(consoleText).join('\n');
  expect(text).toContain('Slower rows: one short series.');
});

test('the mixed load would cost the PostgreSQL service what one client measured there', () => {
  // The two rows that were not measured there are taken to cost what county and dates do.
  const timeOf = (name: RequestName): number => postgresRows[name] ?? 24;
  const weights = Object.entries(mixWeights) as [RequestName, number][];
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  const milliseconds = weights.reduce((sum, [name, weight]) => sum + (weight / total) * timeOf(name), 0);
  const measured = postgresAnswersASecond.get(1) ?? NaN;
  expect(1000 / milliseconds / measured).toBeGreaterThan(0.97);
  expect(1000 / milliseconds / measured).toBeLessThan(1.03);
});

test('a table is written for Markdown with its columns under each other', () => {
  const table = { title: 'T', columns: ['Name', 'ms'], rows: [['a', '1,234']], notes: ['Note.'] };
  expect(markdownText(table)).toBe('## T\n\n| Name |    ms |\n| ---- | ----: |\n| a    | 1,234 |\n\nNote.');
});
