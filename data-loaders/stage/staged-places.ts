// The staged rows of a file of places, sites or reporting units, of which rights have nearly as many as records. Like
// amounts they wait in sorted runs (ADR 0053), since they are read again in one order only; which number an identifier
// has is known in memory.

import { join } from 'node:path';
import { SortedRuns, type SavedRuns, type SortedRow } from './sorted-runs';

/** The tables of the lookups that are places. */
export const PLACE_TABLES = ['sites', 'reportingunits'] as const;

export type PlaceTable = (typeof PLACE_TABLES)[number];

export function isPlaceTable(table: string): table is PlaceTable {
  return PLACE_TABLES.some((each) => each === table);
}

export interface NewPlace {
  readonly id: string;
  /** JSON of the values of the row. */
  readonly row: string | Uint8Array;
  readonly source: string | Uint8Array;
  /** Staged numbers of the place's water sources, in the order of its row. */
  readonly waterSources: readonly number[];
  /** As encodeGeometry wrote it; null without a usable one. */
  readonly geometry: Uint8Array | null;
}

/** Texts stay bytes in UTF-8. */
export interface StagedPlace extends Pick<NewPlace, 'id' | 'waterSources'> {
  readonly number: number;
  readonly row: Buffer;
  readonly source: Buffer;
  readonly geometry: Buffer | null;
}

/** What orders places, without their texts. */
export type OrderedPlace = Pick<StagedPlace, 'id' | 'number' | 'waterSources'>;

export interface SavedPlaces {
  readonly count: number;
  readonly rows: SavedRuns;
  readonly order: SavedRuns;
  readonly removed: ReadonlySet<number>;
}

/** Number and water sources, row, source, geometry. */
const PARTS = 4;

export class StagedPlaces {
  private readonly runs: SortedRuns;
  /** Number and water sources alone: places are read in their order before their texts are. */
  private readonly order: SortedRuns;
  private readonly removed: Set<number>;
  private count: number;

  /** Goes on with what `save` returned in an earlier process. */
  constructor(table: PlaceTable, folder: string, saved: SavedPlaces | undefined) {
    this.runs = new SortedRuns(join(folder, table), PARTS, saved?.rows);
    this.order = new SortedRuns(join(folder, `${table}-order`), 1, saved?.order);
    this.removed = new Set(saved?.removed);
    this.count = saved?.count ?? 0;
  }

  save(): SavedPlaces {
    const { count, removed } = this;
    return { count, rows: this.runs.save(), order: this.order.save(), removed };
  }

  /** Places are numbered from 1 on, in the order in which they were added. */
  get lastNumber(): number {
    return this.count;
  }

  add({ id, row, source, waterSources, geometry }: NewPlace): number {
    const number = ++this.count;
    const numbers = [number, ...waterSources].join();
    this.runs.add(id, numbers, row, source, geometry ?? '');
    this.order.add(id, numbers);
    return number;
  }

  remove(number: number): void {
    this.removed.add(number);
  }

  /** In the order of D17. */
  *inOrder(): Iterable<OrderedPlace> {
    for (const sorted of this.order.rows()) {
      const place = orderedPlace(sorted);
      if (!this.removed.has(place.number)) yield place;
    }
  }

  /** As inOrder, with their texts. */
  *rows(): Iterable<StagedPlace> {
    for (const sorted of this.runs.rows()) {
      const place = orderedPlace(sorted);
      if (this.removed.has(place.number)) continue;
      const geometry = sorted.part(3);
      yield {
        ...place,
        ...{ row: sorted.part(1), source: sorted.part(2), geometry: geometry.length === 0 ? null : geometry },
      };
    }
  }

  close(): void {
    this.runs.close();
    this.order.close();
  }
}

function orderedPlace(sorted: SortedRow): OrderedPlace {
  const [number = NaN, ...waterSources] = sorted.part(0).toString('latin1').split(',').map(Number);
  return { id: sorted.key, number, waterSources };
}
