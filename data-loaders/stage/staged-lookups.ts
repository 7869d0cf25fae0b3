// The staged rows of a lookup file. They are kept in sorted runs, like amounts (ADR 0053): rights have nearly as many
// sites as records, and rows are read back in only one order. The map from identifier to number is in memory.

import { ownText } from '../../shared/values/bytes/own-bytes';
import type { RowOf } from '../format/column';
import { RowShape } from '../format/row-shape';
import { lookupFiles } from '../format/submission-files';
import { SimilarIdentifiers } from './similar-identifiers';
import type { SortedRuns } from './sorted-runs';

export type LookupTable = keyof typeof lookupFiles;

export const LOOKUP_TABLES = Object.keys(lookupFiles) as LookupTable[]; // The keys are the tables.

export type LookupRow<Table extends LookupTable> = RowOf<(typeof lookupFiles)[Table]>;

export interface NewLookup {
  readonly id: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly source: string;
  /** Staged numbers of a place's water sources, in the order of its row. */
  readonly waterSources: readonly number[];
  /** The bytes from encodeGeometry; null without a usable geometry. */
  readonly geometry: Uint8Array | null;
}

/** A row that is read back. It is valid until the next row is requested. */
export interface StagedLookup<Row> extends Pick<NewLookup, 'id' | 'waterSources'> {
  readonly number: number;
  readonly readRow: () => Row;
  readonly source: Buffer;
  readonly geometry: Buffer | null;
}

/** The fields: number and water sources, row, source, geometry. */
export const LOOKUP_FIELDS = 4;

/** Limited because comparing this many identifiers takes about 60 MB and half a second. */
const MAX_COMPARED = 200_000;

export class StagedLookups<Table extends LookupTable = LookupTable> {
  private readonly shape: RowShape<(typeof lookupFiles)[Table]>;
  /** The numbers of staged rows by identifier; undefined until first needed. */
  private numbers: Map<string, number> | undefined;
  /** Undefined until first needed. */
  private similar: SimilarIdentifiers | undefined;

  /** Continues with the rows that an earlier process staged, if any. */
  constructor(
    table: Table,
    private readonly runs: SortedRuns,
    private readonly state: { count: number; readonly removed: Set<number> },
  ) {
    this.shape = new RowShape(lookupFiles[table]);
  }

  /** Numbers rows from 1, in the order in which they are added. */
  get lastNumber(): number {
    return this.state.count;
  }

  /** Returns false if the identifier already exists: the first row is kept. */
  add({ id, row, source, waterSources, geometry }: NewLookup): boolean {
    if (this.findNumber(id) !== undefined) return false;
    this.state.count++;
    const number = this.state.count;
    this.runs.add(id, [number, ...waterSources].join(), this.shape.write(row), source, geometry ?? '');
    this.getIdentifiers().set(ownText(id), number);
    return true;
  }

  /**
   * The staged number of the row with exactly this identifier, including letter case (submissions.md, 4); undefined if
   * there is none. Returns only the number, because most callers need nothing else and a row may contain a polygon of several megabytes.
   */
  findNumber(id: string): number | undefined {
    return this.getIdentifiers().get(id);
  }

  /** The only identifier that this one may stand for. Large tables are not searched. */
  findSimilar(id: string): string | undefined {
    const identifiers = this.getIdentifiers();
    if (identifiers.size > MAX_COMPARED) return undefined;
    // Only called when all rows of the table are staged.
    this.similar ??= new SimilarIdentifiers(identifiers.keys());
    return this.similar.find(id);
  }

  remove(id: string): void {
    const number = this.findNumber(id);
    if (number === undefined) return;
    this.state.removed.add(number);
    this.getIdentifiers().delete(id);
  }

  /** Yields rows in the order of D17. */
  *readRows(): Iterable<StagedLookup<LookupRow<Table>>> {
    for (const sorted of this.runs.rows()) {
      const [number = NaN, ...waterSources] = sorted.getField(0).toString('latin1').split(',').map(Number);
      if (this.state.removed.has(number)) continue;
      const geometry = sorted.getField(3);
      yield {
        id: sorted.key,
        number,
        waterSources,
        source: sorted.getField(2),
        readRow: () => this.shape.read(sorted.getField(1)),
        geometry: geometry.length === 0 ? null : geometry,
      };
    }
  }

  /** Frees the memory of the identifiers, which are needed only while rows are added. */
  endAdding(): void {
    this.numbers = undefined;
    this.similar = undefined;
  }

  /** Reads the identifiers that an earlier process staged, when they are first needed. */
  private getIdentifiers(): Map<string, number> {
    if (this.numbers !== undefined) return this.numbers;
    this.numbers = new Map<string, number>();
    if (this.state.count > 0) for (const { id, number } of this.readRows()) this.numbers.set(id, number);
    return this.numbers;
  }
}
