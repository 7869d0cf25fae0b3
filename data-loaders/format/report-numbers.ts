// Formats counts, sums and shares for the sentences of a report.

const NUMBER_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });

/** Formats a count, as in `1,250`. */
export function formatNumber(count: number): string {
  return NUMBER_FORMAT.format(count);
}

/** Formats a count with its noun, as in `1,250 rows`. */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a share of one: 0.125 becomes "12.5 percent". */
export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} percent`;
}
