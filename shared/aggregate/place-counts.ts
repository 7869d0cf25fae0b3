// Counts the distinct places of rows. Where each record has one place and those of a place follow one another, as
// amounts do, it is enough to remember the last place of each cell, and of each row where cells share rows. The places
// of rights stand in any order, and are sorted first.

import type { PlaceCodes } from '../search/index/place-index';
import type { Statistics } from './statistics';

const FIRST_PAIRS = 1024;

/** At which places the records of each cell are. */
export class CellPlaces {
  /** By cell the code that it had last. */
  private last = new Uint32Array(FIRST_PAIRS);
  private cells = new Uint32Array(FIRST_PAIRS);
  private ranks = new Uint32Array(FIRST_PAIRS);
  private pairs = 0;

  /** With the statistics of the cells, places are counted there at once: each cell is then a row, and in order. */
  constructor(
    private readonly placeCodes: PlaceCodes,
    private readonly statistics: Statistics | undefined,
  ) {}

  /** Makes room for cells below `count`. */
  grow(count: number): void {
    if (count > this.last.length) this.last = grownTo(2 * count, this.last);
  }

  /** Adds the record at each position behind `first`, which is in the cell of the same index. */
  addAll(cells: Uint32Array, first: number, positions: Uint32Array): void {
    for (let index = 0; index < positions.length; index++) this.add(cells[index] ?? 0, first + (positions[index] ?? 0));
  }

  private add(cell: number, record: number): void {
    const code = this.placeCodes.codes[record] ?? 0;
    if (this.last[cell] === code) return;
    this.last[cell] = code;
    // Code 0 is that of records without a place.
    if (code === 0) return;
    if (this.statistics === undefined) this.addPairs(cell, code);
    else this.statistics.addPlace(cell);
  }

  /** Counts the places in the rows of each cell. */
  countIn(rowsOfCells: readonly (readonly number[])[], rows: number, statistics: Statistics): void {
    if (!this.placeCodes.isInOrder) this.sort();
    const { cells, ranks } = this;
    // The last place that was counted, plus one.
    const lastOfRow = new Uint32Array(rows);
    for (let pair = 0; pair < this.pairs; pair++) {
      const rank = ranks[pair] ?? 0;
      for (const row of rowsOfCells[cells[pair] ?? 0] ?? []) {
        if (lastOfRow[row] === rank + 1) continue;
        lastOfRow[row] = rank + 1;
        statistics.addPlace(row);
      }
    }
  }

  private addPairs(cell: number, code: number): void {
    const { places, sets } = this.placeCodes;
    if (code <= places) this.addPair(cell, code - 1);
    else for (const rank of sets[code - places - 1] ?? []) this.addPair(cell, rank);
  }

  private addPair(cell: number, rank: number): void {
    if (this.pairs === this.cells.length) {
      this.cells = grownTo(2 * this.pairs, this.cells);
      this.ranks = grownTo(2 * this.pairs, this.ranks);
    }
    this.cells[this.pairs] = cell;
    this.ranks[this.pairs++] = rank;
  }

  /** Sorts the pairs by place, by counting. */
  private sort(): void {
    const counts = new Uint32Array(this.placeCodes.places);
    for (const rank of this.ranks.subarray(0, this.pairs)) counts[rank] = (counts[rank] ?? 0) + 1;
    let sum = 0;
    const next = counts.map((count) => (sum += count) - count);
    const cells = new Uint32Array(this.pairs);
    const ranks = new Uint32Array(this.pairs);
    for (let pair = 0; pair < this.pairs; pair++) {
      const rank = this.ranks[pair] ?? 0;
      const at = next[rank] ?? 0;
      cells[at] = this.cells[pair] ?? 0;
      ranks[at] = rank;
      next[rank] = at + 1;
    }
    this.cells = cells;
    this.ranks = ranks;
  }
}

function grownTo(length: number, numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length);
  grown.set(numbers);
  return grown;
}
