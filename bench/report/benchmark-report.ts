// All figures of one run, as `--json` writes them.

import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { ColdStart } from '../measure/cold-start';
import type { LoadedSubmission } from '../measure/measure-loading';
import type { LoadRun, Soak } from '../measure/mixed-load';
import type { TimedRow } from '../measure/time-rows';
import type { TimedWalk } from '../measure/time-walks';

export interface MeasuredRun {
  readonly machine: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly records: number;
}

export interface BenchmarkReport extends MeasuredRun {
  readonly storeMegabytes: number;
  readonly loading: readonly LoadedSubmission[];
  readonly coldStart: ColdStart;
  readonly rows: readonly TimedRow[];
  readonly walks: readonly TimedWalk[];
  /** Milliseconds, of as many bytes as the answer that the PostgreSQL service's machine was measured with. */
  readonly referenceFloor: number;
  readonly loads: readonly LoadRun[];
  readonly memory: PrivateMemory;
  readonly soak?: Soak;
  /** What could not be measured, and why. */
  readonly remarks: readonly string[];
}

/** Of the server, in megabytes; undefined where /proc is missing. */
export interface PrivateMemory {
  readonly afterStart: number | undefined;
  readonly afterRows: number | undefined;
  readonly afterLoads: number | undefined;
}

/** Where and when it was measured: now, on this machine. */
export function describeRun(records: number): MeasuredRun {
  return { machine: describeMachine(), date: new Date().toISOString().slice(0, 10), records };
}

/** For programs and for a later run, not for people. */
export function writeFigures(file: string, figures: unknown): void {
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
}

function describeMachine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return `${processors.length} cores (${model}), ${gibibytes} GiB, ${process.platform}, Node ${process.versions.node}`;
}
