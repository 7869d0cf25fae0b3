// Round numbers for the axes of charts, and short texts for them.

const STEPS = [1, 2, 5, 10];

/** Quotients of decimals are off by less. */
const ROUNDING = 1e-9;

/** The round numbers between two bounds, at most so many. */
export function roundNumbers(lowest: number, highest: number, most: number): readonly number[] {
  const rough = (highest - lowest) / most;
  if (!(rough > 0) || !Number.isFinite(rough)) return [lowest];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough * (1 - ROUNDING)) ?? 10) * power;
  const first = Math.ceil(lowest / step - ROUNDING);
  const count = Math.floor(highest / step + ROUNDING) - first + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 4 });

export function shortNumber(value: number): string {
  return SHORT.format(value);
}

/** More than doubles have, so that no digit is lost. */
const LONG = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 });

/** With all its digits. */
export function wholeNumber(value: number): string {
  return LONG.format(value);
}
