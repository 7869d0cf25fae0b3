// The embedded store: a catalog database and two immutable files for each release, in one data directory on a local
// disk that several processes may share (docs/release-layout.md). The database has the catalog states, leases on
// releases that are not published yet, and the documents of the service. It uses a write-ahead log, and publishes
// survive a power cut (synchronous=FULL).

import { existsSync } from 'node:fs';
import { type CatalogState, EMPTY_STATE } from '../catalog-types';
import type { PublishOutcome, ReleaseReader, ReleaseWriter, Store } from '../port';
import { createProcessName, isOwnerAlive } from '../process-names';
import { RememberedStates } from '../remembered-states';
import { DocumentViews } from '../service-documents';
import { CatalogFile } from './catalog-file';
import { openDatabase, type Row, toObject } from './database';
import { SqliteDocuments } from './documents';
import {
  getReleasePath,
  listOrphanedBlocks,
  listReleaseIds,
  removeReleaseFiles,
  removeUnfinishedReleases,
} from './release-files';
import { SqliteReleaseReader } from './release-reader';
import { SqliteReleaseWriter } from './release-writer';
import { findIntactState, INSERT_STATE, readStateRow, toStateRow } from './state-rows';

/** Much longer than a load takes between finishing its first release and publishing. */
const LEASE_SECONDS = 3600;

/** Above this number, the two files of the least recently used release are closed. */
const MAX_OPEN_RELEASES = 200;

const SELECT = {
  newest: 'SELECT max(sequence) AS sequence FROM states',
  // Each subquery is a single index lookup. Selecting both in one query would scan the table.
  range: 'SELECT (SELECT max(sequence) FROM states) AS newest, (SELECT min(sequence) FROM states) AS oldest',
  statesUpTo: 'SELECT * FROM states WHERE sequence <= ? ORDER BY sequence DESC',
  ofVersion: 'SELECT max(sequence) AS sequence FROM states WHERE version = ?',
  state: 'SELECT * FROM states WHERE sequence = ?',
} as const;

/** The sequence numbers of the newest and the oldest state; null without states. */
interface StateRange {
  readonly newest: number | null;
  readonly oldest: number | null;
}

class EmbeddedStore extends DocumentViews implements Store {
  private readonly catalog: CatalogFile;
  /** States never change, so a request reads only the newest sequence number. */
  private readonly states = new RememberedStates();
  private newestSequence = 0;
  private newestState = EMPTY_STATE;
  /** The history that was read last. A publish adds a newest state, and only the oldest states are forgotten. */
  private lastHistory: StateRange & { readonly states: readonly CatalogState[] } = {
    newest: null,
    oldest: null,
    states: [],
  };
  /** Identifies this process in leases. */
  private readonly holder = createProcessName();
  /** The readers with open files, by release, least recently used first. */
  private readonly readers = new Map<string, SqliteReleaseReader>();

  constructor(
    private readonly dataDirectory: string,
    private readonly maxOpenReleases: number,
  ) {
    const catalog = new CatalogFile(dataDirectory);
    super(new SqliteDocuments(catalog));
    this.catalog = catalog;
  }

  /** Throws DamagedCatalogError, as do the methods below. */
  currentState(): Promise<CatalogState> {
    return Promise.resolve().then(() => this.readCurrentState());
  }

  findState(version: string): Promise<CatalogState | undefined> {
    return Promise.resolve().then(() => {
      const existing = [this.readCurrentState(), EMPTY_STATE].find((state) => state.version === version);
      if (existing !== undefined) return existing;
      const sequence = this.catalog.prepare(SELECT.ofVersion).get(version)?.['sequence'];
      return typeof sequence === 'number' ? this.readState(sequence) : undefined;
    });
  }

