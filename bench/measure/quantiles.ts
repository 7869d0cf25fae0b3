// Medians and percentiles of measurements. Averages are not used, because one slow answer would distort them.

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Nearest-rank percentile; `share` is 0 to 1. NaN for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.max(0, Math.ceil(share * ascending.length) - 1)] ?? NaN;
}

/** The geometric mean of ratios, in which twice as fast and half as fast cancel out. */
export function geometricMean(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
