// Holds the rows of a submission between reading and publishing, in sorted runs on disk, so that memory does not grow
// with the submission (ADR 0053). The state of the readers is committed between batches of rows, so that another
// process of the same program can resume the load (ADR 0021).

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSetKind } from '../../shared/records/data-sets';
import { buildByName, getOrAdd } from '../../shared/values/maps';
import type { FindingsSink, Rejection, Warning } from '../format/findings';
import { type Log, StoppedError } from './progress';
import { SortedRuns } from './sorted-runs';
import type { AmountFacts, NewAmount, ReferencedLookups, StagedAmount } from './staged-amounts';
import { LOOKUP_FIELDS, LOOKUP_TABLES, type LookupTable, StagedLookups } from './staged-lookups';
import { computeMachineStart, resumeStaging, type SavedState, STATE_FILE, writeState } from './staging-state';

/** Facts, row and source. */
const AMOUNT_FIELDS = 3;

/** Rejected rows come back by line; numbers of lines are compared as texts. */
const LINE_DIGITS = 15;

/** 200,000 rows, seconds of work for a kill to cost. */
const COMMIT_BYTES = 32 * 1024 * 1024;

interface StagingOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** Asked between batches of rows. */
  readonly shouldStop: () => boolean;
}

export class Staging implements FindingsSink {
  private readonly states: SavedState['states'];
  private readonly startedAt: number;
  private readonly runs = new Map<string, SortedRuns>();
  private readonly tables = new Map<LookupTable, StagedLookups>();
  /** Those staged since the last commit. */
  private bytes = 0;

  /**
   * Goes on with the rows that were committed in the folder, if they can be trusted; otherwise everything in it is
   * removed. Only one process may work in it (WorkFolder sees to it), and removes it.
   */
  constructor(
    readonly folder: string,
    private readonly options: StagingOptions,
  ) {
    const saved = resumeStaging(folder, options.log);
    if (saved === undefined) rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    this.states = saved?.states ?? new Map<string, unknown>();
    this.startedAt = options.now().getTime() - (saved?.milliseconds ?? 0);
  }

  /**
   * What an earlier process committed under a name, or else `initial`. It is committed as it is then, so whoever asks
   * for it keeps all state in it; the structured clone knows it.
   */
  getState<State>(name: string, initial: State): State {
    return getOrAdd(this.states, name, () => initial) as State; // One name always stands for one kind of state.
  }

  /** Called between batches with the bytes staged since; throws StoppedError when the load is to stop. */
  checkpoint(bytes: number): void {
    this.bytes += bytes;
    const shouldStop = this.options.shouldStop();
    if (shouldStop || this.bytes >= COMMIT_BYTES) this.commit();
    if (shouldStop) throw new StoppedError();
  }

  commit(): void {
    this.saveRuns();
    const { folder, milliseconds, states } = this;
    writeState(folder, { machineStartedAt: computeMachineStart(), resumptions: 0, milliseconds, states });
    this.bytes = 0;
  }

  get milliseconds(): number {
    return this.options.now().getTime() - this.startedAt;
  }

  getLookups<Table extends LookupTable>(table: Table): StagedLookups<Table> {
    return getOrAdd(this.tables, table, () => {
      const state = this.getState(`lookups of ${table}`, { count: 0, removed: new Set<number>() });
      return new StagedLookups(table, this.getRuns(table, LOOKUP_FIELDS), state);
    });
  }

  /** None yet, of the lookups that are all staged. */
  createReferences(): ReferencedLookups {
    const marks = buildByName(LOOKUP_TABLES, (table) => new Uint8Array(this.getLookups(table).lastNumber + 1));
    return { uses: new Set(), marks };
  }

  /** Frees what only the adding of rows needs: the runs under way, and identifiers. */
  endAdding(): void {
    for (const lookups of this.tables.values()) lookups.endAdding();
    this.saveRuns();
    // V8 keeps the pages of a heap that has shrunk unless memory is said to be scarce: 150 MB after a million rights.
    globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
  }

  /** Gives up the memory of the runs under way. */
  saveRuns(): void {
    for (const runs of this.runs.values()) runs.flush();
  }

  addAmount(kind: DataSetKind, { key, row, source, ...facts }: NewAmount): void {
    this.getRuns(kind, AMOUNT_FIELDS).add(key, JSON.stringify(facts), row, source);
  }

  /** By key, then as they were added: the rows of the submission come before those that it is laid over. */
  *readAmounts(kind: DataSetKind): Iterable<StagedAmount> {
    for (const sorted of this.getRuns(kind, AMOUNT_FIELDS).rows()) {
      const facts = JSON.parse(sorted.getField(0).toString()) as AmountFacts; // Written by addAmount.
      yield { ...facts, key: sorted.key, row: sorted.getField(1), source: sorted.getField(2) };
    }
  }

  addRejected(file: string, { line, rule, reason }: Rejection): void {
    this.getRuns(`rejected ${file}`, 2).add(String(line).padStart(LINE_DIGITS, '0'), rule, reason);
  }

  /** By line. */
  *readRejected(file: string): Iterable<Rejection, undefined> {
    for (const sorted of this.getRuns(`rejected ${file}`, 2).rows()) {
      yield { line: Number(sorted.key), rule: sorted.getField(0).toString(), reason: sorted.getField(1).toString() };
    }
  }

  addWarned(file: string, warning: Warning): void {
    this.getRuns(`warned ${file}`, 1).add('', JSON.stringify(warning));
  }

  /** In the order in which they came, without those of rows that were rejected later. */
  *readWarnings(file: string): Iterable<Warning> {
    const rejectedLines = new Set(Array.from(this.readRejected(file), ({ line }) => line));
    for (const sorted of this.getRuns(`warned ${file}`, 1).rows()) {
      const warning = JSON.parse(sorted.getField(0).toString()) as Warning; // Written by addWarned.
      if (!rejectedLines.has(warning.line)) yield warning;
    }
  }

  /** Empty runs of rows of one part, for the building of one data set; they are closed with all others. */
  startRuns(name: string): SortedRuns {
    this.runs.get(name)?.close();
    const runs = new SortedRuns(join(this.folder, name), 1);
    this.runs.set(name, runs);
    return runs;
  }

  /** What was committed stays. */
  close(): void {
    for (const runs of this.runs.values()) runs.close();
  }

  /** Nothing that was committed is gone on with. */
  discard(): void {
    rmSync(join(this.folder, STATE_FILE), { force: true });
  }

  private getRuns(name: string, fieldCount: number): SortedRuns {
    return getOrAdd(this.runs, name, () => {
      return new SortedRuns(join(this.folder, name), fieldCount, this.getState(`runs of ${name}`, []));
    });
  }
}
