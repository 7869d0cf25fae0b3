// Merges cells of points that are too close together to be shown separately on a map, for example as circles with
// numbers. It starts around the cells with the most points, and repeats until all cells are far enough apart. Unlike
// squares, the result has no rows and columns.

/** Points of a cell, and the sums of their coordinates. The arrays are by cell. */
export interface CellSums {
  readonly counts: Uint32Array;
  readonly sumX: Float64Array;
  readonly sumY: Float64Array;
}

/**
 * Adds the sums of each cell to the cell that it is merged into. Returns, for each cell, the index of that target. The
 * means of the remaining cells are at least `distance` apart.
 */
export function mergeNearCells(sums: CellSums, distance: number): Uint32Array {
  const targets = new Uint32Array(sums.counts.length).map((_, cell) => cell);
  for (let hasMerged = true; hasMerged;) hasMerged = mergeOnce(sums, targets, distance);
  // A cell may be merged into a cell that is merged later.
  for (let cell = 0; cell < targets.length; cell++) {
    let target = targets[cell] ?? cell;
    while (targets[target] !== target) target = targets[target] ?? target;
    targets[cell] = target;
  }
  return targets;
}

/** Returns whether any cell was merged. Distances are computed from the means before this pass. */
function mergeOnce({ counts, sumX, sumY }: CellSums, targets: Uint32Array, distance: number): boolean {
  const cells = Array.from(counts.keys()).filter((cell) => counts[cell] !== 0);
  const x = sumX.map((sum, cell) => sum / (counts[cell] ?? 1));
  const y = sumY.map((sum, cell) => sum / (counts[cell] ?? 1));
  const buckets = new Buckets(distance);
  for (const cell of cells) buckets.add(cell, x[cell] ?? 0, y[cell] ?? 0);
  let hasMerged = false;
  for (const center of cells.toSorted((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b)) {
    if (targets[center] !== center) continue;
    const centerX = x[center] ?? 0;
    const centerY = y[center] ?? 0;
    for (const cell of buckets.listNear(centerX, centerY)) {
      if (cell === center || targets[cell] !== cell) continue;
      if (Math.hypot((x[cell] ?? 0) - centerX, (y[cell] ?? 0) - centerY) >= distance) continue;
      moveInto(center, cell, { counts, sumX, sumY });
      targets[cell] = center;
      hasMerged = true;
    }
  }
  return hasMerged;
}

function moveInto(center: number, cell: number, { counts, sumX, sumY }: CellSums): void {
  for (const sums of [counts, sumX, sumY]) {
    sums[center] = (sums[center] ?? 0) + (sums[cell] ?? 0);
    sums[cell] = 0;
  }
}

/** More than the number of squares in a row. */
const ROW = 65_536;

/**
 * Groups cells by squares as wide as the distance. Cells that are nearer to each other than the distance are in the
 * same square or in adjacent squares.
 */
class Buckets {
  private readonly cells = new Map<number, number[]>();

  constructor(private readonly width: number) {}

  add(cell: number, x: number, y: number): void {
    const key = this.key(x, y);
    const bucket = this.cells.get(key);
    if (bucket === undefined) this.cells.set(key, [cell]);
    else bucket.push(cell);
  }

  *listNear(x: number, y: number): Generator<number> {
    for (const stepY of [-1, 0, 1]) {
      for (const stepX of [-1, 0, 1])
        yield* this.cells.get(this.key(x + stepX * this.width, y + stepY * this.width)) ?? [];
    }
  }

  private key(x: number, y: number): number {
    return Math.floor(y / this.width) * ROW + Math.floor(x / this.width);
  }
}
