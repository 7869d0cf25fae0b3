// Shortens the count inside a ring.

/** Fits a number into its circle: in full up to 999, then thousands and millions, rounded down. */
export function formatShortCount(count: number): string {
  return count.toLocaleString('en-US', { notation: 'compact', roundingMode: 'trunc' }).replace('K', 'k');
}
