// The relations between points of diversion and places of use of a submission (submissions.md, 2), each once.

import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Missing dates are empty texts. */
export interface StagedRelation {
  readonly site: string;
  readonly start: string;
  readonly end: string;
}

/** A relation beside the site whose it is. */
export interface PlacedRelation extends StagedRelation {
  readonly place: string;
}

/** The identifiers of both sites, and the dates; missing dates are empty texts. */
export type RelationKey = readonly [pod: string, pou: string, start: string, end: string];

type RelationValues = readonly [place: string, site: string, start: string, end: string];

export class StagedRelations {
  private readonly insert: StatementSync;
  private readonly delete: StatementSync;
  private readonly selectAny: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.insert = database.prepare('INSERT OR IGNORE INTO relations VALUES (?, ?, ?, ?, ?)');
    this.delete = database.prepare('DELETE FROM relations WHERE pod = ? AND pou = ? AND start = ? AND end = ?');
    this.selectAny = database.prepare('SELECT 1 FROM relations WHERE pod = ? OR pou = ? LIMIT 1');
  }

  /** False when the same relation is already there; else its source row is kept with it. */
  add(key: RelationKey, source: string): boolean {
    return this.insert.run(...key, source).changes === 1;
  }

  /** False when there is none. */
  remove(key: RelationKey): boolean {
    return this.delete.run(...key).changes === 1;
  }

  /** Makes the index from the place of use, once all relations are there. */
  index(): void {
    this.database.exec('CREATE INDEX IF NOT EXISTS relations_by_pou ON relations (pou, pod, start, end)');
  }

  /** In the order of the places of use, then in that of D29. */
  podsOfPous(): Iterable<PlacedRelation> {
    return this.relationsBy('pou', 'pod');
  }

  /** In the order of the points of diversion, then in that of D29. */
  pousOfPods(): Iterable<PlacedRelation> {
    return this.relationsBy('pod', 'pou');
  }

  /** The source rows, in the order of the points of diversion. */
  *sources(): Iterable<string> {
    const select = this.database.prepare('SELECT source FROM relations ORDER BY pod, pou, start, end');
    select.setReturnArrays(true);
    const rows = select.iterate() as Iterable<unknown> as Iterable<readonly [string]>; // Our schema.
    for (const [source] of rows) yield source;
  }

  hasAny(site: string): boolean {
    return this.selectAny.get(site, site) !== undefined;
  }

  private *relationsBy(place: 'pod' | 'pou', other: 'pod' | 'pou'): Iterable<PlacedRelation> {
    const select = this.database.prepare(
      `SELECT ${place}, ${other}, start, end FROM relations ORDER BY ${place}, ${other}, start, end`,
    );
    // A row as a list of values takes two thirds of the time of one as an object.
    select.setReturnArrays(true);
    const rows = select.iterate() as Iterable<unknown> as Iterable<RelationValues>; // Our schema.
    for (const [ofPlace, site, start, end] of rows) yield { place: ofPlace, site, start, end };
  }
}
