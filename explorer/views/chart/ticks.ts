// Round numbers for an axis, and short texts for large ones.

const STEPS = [1, 2, 2.5, 5, 10];

/** Quotients of decimals are off by less. */
const ROUNDING = 1e-9;

/** Round numbers between two bounds, about as many as wanted. */
export function ticksOf(lowest: number, highest: number, wanted: number): readonly number[] {
  const rough = (highest - lowest) / Math.max(1, wanted);
  if (!(rough > 0) || !Number.isFinite(rough)) return [lowest];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = (STEPS.find((one) => one * power >= rough) ?? 10) * power;
  const first = Math.ceil(lowest / step - ROUNDING);
  const count = Math.floor(highest / step + ROUNDING) - first + 1;
  // Multiplied and not added up, so that no error grows.
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

const UNITS = [
  [1e12, ' trillion'],
  [1e9, ' billion'],
  [1e6, ' million'],
] as const;

export function tickText(value: number): string {
  const [size, word] = UNITS.find(([least]) => Math.abs(value) >= least) ?? [1, ''];
  return `${(value / size).toLocaleString('en-US', { maximumFractionDigits: 6 })}${word}`;
}

/** Every so many of a number of texts fit beside each other. */
export function everyNth(count: number, fitting: number): number {
  const least = Math.max(1, Math.ceil(count / Math.max(1, fitting)));
  return [1, 2, 5, 10, 20, 25, 50, 100, 200, 500].find((step) => step >= least) ?? least;
}
