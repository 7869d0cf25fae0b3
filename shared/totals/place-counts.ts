// Counts the distinct places of rows. The records of a place follow one another where amounts are added up; the places
// of rights stand in any order and are sorted first. So it is enough to remember the last place of each cell and row.

import type { PlaceCodes } from '../search/columns/place-codes';
import { NOT_FOUND } from './scan';
import type { Statistics } from './statistics';

/** A row counts the places of the cells that are in it. */
class PlaceCounter {
  // The last place that was counted, plus one.
  private readonly lastOfCell: Uint32Array;
  private readonly lastOfRow: Uint32Array;

  constructor(
    private readonly rowsOfCells: readonly (readonly number[])[],
    private readonly statistics: Statistics,
    rows: number,
  ) {
    this.lastOfCell = new Uint32Array(rowsOfCells.length);
    this.lastOfRow = new Uint32Array(rows);
  }

  /** All cells of one place come before those of the next. */
  add(cell: number, rank: number): void {
    if (this.lastOfCell[cell] === rank + 1) return;
    this.lastOfCell[cell] = rank + 1;
    for (const row of this.rowsOfCells[cell] ?? []) {
      if (this.lastOfRow[row] === rank + 1) continue;
      this.lastOfRow[row] = rank + 1;
      this.statistics.addPlace(row);
    }
  }
}

interface CountedRows {
  /** By cell the rows in which its records count. */
  readonly rowsOfCells: readonly (readonly number[])[];
  readonly rows: number;
  readonly statistics: Statistics;
}

/** `cellOfRecord` is that of the scan. */
export function countPlaces(placeCodes: PlaceCodes, cellOfRecord: Uint32Array, counted: CountedRows): void {
  const { rowsOfCells, rows, statistics } = counted;
  const counter = new PlaceCounter(rowsOfCells, statistics, rows);
  if (placeCodes.isInOrder) {
    const { codes } = placeCodes;
    for (let record = 0; record < codes.length; record++) {
      const cell = cellOfRecord[record] ?? NOT_FOUND;
      const code = codes[record] ?? 0;
      if (cell !== NOT_FOUND && code !== 0) counter.add(cell, code - 1);
    }
    return;
  }
  const { ends, cells } = sortByPlace(placeCodes, cellOfRecord);
  let at = 0;
  ends.forEach((end, rank) => {
    for (; at < end; at++) counter.add(cells[at] ?? 0, rank);
  });
}

/** The cells of the found records at each place, by a counting sort; those of place `rank` end before `ends[rank]`. */
function sortByPlace(
  { codes, sets, places }: PlaceCodes,
  cellOfRecord: Uint32Array,
): { readonly ends: Uint32Array; readonly cells: Uint32Array } {
  const visit = (add: (rank: number, cell: number) => void): void => {
    codes.forEach((code, record) => {
      const cell = cellOfRecord[record] ?? NOT_FOUND;
      if (cell === NOT_FOUND || code === 0) return;
      if (code <= places) add(code - 1, cell);
      else for (const rank of sets[code - places - 1] ?? []) add(rank, cell);
    });
  };
  const ends = new Uint32Array(places);
  visit((rank) => (ends[rank] = (ends[rank] ?? 0) + 1));
  let sum = 0;
  const next = ends.map((count) => (sum += count) - count);
  const cells = new Uint32Array(sum);
  visit((rank, cell) => {
    const at = next[rank] ?? 0;
    cells[at] = cell;
    next[rank] = at + 1;
  });
  // Each place has been filled up to its end.
  return { ends: next, cells };
}