  /** Returns the same array until a process adds or removes a state. */
  history(): Promise<readonly CatalogState[]> {
    // The columns that the statement selects.
    const { newest, oldest } = this.catalog.prepare(SELECT.range).get() as unknown as StateRange;
    if (newest !== this.lastHistory.newest || oldest !== this.lastHistory.oldest) {
      this.lastHistory = { newest, oldest, states: this.readHistory(newest ?? 0, oldest ?? 0) };
    }
    return Promise.resolve(this.lastHistory.states);
  }

  publish(expected: string, next: CatalogState): Promise<PublishOutcome> {
    const outcome = this.catalog.transaction(() => {
      if (this.readCurrentState().version !== expected) return 'conflict';
      this.catalog.prepare(INSERT_STATE).run(...toStateRow(next));
      for (const { releaseId } of next.entries) this.endLease(releaseId);
      return 'published';
    });
    return Promise.resolve(outcome);
  }

  openRelease(releaseId: string): Promise<ReleaseReader | undefined> {
    const existing = this.readers.get(releaseId);
    const path = getReleasePath(this.dataDirectory, releaseId);
    if (existing === undefined && !existsSync(path)) return Promise.resolve(undefined);
    const noteOpen = (): void => {
      this.noteOpen(releaseId, reader);
    };
    const reader = existing ?? new SqliteReleaseReader(path, noteOpen);
    noteOpen();
    return Promise.resolve(reader);
  }

  startRelease(): Promise<ReleaseWriter> {
    return Promise.resolve(new SqliteReleaseWriter(this.dataDirectory, this));
  }

  /** Forgets states, oldest first, and stops at the first state that was current at that time or later. */
  forgetStates(supersededBefore: string): Promise<void> {
    const successor = 'SELECT min(sequence) FROM states AS later WHERE later.sequence > states.sequence';
    const since = `SELECT since FROM states AS successor WHERE successor.sequence = (${successor})`;
    const firstKept = `SELECT min(sequence) FROM states WHERE coalesce((${since}) >= ?, TRUE)`;
    this.catalog.prepare(`DELETE FROM states WHERE sequence < (${firstKept})`).run(supersededBefore);
    return Promise.resolve();
  }

  listReleases(): Promise<readonly string[]> {
    return Promise.resolve(listReleaseIds(this.dataDirectory));
  }

  /** Runs as a transaction, so that no process can publish or lease the release at the same time. */
  deleteRelease(releaseId: string): Promise<'deleted' | 'kept'> {
    const outcome = this.catalog.transaction(() => {
      const isNamed = this.catalog.prepare('SELECT 1 FROM states WHERE instr(entries, ?) > 0').get(`"${releaseId}"`);
      if (isNamed !== undefined || this.isLeased(releaseId)) return 'kept';
      this.catalog.prepare('DELETE FROM finished_releases WHERE release_id = ?').run(releaseId);
      removeReleaseFiles(getReleasePath(this.dataDirectory, releaseId));
      return 'deleted';
    });
    if (outcome === 'deleted') this.closeDeleted();
    return Promise.resolve(outcome);
  }

  async removeUnfinished(): Promise<void> {
    removeUnfinishedReleases(this.dataDirectory);
    for (const releaseId of listOrphanedBlocks(this.dataDirectory)) await this.deleteRelease(releaseId);
  }

  close(): Promise<void> {
    for (const reader of this.readers.values()) reader.close();
    this.readers.clear();
    this.catalog.close();
    return Promise.resolve();
  }

  /** Afterwards, `deleteRelease` keeps the release, for the state that will refer to it. */
  takeLease(releaseId: string): void {
    const insert = this.catalog.prepare('INSERT OR REPLACE INTO finished_releases VALUES (?, ?, unixepoch())');
    insert.run(releaseId, this.holder);
  }

  endLease(releaseId: string): void {
    const remove = this.catalog.prepare('DELETE FROM finished_releases WHERE release_id = ? AND holder = ?');
    remove.run(releaseId, this.holder);
  }

