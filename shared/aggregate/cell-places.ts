// Counts the distinct places in each row of totals, from the places of each cell. If each record has one place and the
// records of a place are consecutive, as in amounts, the places of a cell are already in order. The places of rights
// are not, so they are sorted first.

import type { PlaceCodes } from '../search/index/place-codes';
import type { Statistics } from './statistics';

const INITIAL_CAPACITY = 1024;

export class CellPlaces {
  /** Keyed by cell: the place code of the record that was last added to the cell. */
  private lastCode = new Uint32Array(INITIAL_CAPACITY);
  /** Pairs of a cell and the rank of a place of one of its records. The same pair may occur more than once. */
  private cells = new Uint32Array(INITIAL_CAPACITY);
  private ranks = new Uint32Array(INITIAL_CAPACITY);
  private pairs = 0;

  constructor(private readonly placeCodes: PlaceCodes) {}

  /** Makes room for cells below `count`. */
  grow(count: number): void {
    if (count > this.lastCode.length) this.lastCode = growTo(2 * count, this.lastCode);
  }

  /** Adds record `first + positions[i]` to cell `cells[i]`. */
  addAll(cells: Uint32Array, first: number, positions: Uint32Array): void {
    for (let index = 0; index < positions.length; index++) this.add(cells[index] ?? 0, first + (positions[index] ?? 0));
  }

  private add(cell: number, record: number): void {
    const code = this.placeCodes.codes[record] ?? 0;
    if (this.lastCode[cell] === code) return;
    this.lastCode[cell] = code;
    // A record without a place has code 0.
    if (code === 0) return;
    const { placeCount, sets } = this.placeCodes;
    if (code <= placeCount) this.addPair(cell, code - 1);
    else for (const rank of sets[code - placeCount - 1] ?? []) this.addPair(cell, rank);
  }

  private addPair(cell: number, rank: number): void {
    if (this.pairs === this.cells.length) {
      this.cells = growTo(2 * this.pairs, this.cells);
      this.ranks = growTo(2 * this.pairs, this.ranks);
    }
    this.cells[this.pairs] = cell;
    this.ranks[this.pairs] = rank;
    this.pairs++;
  }

  /**
   * Counts the places and stores the counts in `statistics`. `rowsByCell` lists, for each cell, the rows in which its
   * records count.
   */
  countPlaces(rowsByCell: readonly (readonly number[])[], rowCount: number, statistics: Statistics): void {
    if (!this.placeCodes.isInOrder) this.sortByPlace();
    const { cells, ranks } = this;
    // Keyed by row: the rank of the last counted place, plus one.
    const lastPlace = new Uint32Array(rowCount);
    for (let pair = 0; pair < this.pairs; pair++) {
      const rank = ranks[pair] ?? 0;
      for (const row of rowsByCell[cells[pair] ?? 0] ?? []) {
        if (lastPlace[row] === rank + 1) continue;
        lastPlace[row] = rank + 1;
        statistics.addPlace(row);
      }
    }
  }

  /** Sorts the pairs by place with a counting sort. */
  private sortByPlace(): void {
    const nextIndex = this.countPairsBefore();
    const cells = new Uint32Array(this.pairs);
    const ranks = new Uint32Array(this.pairs);
    for (let pair = 0; pair < this.pairs; pair++) {
      const rank = this.ranks[pair] ?? 0;
      const index = nextIndex[rank] ?? 0;
      cells[index] = this.cells[pair] ?? 0;
      ranks[index] = rank;
      nextIndex[rank] = index + 1;
    }
    this.cells = cells;
    this.ranks = ranks;
  }

  /** Returns, for each rank, the number of pairs with a lower rank. */
  private countPairsBefore(): Uint32Array {
    const counts = new Uint32Array(this.placeCodes.placeCount);
    for (const rank of this.ranks.subarray(0, this.pairs)) counts[rank] = (counts[rank] ?? 0) + 1;
    let sum = 0;
    for (let rank = 0; rank < counts.length; rank++) {
      const count = counts[rank] ?? 0;
      counts[rank] = sum;
      sum += count;
    }
    return counts;
  }
}

function growTo(length: number, numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length);
  grown.set(numbers);
  return grown;
}
