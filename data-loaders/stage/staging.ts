// The rows of a submission between reading and publishing: a database of their own on disk, so that memory does not
// grow with the submission. Lookup rows are found by identifier, amount rows come back in the order of their keys.

import { rmSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DataSetKind } from '../../shared/records/data-sets';
import { processName } from '../../shared/store/process-names';
import { asBytes } from '../../shared/store/sqlite/database';
import type { Log } from './progress';
import { SortedRuns, type SavedRuns } from './sorted-runs';
import { AMOUNT_PARTS, amountParts, readAmount, type NewAmount, type StagedAmount } from './staged-amounts';
import {
  isPlaceTable,
  StagedPlaces,
  type NewPlace,
  type OrderedPlace,
  type PlaceTable,
  type SavedPlaces,
  type StagedPlace,
} from './staged-places';
import { StagedFindings, StagedRelations, StagedSources } from './staged-tables';
import {
  commitStaged,
  createStagingDatabase,
  takeUpStagingDatabase,
  type LookupTable,
  type SavedState,
} from './staging-database';
import { removeStaleFolders } from './work-folder';

export interface StagedLookup {
  readonly number: number;
  readonly id: string;
  /** JSON of the row as it was read. */
  readonly row: string;
}

/** Lookups that lie in SQLite; places, which are many, lie in files of their own. */
type SmallTable = Exclude<LookupTable, PlaceTable>;

/** The first identifiers of a file are in memory, 250 MB of usual ones; those behind are looked for in SQLite. */
const MAX_IDENTIFIERS = 3_000_000;

/** Folding this many identifiers takes 20 MB and a tenth of a second. */
const MAX_FOLDED = 200_000;

/** Stands for the number of a row that was removed. */
const REMOVED = 0;

export class Staging {
  readonly relations: StagedRelations;
  readonly findings: StagedFindings;
  readonly sources: StagedSources;
  private readonly statements = new Map<string, StatementSync>();
  /** The numbers of staged rows by their identifiers. */
  private readonly identifiers = new Map<LookupTable, Map<string, number>>();
  /** The identifiers of tables that were asked for one in another letter case, in lower case. */
  private readonly foldedIdentifiers = new Map<LookupTable, ReadonlyMap<string, string>>();
  private readonly places = new Map<PlaceTable, StagedPlaces>();
  private readonly amountRuns = new Map<DataSetKind, SortedRuns>();

