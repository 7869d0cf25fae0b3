// Adds decimal numbers exactly, so that a long running sum has no rounding errors.

/** The number `digits / 10 ** decimals`. */
export interface Decimal {
  readonly digits: bigint;
  readonly decimals: number;
}

export const ZERO: Decimal = { digits: 0n, decimals: 0 };

const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/** Reads a number as the service writes it, such as -12.50 or 1e-7. Undefined for any other string. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign = '', whole, fraction = '', exponent = '0'] = NUMBER.exec(text.trim()) ?? [];
  if (whole === undefined) return undefined;
  const digits = BigInt(sign + whole + fraction);
  const decimals = fraction.length - Number(exponent);
  return decimals < 0 ? { digits: digits * powerOfTen(-decimals), decimals: 0 } : { digits, decimals };
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const decimals = Math.max(a.decimals, b.decimals);
  return { digits: scaleDigits(a, decimals) + scaleDigits(b, decimals), decimals };
}

/** All digits, without trailing zeros after the point. */
export function formatDecimal({ digits, decimals }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(decimals + 1, '0');
  const fraction = text.slice(text.length - decimals).replace(/0+$/, '');
  const whole = text.slice(0, text.length - decimals);
  return decimals === 0 || fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

function scaleDigits({ digits, decimals }: Decimal, target: number): bigint {
  return digits * powerOfTen(target - decimals);
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}
