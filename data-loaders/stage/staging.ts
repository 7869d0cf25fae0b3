// The rows of a submission between reading and publishing: a database of their own on disk, so that memory does not
// grow with the submission. Lookup rows are found by identifier, amount rows come back in the order of their keys.

import { rmSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DataSetKind } from '../../shared/records/data-sets';
import { processName } from '../../shared/store/process-names';
import { asBytes } from '../../shared/store/sqlite/database';
import { getOrAdd } from '../../shared/values/maps';
import type { Log } from './progress';
import { SortedRuns, type SavedRuns } from './sorted-runs';
import { AMOUNT_PARTS, amountParts, readAmount, type NewAmount, type StagedAmount } from './staged-amounts';
import { StagedLookups, type LookupTable, type SavedLookups } from './staged-lookups';
import { StagedFindings, StagedRelations } from './staged-tables';
import { commitStaged, createStagingDatabase, takeUpStagingDatabase, type SavedState } from './staging-database';
import { removeStaleFolders } from './work-folder';

export class Staging {
  readonly relations: StagedRelations;
  readonly findings: StagedFindings;
  private readonly statements = new Map<string, StatementSync>();
  private readonly tables = new Map<LookupTable, StagedLookups>();
  private readonly amountRuns = new Map<DataSetKind, SortedRuns>();

  /** `folder` is removed with the staged rows, and everything else that lies in it. */
  private constructor(
    private readonly database: DatabaseSync,
    readonly folder: string,
  ) {
    const prepare = this.prepare.bind(this);
    this.relations = new StagedRelations(prepare);
    this.findings = new StagedFindings(prepare);
  }

  /** `parent` is where staging folders lie; those that dead processes left are removed first. */
  static temporary(parent: string, log: Log): Staging {
    removeStaleFolders(parent, log);
    const folder = join(parent, processName());
    return new Staging(createStagingDatabase(folder, false), folder);
  }

  /** Opens the rows that were committed in the same folder before, if they can be trusted. */
  static kept(folder: string, log: Log): Staging {
    return new Staging(takeUpStagingDatabase(folder, log) ?? createStagingDatabase(folder, true), folder);
  }

  /** Commits what is staged, so that it is there again when the folder is opened once more. */
  commit(): void {
    for (const [name, rows] of [...this.amountRuns, ...this.tables]) {
      this.saveState(runsName(name), { state: serialize(rows.save()), isFinal: false });
    }
    commitStaged(this.database);
  }

  saveState(name: string, { state, isFinal }: SavedState): void {
    this.prepare('INSERT OR REPLACE INTO states VALUES (?, ?, ?)').run(name, state, isFinal ? 1 : 0);
  }

  savedState(name: string): SavedState | undefined {
    const row = this.prepare('SELECT state, is_final FROM states WHERE name = ?').get(name);
    return row === undefined ? undefined : { state: asBytes(row['state']), isFinal: row['is_final'] === 1 };
  }

  lookups<Table extends LookupTable>(table: Table): StagedLookups<Table> {
    return getOrAdd(this.tables, table, () => {
      return new StagedLookups(table, this.folder, this.savedRows(table) as SavedLookups | undefined);
    });
  }

  /** Frees what only the adding of rows needs. */
  endAdding(): void {
    for (const lookups of this.tables.values()) lookups.endAdding();
    for (const runs of this.amountRuns.values()) runs.save();
  }

  addAmount(kind: DataSetKind, amount: NewAmount): void {
    this.runsOf(kind).add(amount.key, ...amountParts(amount));
  }

  /** By key, then as they were added: the rows of the submission come before those that it is laid over. */
  *amounts(kind: DataSetKind): Iterable<StagedAmount> {
    for (const sorted of this.runsOf(kind).rows()) yield readAmount(sorted);
  }

  /** Closes the database; what was committed stays. */
  close(): void {
    for (const rows of [...this.amountRuns.values(), ...this.tables.values()]) rows.close();
    this.statements.clear();
    this.database.close();
  }

  remove(): void {
    this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private runsOf(kind: DataSetKind): SortedRuns {
    return getOrAdd(this.amountRuns, kind, () => {
      return new SortedRuns(join(this.folder, kind), AMOUNT_PARTS, this.savedRows(kind) as SavedRuns | undefined);
    });
  }

  /** What `commit` saved in an earlier process. */
  private savedRows(of: DataSetKind | LookupTable): unknown {
    const saved = this.savedState(runsName(of));
    return saved && deserialize(saved.state);
  }

  private prepare(sql: string): StatementSync {
    return getOrAdd(this.statements, sql, () => this.database.prepare(sql));
  }
}

function runsName(rows: DataSetKind | LookupTable): string {
  return `rows of ${rows}`;
}
