// The tables of a run. Ratios come first, because they are the most meaningful on another machine.

import type { BenchmarkReport } from '../measure/benchmark';
import type { LoadFigures } from '../measure/load-clients';
import { compareWithPostgres } from './postgres-comparison';
import type { Table } from './table-text';

/** A scale above this limit is due to a busy machine rather than to a different processor. */
const MAX_SCALE = 2.5;
const OTHER_MACHINE =
  'So far from 1 the scale says that this machine was busy, or is quite another: compare with care.';

export function reportTables(report: BenchmarkReport): Table[] {
  return [
    requestTable(report),
    walkTable(report),
    comparisonTable(report),
    loadTable(report),
    ...(report.soak === undefined ? [] : [soakTable(report.soak)]),
    serverTable(report),
    loadingTable(report),
  ];
}

export function writeIntroduction(report: BenchmarkReport): string {
  const { records, machine, date } = report;
  return `\`npm run bench -- --records ${records}\`, measured ${date} on ${machine}.`;
}

function requestTable({ rows, remarks }: BenchmarkReport): Table {
  return {
    title: 'Requests',
    columns: ['Request', 'times the floor', 'ms', 'p95 ms', 'floor ms', 'answer, KB'],
    rows: rows.map((row) => [
      row.name,
      formatFigure(row.median / row.floor),
      formatFigure(row.median),
      formatFigure(row.p95),
      formatFigure(row.floor),
      formatWhole(row.bytes / 1000),
    ]),
    notes: remarks,
  };
}

function walkTable({ walks }: BenchmarkReport): Table {
  return {
    title: 'Walks',
    columns: ['Walk', 'times the floor', 'records/s', 'ms', 'floor ms', 'records', 'MB'],
    rows: walks.map((walk) => [
      walk.name,
      formatFigure(walk.median / walk.floor),
      formatWhole((walk.records / walk.median) * 1000),
      formatWhole(walk.median),
      formatWhole(walk.floor),
      formatWhole(walk.records),
      formatWhole(walk.bytes / 1e6),
    ]),
    notes: [],
  };
}

function comparisonTable(report: BenchmarkReport): Table {
  const { scale, rows, mean, meanRange } = compareWithPostgres(report);
  const slower = rows.filter((row) => row.timesFaster < 1).map((row) => row.name);
  return {
    title: 'Beside PostgreSQL',
    columns: ['Request', 'times faster', 'ours', 'theirs, scaled', 'theirs', 'unit'],
    rows: rows.map((row) => [
      row.name,
      formatFigure(row.timesFaster),
      formatFigure(row.own),
      formatFigure(row.scaled),
      formatFigure(row.postgres),
      row.unit,
    ]),
    notes: [
      `Geometric mean: ${formatFigure(mean)} times faster (${formatFigure(meanRange[0])} to ${formatFigure(meanRange[1])} over what ` +
        `the floor was there). Slower rows: ${slower.length === 0 ? 'none' : slower.join('; ')}.`,
      `Scaled by ${scale.toFixed(2)}: the floor of 8.4 MB took ${formatFigure(report.referenceFloor)} ms in this run.`,
      ...(scale > MAX_SCALE || scale < 1 / MAX_SCALE ? [OTHER_MACHINE] : []),
      ...(report.records === 1_000_000 ? [] : ['Their figures are of 1,000,000 records, ours of another number.']),
    ],
  };
}

function loadTable({ loads }: BenchmarkReport): Table {
  const cells = ({ perSecond, bytes, answers, p50, p95, p99, slowest, errors, clientCores }: LoadFigures): string[] => [
    formatWhole(perSecond),
    formatWhole(((bytes / answers) * perSecond) / 1e6),
    ...[p50, p95, p99, slowest].map(formatFigure),
    formatWhole(errors),
    clientCores.toFixed(2),
  ];
  return {
    title: 'Mixed load',
    columns: [
      'Load',
      'of the floor',
      'per s',
      'MB/s',
      'p50 ms',
      'p95 ms',
      'p99 ms',
      'slowest',
      'errors',
      'client cores',
    ],
    rows: loads.flatMap(({ clients, service, floor }) => [
      [
        clients === 1 ? '1 client' : `${clients} clients`,
        floor === undefined ? '' : formatPercent(service.perSecond / floor.perSecond),
        ...cells(service),
      ],
      ...(floor === undefined ? [] : [['the floor', '', ...cells(floor)]]),
    ]),
    notes: [],
  };
}

function soakTable({ figures, megabytes }: NonNullable<BenchmarkReport['soak']>): Table {
  return {
    title: 'Memory under load',
    columns: ['Minute', 'private MB'],
    rows: megabytes.map((megabyte, minute) => [String(minute), formatWhole(megabyte)]),
    notes: [
      `32 clients: ${formatWhole(figures.answers)} answers, ${formatWhole(figures.perSecond)} a second, p99 ` +
        `${formatFigure(figures.p99)} ms, ${formatWhole(figures.errors)} errors.`,
    ],
  };
}

function serverTable({ memory, coldStart, storeMegabytes }: BenchmarkReport): Table {
  const megabytes = (value: number | undefined): string => (value === undefined ? '' : formatWhole(value));
  return {
    title: 'Server',
    columns: ['Measure', 'value', 'unit'],
    rows: [
      ['process start to first answer', formatWhole(coldStart.toFirstAnswer), 'ms'],
      ['of these, the first answer', formatWhole(coldStart.firstAnswer), 'ms'],
      ['private memory after the start', megabytes(memory.afterStart), 'MB'],
      ['private memory after the requests', megabytes(memory.afterRows), 'MB'],
      ['private memory after the mixed load', megabytes(memory.afterLoads), 'MB'],
      ['files of the store', formatWhole(storeMegabytes), 'MB'],
    ],
    notes: [],
  };
}

function loadingTable({ loading }: BenchmarkReport): Table {
  return {
    title: 'Loading',
    columns: ['Submission', 'rows/s', 'processor s', 'peak MB', 'rows', 's'],
    rows: loading.map(({ kind, rows, seconds, processorSeconds, peakMegabytes }) => [
      kind,
      formatWhole(rows / seconds),
      processorSeconds === undefined ? '' : formatFigure(processorSeconds),
      peakMegabytes === undefined ? '' : formatWhole(peakMegabytes),
      formatWhole(rows),
      formatFigure(seconds),
    ]),
    notes: [],
  };
}

/** Two decimals below 1, one below 100, none above. */
function formatFigure(value: number): string {
  if (value < 1) return value.toFixed(2);
  return value < 100 ? value.toFixed(1) : formatWhole(value);
}

function formatWhole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function formatPercent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
