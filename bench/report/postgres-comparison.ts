// Compares the figures with the best alternative: a service that builds the same response envelope with one SQL query
// per request. Source: a hand-tuned PostgreSQL and PostGIS service, measured on the same kind of machine with 1,000,000
// amounts, 280,000 rights and 30,000 aggregated amounts; warm medians in milliseconds. Sending 8.4 MB from memory took
// 5 to 8 ms there.

import type { BenchmarkReport } from '../measure/benchmark';
import { geometricMean } from '../measure/quantiles';
import type { RequestName } from '../measure/requests';
import type { WalkName } from '../measure/time-requests';

const postgresRows: Partial<Readonly<Record<RequestName, number>>> = {
  'first page of 1,000': 45,
  '10,000 records': 222,
  'page at 10 percent': 22,
  'page at 50 percent': 37,
  'page at 99 percent': 60,
  'one long series': 120,
  'one short series': 1.6,
  'county and dates': 24,
  'use and type, first page': 23,
  'use and type, 50 percent': 36,
  'small polygon': 19,
  'large polygon': 67,
  'large polygon, cold': 89,
  'rights, first page': 99,
  'rights, 10,000': 669,
  'rights, large polygon': 81,
  'rights, large polygon, cold': 239,
  'first page, 304': 0.4,
};

/** The first page of a newly started service. */
const FIRST_ANSWER = 69;

const COMPARED_WALK: WalkName = 'filtered, 100,000 records, 1,000 a page';
const WALKED_RECORDS = 100_000;
const WALK_MILLISECONDS = 4130;

/**
 * Answers per second, keyed by the number of clients. The mix of requests is not known, so our mix is weighted to cost
 * PostgreSQL the same.
 */
const postgresAnswersASecond: ReadonlyMap<number, number> = new Map([
  [1, 15],
  [8, 30],
  [32, 29],
]);

const P99_OF_32_CLIENTS = 2315;

/** The time for sending 8.4 MB from memory there. */
const MIN_REFERENCE_MS = 5;
const MAX_REFERENCE_MS = 8;
const REFERENCE_MS = (MIN_REFERENCE_MS + MAX_REFERENCE_MS) / 2;

export interface ComparedRow {
  readonly name: string;
  /** The time as measured there, and that time scaled by the floor to this run's machine and time. */
  readonly postgres: number;
  readonly scaled: number;
  readonly own: number;
  readonly unit: 'ms' | 'answers/s';
  /** Above 1 if our service is faster. */
  readonly timesFaster: number;
}

export interface Comparison {
  /** The floor of this run divided by the floor of the PostgreSQL machine. */
  readonly scale: number;
  readonly rows: readonly ComparedRow[];
  readonly mean: number;
  /** The mean for the slowest and for the fastest floor that was measured on the PostgreSQL machine. */
  readonly meanRange: readonly [number, number];
}

export function compareWithPostgres(report: BenchmarkReport): Comparison {
  const scale = report.referenceFloor / REFERENCE_MS;
  const rows = [
    ...listTimes(report).map(([name, postgres, own]) => compareTime(name, postgres, own, scale)),
    ...report.loads.flatMap(({ clients, service }) => {
      const postgres = postgresAnswersASecond.get(clients);
      return postgres === undefined ? [] : [compareRate(formatLoadName(clients), postgres, service.perSecond, scale)];
    }),
  ];
  const mean = geometricMean(rows.map((row) => row.timesFaster));
  const meanRange = [(mean * REFERENCE_MS) / MAX_REFERENCE_MS, (mean * REFERENCE_MS) / MIN_REFERENCE_MS] as const;
  return { scale, rows, mean, meanRange };
}

/** The name, the milliseconds of the PostgreSQL service and our milliseconds, for the rows that both have. */
function listTimes(report: BenchmarkReport): (readonly [string, number, number])[] {
  const times: (readonly [string, number | undefined, number])[] = [
    ['first page of 1,000, first of a process', FIRST_ANSWER, report.coldStart.firstAnswer],
    ...report.rows.map((row) => [row.name, postgresRows[row.name], row.median] as const),
    ...report.walks.map((walk) => {
      // A walk over fewer records ends earlier, so the two cannot be compared.
      const isSame = walk.name === COMPARED_WALK && walk.records === WALKED_RECORDS;
      return [walk.name, isSame ? WALK_MILLISECONDS : undefined, walk.median] as const;
    }),
    ...report.loads.map(({ clients, service }) => {
      return [`${formatLoadName(clients)}, p99`, clients === 32 ? P99_OF_32_CLIENTS : undefined, service.p99] as const;
    }),
  ];
  return times.flatMap(([name, postgres, own]) => (postgres === undefined ? [] : [[name, postgres, own] as const]));
}

function compareTime(name: string, postgres: number, own: number, scale: number): ComparedRow {
  const scaled = postgres * scale;
  return { name, postgres, scaled, own, unit: 'ms', timesFaster: scaled / own };
}

function compareRate(name: string, postgres: number, own: number, scale: number): ComparedRow {
  const scaled = postgres / scale;
  return { name, postgres, scaled, own, unit: 'answers/s', timesFaster: own / scaled };
}

function formatLoadName(clients: number): string {
  return `mixed load, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
}
