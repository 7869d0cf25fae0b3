// Writes one release file beside the others; `finish` makes it durable and gives it its name in one step.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { ArtifactName, FragmentFamily, ReleaseFacts, ReleaseWriter } from '../port';
import type { SqliteCatalog } from './catalog';
import { ownName, removeLeftovers } from './dead-processes';
import { BlockBuilder, type Block } from './fragment-block';
import { BLOCK_TABLES, createReleaseFile, releaseFolder, releasePath, type BlockTable } from './release-file';
import { synchronize } from './synchronize';

/** Of a file under way. */
const UNFINISHED_SUFFIX = '.unfinished';

export class SqliteReleaseWriter implements ReleaseWriter {
  private readonly path: string;
  private readonly database: DatabaseSync;
  private readonly builders: Readonly<Record<BlockTable, BlockBuilder>>;
  private readonly insertBlock: Readonly<Record<BlockTable, StatementSync>>;
  private readonly insertPosting: StatementSync;
  private readonly insertArtifact: StatementSync;
  private readonly insertSource: StatementSync;
  private readonly sourcePieces = new Map<string, number>();

  private finished: string | undefined;

  constructor(
    private readonly dataDirectory: string,
    private readonly catalog: SqliteCatalog,
  ) {
    mkdirSync(releaseFolder(dataDirectory), { recursive: true });
    removeLeftovers(releaseFolder(dataDirectory), (path) => path);
    this.path = join(releaseFolder(dataDirectory), `${ownName()}${UNFINISHED_SUFFIX}`);
    this.database = createReleaseFile(this.path);
    this.builders = { records: new BlockBuilder(), lookups: new BlockBuilder(), geometries: new BlockBuilder() };
    const insertInto = (table: BlockTable): StatementSync =>
      this.database.prepare(`INSERT INTO ${table} (first, content, header) VALUES (?, ?, ?)`);
    this.insertBlock = {
      records: insertInto('records'),
      lookups: insertInto('lookups'),
      geometries: insertInto('geometries'),
    };
    this.insertPosting = this.database.prepare('INSERT INTO postings (term, content) VALUES (?, ?)');
    this.insertArtifact = this.database.prepare('INSERT INTO artifacts (name, content) VALUES (?, ?)');
    this.insertSource = this.database.prepare('INSERT INTO sources (file, piece, content) VALUES (?, ?, ?)');
    this.database.exec('BEGIN');
  }

  addRecord(json: string, references: readonly number[]): void {
    this.write('records', this.builders.records.add(json, references));
  }

  addFragment(family: FragmentFamily, content: string | Uint8Array): void {
    this.write(family, this.builders[family].add(content));
  }

  addPosting(term: string, content: Uint8Array): void {
    this.insertPosting.run(term, content);
  }

  addArtifact(name: Exclude<ArtifactName, 'facts'>, content: Uint8Array): void {
    this.insertArtifact.run(name, content);
  }

  addSourcePiece(file: string, piece: Uint8Array): void {
    const number = this.sourcePieces.get(file) ?? 0;
    this.insertSource.run(file, number, piece);
    this.sourcePieces.set(file, number + 1);
  }

  /** Nothing to wait for; but timers and other answers of the process get their turn. */
  drain(): Promise<void> {
    return setImmediate();
  }

  finish(facts: ReleaseFacts): Promise<void> {
    for (const table of BLOCK_TABLES) this.write(table, this.builders[table].take());
    for (const table of BLOCK_TABLES) this.insertArtifact.run(`${table}.firsts`, this.firstsOf(table));
    this.insertArtifact.run('facts', Buffer.from(JSON.stringify(facts)));
    this.database.exec('COMMIT');
    this.database.close();
    const target = releasePath(this.dataDirectory, facts.releaseId);
    this.catalog.markFinished(facts.releaseId);
    this.finished = facts.releaseId;
    // Equal content has an equal name: the file that is there is the same, and may be open elsewhere.
    if (existsSync(target)) {
      rmSync(this.path);
    } else {
      synchronize(this.path);
      renameSync(this.path, target);
      synchronize(dirname(target));
    }
    return Promise.resolve();
  }

  abandon(): Promise<void> {
    if (this.database.isOpen) this.database.close();
    rmSync(this.path, { force: true });
    if (this.finished !== undefined) this.catalog.unmark(this.finished);
    return Promise.resolve();
  }

  private write(table: BlockTable, block: Block | undefined): void {
    if (block !== undefined) this.insertBlock[table].run(block.first, block.content, block.header);
  }

  /** The first number of every block, so that a reader finds a block without asking the B-tree for the one below. */
  private firstsOf(table: BlockTable): Uint8Array {
    const select = this.database.prepare(`SELECT first FROM ${table} ORDER BY first`);
    select.setReturnArrays(true);
    const firsts: number[] = [];
    for (const row of select.iterate()) firsts.push(Number(row[0]));
    return new Uint8Array(Uint32Array.from(firsts).buffer);
  }
}
