// The staged rows of a lookup file. They wait in sorted runs like amounts (ADR 0053): rights have nearly as many sites
// as records, and the rows are read back in one order only. The map from identifier to number is in memory.

import type { RowOf } from '../format/column';
import { RowShape } from '../format/row-shape';
import { lookupFiles } from '../format/submission-files';
import type { SortedRuns } from './sorted-runs';

export type LookupTable = keyof typeof lookupFiles;

export const LOOKUP_TABLES = Object.keys(lookupFiles) as LookupTable[]; // Its keys are the tables.

export type LookupRow<Table extends LookupTable> = RowOf<(typeof lookupFiles)[Table]>;

export interface NewLookup {
  readonly id: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly source: string;
  /** Staged numbers of a place's water sources, in the order of its row. */
  readonly waterSources: readonly number[];
  /** As encodeGeometry wrote it; null without a usable one. */
  readonly geometry: Uint8Array | null;
}

/** A row as it comes back; it is valid until the next. */
export interface StagedLookup<Row> extends Pick<NewLookup, 'id' | 'waterSources'> {
  readonly number: number;
  readonly readRow: () => Row;
  readonly source: Buffer;
  readonly geometry: Buffer | null;
}

/** Number and water sources, row, source, geometry. */
export const LOOKUP_FIELDS = 4;

/** Folding this many identifiers takes 20 MB and a tenth of a second. */
const MAX_FOLDED = 200_000;

export class StagedLookups<Table extends LookupTable = LookupTable> {
  private readonly shape: RowShape<(typeof lookupFiles)[Table]>;
  /** The numbers of staged rows by their identifiers; undefined until they are first asked for. */
  private numbers: Map<string, number> | undefined;
  /** By their lower case, once one was asked for in another letter case. */
  private folded: ReadonlyMap<string, string> | undefined;

  /** Goes on with the rows that an earlier process staged, if it did. */
  constructor(
    table: Table,
    private readonly runs: SortedRuns,
    private readonly state: { count: number; readonly removed: Set<number> },
  ) {
    this.shape = new RowShape(lookupFiles[table]);
  }

  /** Rows are numbered from 1 on, in the order in which they were added. */
  get lastNumber(): number {
    return this.state.count;
  }

  /** False when the identifier is already there: the first stays. */
  add({ id, row, source, waterSources, geometry }: NewLookup): boolean {
    if (this.findNumber(id) !== undefined) return false;
    this.state.count++;
    const number = this.state.count;
    this.runs.add(id, [number, ...waterSources].join(), this.shape.write(row), source, geometry ?? '');
    // A copy: a part of a text would keep all of the text in memory.
    this.getIdentifiers().set(Buffer.from(id).toString(), number);
    return true;
  }

  /**
   * The staged number of the row with an identifier, exact, letter case too (submissions.md, 4); undefined when the
   * submission does not have it. Most questions need no more, and a row may carry a polygon of megabytes.
   */
  findNumber(id: string): number | undefined {
    return this.getIdentifiers().get(id);
  }

  /** An identifier that differs from this one in letter case alone. Large tables are not searched. */
  findInOtherCase(id: string): string | undefined {
    const identifiers = this.getIdentifiers();
    if (identifiers.size > MAX_FOLDED) return undefined;
    // A table is asked for when all of its rows are staged.
    this.folded ??= new Map([...identifiers.keys()].map((known) => [known.toLowerCase(), known]));
    return this.folded.get(id.toLowerCase());
  }

  remove(id: string): void {
    const number = this.findNumber(id);
    if (number === undefined) return;
    this.state.removed.add(number);
    this.getIdentifiers().delete(id);
  }

  /** In the order of D17. */
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

  /** Frees the identifiers, which only the adding of rows needs. */
  endAdding(): void {
    [this.numbers, this.folded] = [undefined, undefined];
  }

  /** What an earlier process staged is read when it is first asked for. */
  private getIdentifiers(): Map<string, number> {
    if (this.numbers !== undefined) return this.numbers;
    this.numbers = new Map<string, number>();
    if (this.state.count > 0) for (const { id, number } of this.readRows()) this.numbers.set(id, number);
    return this.numbers;
  }
}