  /**
   * A lease is valid until it expires, and after that as long as its process runs. Processes in other containers are
   * not visible.
   */
  private isLeased(releaseId: string): boolean {
    const recent = `finished_at > unixepoch() - ${LEASE_SECONDS} AS recent`;
    const select = this.catalog.prepare(`SELECT holder, ${recent} FROM finished_releases WHERE release_id = ?`);
    // The columns that the statement selects.
    const leases = select.all(releaseId).map(toObject) as { holder: string; recent: number }[];
    return leases.some(({ holder, recent }) => recent === 1 || isOwnerAlive(holder));
  }

  private readCurrentState(): CatalogState {
    const newest = this.catalog.prepare(SELECT.newest).get()?.['sequence'];
    const sequence = typeof newest === 'number' ? newest : 0;
    if (sequence !== this.newestSequence) {
      this.newestState = this.readState(sequence) ?? EMPTY_STATE;
      this.newestSequence = sequence;
      this.closeDeleted();
    }
    return this.newestState;
  }

  /** Returns the states newest first, without damaged states. States that are not in memory are read in one pass. */
  private readHistory(newest: number, oldest: number): readonly CatalogState[] {
    const states: CatalogState[] = [];
    let sequence = newest;
    for (; sequence >= oldest; sequence--) {
      const remembered = this.states.get(sequence);
      if (remembered === undefined) break;
      states.push(remembered);
    }
    for (const row of this.catalog.prepare(SELECT.statesUpTo).iterate(sequence)) {
      const number = Number(row['sequence']);
      const state = this.states.get(number) ?? this.addIntactState(number, row);
      if (state !== undefined) states.push(state);
    }
    return states;
  }

  private addIntactState(sequence: number, row: Row): CatalogState | undefined {
    const state = findIntactState(row);
    return state && this.states.add(sequence, state);
  }

  private readState(sequence: number): CatalogState | undefined {
    const remembered = this.states.get(sequence);
    if (remembered !== undefined) return remembered;
    const row = this.catalog.prepare(SELECT.state).get(sequence);
    return row && this.states.add(sequence, readStateRow(row));
  }

  /**
   * Marks a reader with open files as the most recently used one. A reader that was closed to limit open files opens
   * them again if a request still uses it. It then replaces a newer reader of the same release.
   */
  private noteOpen(releaseId: string, reader: SqliteReleaseReader): void {
    const other = this.readers.get(releaseId);
    if (other !== reader) other?.close();
    this.readers.delete(releaseId);
    this.readers.set(releaseId, reader);
    for (const [leastRecentlyUsed, open] of this.readers) {
      if (this.readers.size <= this.maxOpenReleases) break;
      open.close();
      this.readers.delete(leastRecentlyUsed);
    }
  }

  /** The disk space of a deleted file is freed when no process has it open any more. */
  private closeDeleted(): void {
    for (const [releaseId, reader] of this.readers) {
      if (reader.exists()) continue;
      reader.close();
      this.readers.delete(releaseId);
    }
  }
}

export function openEmbeddedStore(dataDirectory: string, maxOpenReleases = MAX_OPEN_RELEASES): Store {
  return new EmbeddedStore(dataDirectory, maxOpenReleases);
}

export interface CatalogContent {
  /** Newest first, without damaged states. */
  readonly states: readonly CatalogState[];
  /** The number of earlier states that are damaged. */
  readonly damaged: number;
}

/**
 * Reads the states of a catalog file that no other process has open. Throws DamagedCatalogError if the current state is
 * damaged.
 */
export function readCatalogFile(path: string): CatalogContent {
  const database = openDatabase(path, { readOnly: true });
  try {
    const [newest, ...earlier] = database.prepare('SELECT * FROM states ORDER BY sequence DESC').all();
    if (newest === undefined) return { states: [], damaged: 0 };
    const states = [readStateRow(newest), ...earlier.flatMap((row) => findIntactState(row) ?? [])];
    return { states, damaged: 1 + earlier.length - states.length };
  } finally {
    database.close();
  }
}
