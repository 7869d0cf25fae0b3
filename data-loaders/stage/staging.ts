// Holds the rows of a submission between reading and publishing, in sorted runs on disk, so that memory does not grow
// with the submission (ADR 0053). The state of the readers is committed between batches of rows, so that another
// process with the same program version can resume the load (ADR 0021).

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DataSetKind } from '../../shared/records/data-sets';
import { makeFolder } from '../../shared/store/make-folder';
import { buildByName, getOrAdd } from '../../shared/values/maps';
import type { FindingsSink, Rejection, Warning } from '../format/findings';
import { type Log, StoppedError } from './progress';
import { SortedRuns } from './sorted-runs';
import type { AmountFacts, NewAmount, ReferencedLookups, StagedAmount } from './staged-amounts';
import { LOOKUP_FIELDS, LOOKUP_TABLES, type LookupTable, StagedLookups } from './staged-lookups';
import { computeMachineStart, resumeStaging, type SavedState, STATE_FILE, writeState } from './staging-state';

/** The fields: facts, row and source. */
const AMOUNT_FIELDS = 3;

/** Line numbers are padded, because keys are compared as strings. */
const LINE_DIGITS = 15;

/** About 200,000 rows, so that a kill loses only seconds of work. */
const COMMIT_BYTES = 32 * 1024 * 1024;

interface StagingOptions {
  readonly log: Log;
  readonly now: () => Date;
  /** Checked between batches of rows. */
  readonly shouldStop: () => boolean;
}

export class Staging implements FindingsSink {
  private readonly states: SavedState['states'];
  private readonly startedAt: number;
  private readonly runs = new Map<string, SortedRuns>();
  private readonly tables = new Map<LookupTable, StagedLookups>();
  /** The number of bytes staged since the last commit. */
  private bytes = 0;

  /**
   * Resumes from the rows that were committed in the folder, if they can be trusted. Otherwise removes the folder's
   * content. Only one process may use the folder, which WorkFolder ensures, and that process removes the folder.
   */
  constructor(
    readonly folder: string,
    private readonly options: StagingOptions,
  ) {
    const saved = resumeStaging(folder, options.log);
    if (saved === undefined) rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
    this.states = saved?.states ?? new Map<string, unknown>();
    this.startedAt = options.now().getTime() - (saved?.milliseconds ?? 0);
  }

  /**
   * The state that an earlier process committed under this name, or else `initial`. The state is mutable, and each
   * commit saves it by structured clone.
   */
  getState<State>(name: string, initial: State): State {
    return getOrAdd(this.states, name, () => initial) as State; // A name always stands for the same type of state.
  }

  /** Called between batches with the bytes staged since the last call. Throws StoppedError if the load should stop. */
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

  /** Creates empty references to the lookups, once all lookups are staged. */
  createReferences(): ReferencedLookups {
    const marks = buildByName(LOOKUP_TABLES, (table) => new Uint8Array(this.getLookups(table).lastNumber + 1));
    return { uses: new Set(), marks };
  }

  /** Frees the memory for the current runs and identifiers, which are needed only while rows are added. */
  endAdding(): void {
    for (const lookups of this.tables.values()) lookups.endAdding();
    this.saveRuns();
    // V8 keeps the pages of a shrunken heap unless memory is scarce: 150 MB after a million rights.
    globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
  }

  /** Writes the current runs and frees their memory. */
  saveRuns(): void {
    for (const runs of this.runs.values()) runs.flush();
  }

  addAmount(kind: DataSetKind, { key, row, source, ...facts }: NewAmount): void {
    this.getRuns(kind, AMOUNT_FIELDS).add(key, JSON.stringify(facts), row, source);
  }

  /**
   * Yields amounts in key order, then in the order in which they were added: rows of the submission come before rows of
   * a release that the submission is merged into.
   */
  *readAmounts(kind: DataSetKind): Iterable<StagedAmount> {
    for (const sorted of this.getRuns(kind, AMOUNT_FIELDS).rows()) {
      const facts = JSON.parse(sorted.getField(0).toString()) as AmountFacts; // The facts that addAmount wrote.
      yield { ...facts, key: sorted.key, row: sorted.getField(1), source: sorted.getField(2) };
    }
  }

  addRejected(file: string, { line, rule, reason }: Rejection): void {
    this.getRuns(`rejected ${file}`, 2).add(String(line).padStart(LINE_DIGITS, '0'), rule, reason);
  }

  /** Yields rejections in line order. */
  *readRejected(file: string): Iterable<Rejection, undefined> {
    for (const sorted of this.getRuns(`rejected ${file}`, 2).rows()) {
      yield { line: Number(sorted.key), rule: sorted.getField(0).toString(), reason: sorted.getField(1).toString() };
    }
  }

  addWarned(file: string, warning: Warning): void {
    this.getRuns(`warned ${file}`, 1).add('', JSON.stringify(warning));
  }

  /** Yields warnings in the order in which they were added, without the warnings of rows that were rejected later. */
  *readWarnings(file: string): Iterable<Warning> {
    const rejectedLines = new Set(Array.from(this.readRejected(file), ({ line }) => line));
    for (const sorted of this.getRuns(`warned ${file}`, 1).rows()) {
      const warning = JSON.parse(sorted.getField(0).toString()) as Warning; // The warning that addWarned wrote.
      if (!rejectedLines.has(warning.line)) yield warning;
    }
  }

  /** Creates empty runs of rows with one field, for building one data set. `close` also closes these runs. */
  startRuns(name: string): SortedRuns {
    this.runs.get(name)?.close();
    const runs = new SortedRuns(join(this.folder, name), 1);
    this.runs.set(name, runs);
    return runs;
  }

  /** Closes the files. Committed data are kept. */
  close(): void {
    for (const runs of this.runs.values()) runs.close();
  }

  /** Discards committed data. */
  discard(): void {
    rmSync(join(this.folder, STATE_FILE), { force: true });
  }

  private getRuns(name: string, fieldCount: number): SortedRuns {
    return getOrAdd(this.runs, name, () => {
      return new SortedRuns(join(this.folder, name), fieldCount, this.getState(`runs of ${name}`, []));
    });
  }
}
