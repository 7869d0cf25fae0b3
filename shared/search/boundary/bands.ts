// One axis of a grid cut into bands that hold about equally many positions, and wide ones of these cut again: no band is crowded,
// and none is wide, however the positions lie.

/** Buckets for each band: with more of them fewer bounds share one, and finding a band takes fewer steps. */
const BUCKETS_PER_BAND = 4;

export class Bands {
  /** Where each band begins, ascending, each once; the last one begins at the greatest value and has no end. */
  readonly starts: Float64Array;
  /** These, between -Infinity and Infinity. */
  private readonly bounds: Float64Array;
  private readonly first: number;
  private readonly bucketsPerDegree: number;
  /** How many bands begin before each of equally wide buckets. */
  private readonly beginBefore: Uint32Array;

  /** At most twice `most` bands over the values, of which there must be one. */
  constructor(values: Float64Array, most: number) {
    const sorted = values.slice().sort();
    this.first = sorted[0] ?? NaN;
    const last = sorted.at(-1) ?? NaN;
    this.starts = Float64Array.from(new Set(withoutWideBands(sharesOf(sorted, most), (last - this.first) / most)));
    this.bounds = Float64Array.of(-Infinity, ...this.starts, Infinity);
    const buckets = BUCKETS_PER_BAND * this.starts.length;
    const bucketsPerDegree = (buckets - 1) / (last - this.first);
    // Infinite where all values are one, or nearly: one bucket then serves.
    this.bucketsPerDegree = Number.isFinite(bucketsPerDegree) ? bucketsPerDegree : 0;
    this.beginBefore = new Uint32Array(buckets + 1);
    for (const start of this.starts) {
      const next = this.bucketOf(start) + 1;
      this.beginBefore[next] = (this.beginBefore[next] ?? 0) + 1;
    }
    for (let bucket = 0; bucket < buckets; bucket++) {
      this.beginBefore[bucket + 1] = (this.beginBefore[bucket + 1] ?? 0) + (this.beginBefore[bucket] ?? 0);
    }
  }

  get count(): number {
    return this.starts.length;
  }

  /** The band that a value lies in: the last that begins at it or before; -1 before the first. */
  of(value: number): number {
    if (!(value >= this.first)) return -1;
    // A greater value is never in a lower bucket, rounded or not: bands of lower buckets begin before it, of higher ones after it.
    const bucket = this.bucketOf(value);
    let low = (this.beginBefore[bucket] ?? 0) - 1;
    let high = (this.beginBefore[bucket + 1] ?? 0) - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] ?? NaN) <= value) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** As `of`, by steps from a band, or -1, that is known to be near. */
  near(band: number, value: number): number {
    const { bounds } = this;
    let at = band + 1;
    while ((bounds[at] ?? NaN) > value) at--;
    while ((bounds[at + 1] ?? NaN) <= value) at++;
    return at - 1;
  }

  private bucketOf(value: number): number {
    return Math.min(this.beginBefore.length - 2, Math.floor((value - this.first) * this.bucketsPerDegree));
  }
}

/** The least value, the greatest, and between them values that leave equally many others between them; ascending. */
function sharesOf(sorted: Float64Array, most: number): readonly number[] {
  return Array.from(
    { length: most + 1 },
    (_, share) => sorted[Math.floor((share * (sorted.length - 1)) / most)] ?? NaN,
  );
}

/** With bounds set between those that lie two or more widths apart. */
function withoutWideBands(bounds: readonly number[], width: number): readonly number[] {
  return bounds.flatMap((bound, index) => {
    const gap = (bounds[index + 1] ?? bound) - bound;
    const pieces = width > 0 ? Math.max(1, Math.floor(gap / width)) : 1;
    return Array.from({ length: pieces }, (_, piece) => bound + (piece / pieces) * gap);
  });
}