  /** `folder` is removed with the staged rows, and everything else that lies in it. */
  private constructor(
    private readonly database: DatabaseSync,
    readonly folder: string,
  ) {
    const prepare = this.prepare.bind(this);
    this.relations = new StagedRelations(prepare);
    this.findings = new StagedFindings(prepare);
    this.sources = new StagedSources(prepare);
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
    for (const [kind, runs] of this.amountRuns) {
      this.saveState(runsName(kind), { state: serialize(runs.save()), isFinal: false });
    }
    for (const [table, places] of this.places) {
      this.saveState(runsName(table), { state: serialize(places.save()), isFinal: false });
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

  /** False when the identifier is already there: the first stays. */
  addLookup(table: SmallTable, id: string, row: string): boolean {
    if (this.findNumber(table, id) !== undefined) return false;
    const insert = this.prepare(`INSERT INTO ${table} (id, row) VALUES (?, ?)`);
    remember(this.identifiersOf(table), id, Number(insert.run(id, row).lastInsertRowid));
    return true;
  }

  /** As addLookup; the source of the row is kept with it. */
  addPlace(table: PlaceTable, place: NewPlace): boolean {
    if (this.findNumber(table, place.id) !== undefined) return false;
    const number = this.placesOf(table).add(place);
    remember(this.identifiersOf(table), place.id, number);
    if (number > MAX_IDENTIFIERS) {
      this.prepare(`INSERT INTO ${table} (number, id, row) VALUES (?, ?, '')`).run(number, place.id);
    }
    return true;
  }

  /** Ends the adding of places, whose memory is free then. */
  endPlaces(): void {
    for (const places of this.places.values()) places.save();
  }

  /** Frees what only the adding of rows needs: identifiers and the runs under way. */
  endAdding(): void {
    this.identifiers.clear();
    this.foldedIdentifiers.clear();
    for (const runs of [...this.amountRuns.values(), ...this.places.values()]) runs.save();
  }

  /**
   * The staged number of the row with an identifier, exact, letter case too (submissions.md, 4); undefined when the
   * submission does not have it. Most questions need no more, and a row may carry a polygon of megabytes.
   */
  findNumber(table: LookupTable, id: string): number | undefined {
    const identifiers = this.identifiersOf(table);
    const number = identifiers.get(id);
    if (number !== undefined) return number === REMOVED ? undefined : number;
    if (identifiers.size < MAX_IDENTIFIERS) return undefined;
    const row = this.prepare(`SELECT number FROM ${table} WHERE id = ?`).get(id);
    return row === undefined ? undefined : Number(row['number']);
  }

  /** An identifier of the table that differs from this one in letter case alone. Large tables are not searched. */
  identifierInOtherCase(table: LookupTable, id: string): string | undefined {
    const identifiers = this.identifiersOf(table);
    if (identifiers.size > MAX_FOLDED) return undefined;
    const folded =
      this.foldedIdentifiers.get(table) ??
      new Map([...identifiers.keys()].map((known) => [known.toLowerCase(), known]));
    // A table is asked for when all of its rows are staged.
    this.foldedIdentifiers.set(table, folded);
    return folded.get(id.toLowerCase());
  }

  lookup(table: SmallTable, number: number): StagedLookup {
    const row = this.prepare(`SELECT number, id, row FROM ${table} WHERE number = ?`).get(number);
    if (row === undefined) throw new Error(`row ${number} of ${table} is not staged`);
    return row as unknown as StagedLookup; // Our schema.
  }

  /** In the order of D17: SQLite compares texts by their UTF-8 bytes. */
  lookups(table: SmallTable): Iterable<StagedLookup> {
    const select = this.prepare(`SELECT number, id, row FROM ${table} ORDER BY id`);
    return select.iterate() as Iterable<unknown> as Iterable<StagedLookup>; // Our schema.
  }

  /** In the order of D17. */
  stagedPlaces(table: PlaceTable): Iterable<StagedPlace> {
    return this.placesOf(table).rows();
  }

  /** As stagedPlaces, without their texts. */
  placeOrder(table: PlaceTable): Iterable<OrderedPlace> {
    return this.placesOf(table).inOrder();
  }

  removeLookup(table: LookupTable, id: string): void {
    const number = this.findNumber(table, id);
    const identifiers = this.identifiersOf(table);
    if (identifiers.has(id)) identifiers.set(id, REMOVED);
    this.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    if (isPlaceTable(table) && number !== undefined) this.placesOf(table).remove(number);
  }

  lastNumber(table: LookupTable): number {
    if (isPlaceTable(table)) return this.placesOf(table).lastNumber;
    return Number(this.prepare(`SELECT coalesce(max(number), 0) AS n FROM ${table}`).get()?.['n']);
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
    const files = [...this.amountRuns.values(), ...this.places.values()];
    for (const file of files) file.close();
    this.statements.clear();
    this.database.close();
  }

  remove(): void {
    this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What an earlier process staged is read into it when it is first asked. */
  private identifiersOf(table: LookupTable): Map<string, number> {
    const known = this.identifiers.get(table);
    if (known !== undefined) return known;
    const identifiers = new Map<string, number>();
    this.identifiers.set(table, identifiers);
    const rows = isPlaceTable(table) ? this.placesOf(table).inOrder() : this.lookups(table);
    for (const { id, number } of rows) remember(identifiers, id, number);
    return identifiers;
  }

  private placesOf(table: PlaceTable): StagedPlaces {
    const known = this.places.get(table);
    if (known !== undefined) return known;
    const saved = this.savedState(runsName(table));
    const places = new StagedPlaces(
      table,
      this.folder,
      saved && (deserialize(saved.state) as SavedPlaces), // Written by `commit`.
    );
    this.places.set(table, places);
    return places;
  }

  private runsOf(kind: DataSetKind): SortedRuns {
    const known = this.amountRuns.get(kind);
    if (known !== undefined) return known;
    const saved = this.savedState(runsName(kind));
    const runs = saved && (deserialize(saved.state) as SavedRuns); // Written by `commit`.
    const opened = new SortedRuns(join(this.folder, kind), AMOUNT_PARTS, runs);
    this.amountRuns.set(kind, opened);
    return opened;
  }

  private prepare(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known !== undefined) return known;
    const prepared = this.database.prepare(sql);
    this.statements.set(sql, prepared);
    return prepared;
  }
}

/** Takes a copy of the identifier: a part of a text would keep all of the text in memory. */
function remember(identifiers: Map<string, number>, id: string, number: number): void {
  if (number <= MAX_IDENTIFIERS) identifiers.set(Buffer.from(id).toString(), number);
}

function runsName(rows: DataSetKind | PlaceTable): string {
  return `rows of ${rows}`;
}
