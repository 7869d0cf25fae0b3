// The relations between points of diversion and places of use of a submission (submissions.md, 2), each once.

import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Missing dates are empty texts. */
export interface StagedRelation {
  readonly site: string;
  readonly start: string;
  readonly end: string;
}

export class StagedRelations {
  private readonly insert: StatementSync;
  private readonly delete: StatementSync;
  private readonly selectPods: StatementSync;
  private readonly selectPous: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.insert = database.prepare('INSERT OR IGNORE INTO relations VALUES (?, ?, ?, ?)');
    this.delete = database.prepare('DELETE FROM relations WHERE pod = ? AND pou = ? AND start = ? AND end = ?');
    // The order is that of D29.
    const ofPou = 'SELECT pod AS site, start, end FROM relations WHERE pou = ? ORDER BY pod, start, end';
    const ofPod = 'SELECT pou AS site, start, end FROM relations WHERE pod = ? ORDER BY pou, start, end';
    [this.selectPods, this.selectPous] = [database.prepare(ofPou), database.prepare(ofPod)];
  }

  /** False when the same relation is already there. */
  add(pod: string, pou: string, start: string, end: string): boolean {
    return this.insert.run(pod, pou, start, end).changes === 1;
  }

  /** False when there is none. */
  remove(pod: string, pou: string, start: string, end: string): boolean {
    return this.delete.run(pod, pou, start, end).changes === 1;
  }

  /** Makes the index from the place of use, once all relations are there. */
  index(): void {
    this.database.exec('CREATE INDEX IF NOT EXISTS relations_by_pou ON relations (pou, pod, start, end)');
  }

  podsOf(pou: string): readonly StagedRelation[] {
    return this.selectPods.all(pou) as unknown as readonly StagedRelation[]; // Our schema.
  }

  pousOf(pod: string): readonly StagedRelation[] {
    return this.selectPous.all(pod) as unknown as readonly StagedRelation[]; // Our schema.
  }
}
