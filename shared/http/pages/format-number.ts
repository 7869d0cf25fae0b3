// Formats numbers for pages.

/** More fraction digits than a double has, so that no digit is lost. */
const LONG_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 });

/** Formats a number with all of its digits. */
export function formatNumber(value: number): string {
  return LONG_FORMAT.format(value);
}

const SHORT_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

const SMALL_FORMAT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** Rounds to three decimals, or to four significant digits if the number is below one, as the explorer does. */
export function formatNumberShortly(value: number): string {
  return (Math.abs(value) >= 1 || value === 0 ? SHORT_FORMAT : SMALL_FORMAT).format(value);
}
