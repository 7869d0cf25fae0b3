// Numbers as pages show them.

/** More digits than a double has, so that no digit is lost. */
const LONG_FORMAT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 });

/** Shows all digits. */
export function formatNumber(value: number): string {
  return LONG_FORMAT.format(value);
}
