// Opens the two files of a release and reads rows of its SQLite file. Each row is checked when it is read (ADR 0050).

import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { DamagedReleaseError } from '../damaged-release';
import type { ReleaseFacts } from '../port';
import { BlockFile } from './block-file';
import { checksumRow } from './checksums';
import { openDatabase, type Row } from './database';
import {
  CONTENTS,
  getArtifactPieceName,
  getBlocksPath,
  getTermChecksumsName,
  type ReleaseContents,
} from './release-files';

/** Releases of older formats have no checksums. */
const FIRST_CHECKED_FORMAT = 12;

/** Read in steps, because the file may be closed between them. */
const POSTINGS_AT_ONCE = 500;

/** Both files of a release, open for reading. */
export interface OpenReleaseFiles {
  readonly database: DatabaseSync;
  readonly rows: ReleaseRows;
  readonly facts: ReleaseFacts;
  /** Undefined for a release of a format without checksums. */
  readonly contents: ReleaseContents | undefined;
  /** Undefined if the release has an older format, is being deleted, or has lost its block file. */
  readonly blocks: BlockFile | undefined;
  /** The value of `identifyFiles` when the files were opened. */
  readonly identity: string;
}

/** Changes when one of the files is replaced or written to. */
export function identifyFiles(path: string): string {
  const files = [path, getBlocksPath(path)].map((file) => statSync(file, { throwIfNoEntry: false }));
  return files.map((file) => (file === undefined ? 'none' : `${file.ino} ${file.size} ${file.mtimeMs}`)).join();
}

/** The files are immutable, so SQLite needs neither locks nor change counters. Throws DamagedReleaseError. */
export function openReleaseFiles(path: string): OpenReleaseFiles {
  const identity = identifyFiles(path);
  const location = pathToFileURL(path);
  location.searchParams.set('immutable', '1');
  const database = openDatabase(location, { readOnly: true });
  try {
    database.exec('PRAGMA cache_size = -8192');
    const rows = new ReleaseRows(database);
    const facts = parseArtifact(rows, 'facts') as ReleaseFacts; // Written by SqliteReleaseWriter.finish.
    if (rows.areChecked !== facts.formatVersion >= FIRST_CHECKED_FORMAT) throw new DamagedReleaseError();
    // Also written by SqliteReleaseWriter.finish.
    const contents = rows.areChecked ? (parseArtifact(rows, CONTENTS) as ReleaseContents) : undefined;
    return { database, rows, facts, contents, blocks: BlockFile.open(getBlocksPath(path)), identity };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads an artifact that has one row. */
function parseArtifact(rows: ReleaseRows, name: string): unknown {
  const content = rows.artifactPiece(name);
  if (content === undefined) throw new DamagedReleaseError('it has no facts');
  return JSON.parse(Buffer.from(content).toString());
}

/**
 * Returns undefined if the release has no such artifact. Throws DamagedReleaseError, including if one of its rows is
 * lost.
 */
export function readArtifact({ rows, contents }: OpenReleaseFiles, name: string): Uint8Array | undefined {
  const count = contents?.artifacts[name] ?? (contents === undefined ? Infinity : 0);
  const pieces: Uint8Array[] = [];
  while (pieces.length < count) {
    const piece = rows.artifactPiece(getArtifactPieceName(name, pieces.length));
    if (piece === undefined && count === Infinity) break;
    if (piece === undefined) throw new DamagedReleaseError();
    pieces.push(piece);
  }
  return pieces.length < 2 ? pieces[0] : Buffer.concat(pieces);
}

/**
 * Whether a posting list was written for a term with this checksum. Another term may have the same checksum. Throws
 * DamagedReleaseError.
 */
export function hasTermChecksum(files: OpenReleaseFiles, checksum: number): boolean {
  const firsts = files.contents?.termChecksums ?? [];
  const ordinal = firsts.findLastIndex((first) => first <= checksum);
  if (ordinal === -1) return false;
  const content = readArtifact(files, getTermChecksumsName(ordinal)) ?? new Uint8Array();
  return new Uint32Array(content.slice().buffer).includes(checksum);
}

/** A posting list and its term. */
interface PostingRow {
  readonly term: string;
  readonly content: Uint8Array;
}

/** The rows of the SQLite file. All methods throw DamagedReleaseError. */
class ReleaseRows {
  /** Whether each row has a checksum. */
  readonly areChecked: boolean;
  private readonly selectArtifact: StatementSync;
  private readonly selectPosting: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    const columns = database.prepare("SELECT 1 FROM pragma_table_info('artifacts') WHERE name = 'checksum'");
    this.areChecked = columns.get() !== undefined;
    this.selectArtifact = this.prepare('artifacts WHERE name = ?');
    this.selectPosting = this.prepare('postings WHERE term = ?');
  }

  /** Returns undefined if there is no such row, like the methods below. */
  artifactPiece(name: string): Uint8Array | undefined {
    return this.readContent(name, this.get(this.selectArtifact, name));
  }

  posting(term: string): Uint8Array | undefined {
    return this.readContent(term, this.get(this.selectPosting, term));
  }

  /** Returns the next posting lists in the order of their terms; an empty list at the end. */
  postingsAfter(term: string): readonly PostingRow[] {
    const select = this.prepare(`postings WHERE term > ? ORDER BY term LIMIT ${POSTINGS_AT_ONCE}`, 'term');
    const rows = this.readRows(() => select.all(term));
    return rows.map((row) => {
      const name = String(row['term']);
      return { term: name, content: this.readContent(name, row) ?? new Uint8Array() };
    });
  }

  sourcePiece(file: string, piece: number, name: string): Uint8Array | undefined {
    return this.readContent(name, this.get(this.prepare('sources WHERE file = ? AND piece = ?'), file, piece));
  }

  /** Used for releases without ReleaseContents. */
  listSourceFiles(): readonly string[] {
    const select = this.database.prepare('SELECT DISTINCT file FROM sources ORDER BY file');
    return this.readRows(() => select.all()).map((row) => String(row['file']));
  }

  private prepare(source: string, ...columns: readonly string[]): StatementSync {
    const selected = [...columns, 'content', this.areChecked ? 'checksum' : 'NULL AS checksum'];
    return this.database.prepare(`SELECT ${selected.join(', ')} FROM ${source}`);
  }

  private get(statement: StatementSync, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.readRows(() => statement.get(...values));
  }

  /** SQLite fails in many ways if the file is damaged, because it trusts what it reads. */
  private readRows<Value>(read: () => Value): Value {
    try {
      return read();
    } catch (error) {
      throw new DamagedReleaseError(undefined, { cause: error });
    }
  }

  private readContent(name: string, row: Row | undefined): Uint8Array | undefined {
    if (row === undefined) return undefined;
    const { content, checksum } = row;
    if (!(content instanceof Uint8Array)) throw new DamagedReleaseError();
    if (this.areChecked && checksum !== checksumRow(name, content)) throw new DamagedReleaseError();
    return content;
  }
}
