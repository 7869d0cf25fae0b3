// The accepted rows of the lookup files as they were submitted, but for those of places and of relations, which are
// kept with them: a release has them for a later merge or rebuild.

import type { DatabaseSync, StatementSync } from 'node:sqlite';

export class StagedSources {
  private readonly insert: StatementSync;
  private readonly delete: StatementSync;
  private readonly select: StatementSync;

  constructor(database: DatabaseSync) {
    this.insert = database.prepare('INSERT INTO sources (file, id, source) VALUES (?, ?, ?)');
    this.delete = database.prepare('DELETE FROM sources WHERE file = ? AND id = ?');
    this.select = database.prepare('SELECT file, source FROM sources ORDER BY file, id');
    // A row as a list of values takes two thirds of the time of one as an object.
    this.select.setReturnArrays(true);
  }

  /** `id` is what a deletion names. */
  add(file: string, id: string, source: string): void {
    this.insert.run(file, id, source);
  }

  remove(file: string, id: string): void {
    this.delete.run(file, id);
  }

  /** File by file. */
  *all(): Iterable<{ readonly file: string; readonly source: string }> {
    const rows = this.select.iterate() as Iterable<unknown> as Iterable<readonly [string, string]>; // Our schema.
    for (const [file, source] of rows) yield { file, source };
  }
}
