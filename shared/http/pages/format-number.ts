// Numbers as pages show them.

/** More digits than doubles have, so that none is lost. */
const LONG_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 });

/** With all its digits. */
export function formatNumber(value: number): string {
  return LONG_FORMAT.format(value);
}
