// Numbers as pages show them.

/** More digits than a double has, so that no digit is lost. */
const LONG_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 });

/** Shows all digits. */
export function formatNumber(value: number): string {
  return LONG_FORMAT.format(value);
}

const SHORT_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

const SMALL_FORMAT = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 4 });

/** Rounds to three decimals, or to four digits for a number below one, as the explorer does. */
export function formatNumberShortly(value: number): string {
  return (Math.abs(value) >= 1 || value === 0 ? SHORT_FORMAT : SMALL_FORMAT).format(value);
}
