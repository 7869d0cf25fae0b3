// Converts the number in a cell of a workbook to text: numbers as their shortest text, dates as ISO dates, and codes
// with their leading zeros, depending on the number format of the cell.

import { dateFromSerial, format as formatNumberAs, isDateFormat } from 'numfmt';

/** How the numbers of a style become texts. */
export type NumberKind =
  { readonly kind: 'plain' } | { readonly kind: 'date' } | { readonly kind: 'code'; readonly pattern: string };

const PLAIN: NumberKind = { kind: 'plain' };

/** Formats that workbooks name by number only (ECMA-376, 18.8.30): dates and times. */
const BUILT_IN_DATES: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** The numbers by which versions of Excel for East Asia name their dates. */
const LOCAL_DATES = { first: 27, last: 58 };

/** One section of zeros, such as 00000 or 00000-0000, optionally with a condition. */
const CODE_SECTION = /^(?:\[[<>=]+\d+\])?0(?:0|-|\\-|\\ | |"[^"]*")+$/;

/** `pattern` is that of a format that the workbook defines; undefined for a built-in one. */
export function findNumberKind(formatId: number, pattern: string | undefined): NumberKind {
  if (pattern === undefined) {
    const isLocalDate = formatId >= LOCAL_DATES.first && formatId <= LOCAL_DATES.last;
    return BUILT_IN_DATES.has(formatId) || isLocalDate ? { kind: 'date' } : PLAIN;
  }
  if (pattern.split(';').every((section) => CODE_SECTION.test(section))) return { kind: 'code', pattern };
  // [h]:mm is a duration.
  if (/\[[hms]+\]/i.test(pattern)) return PLAIN;
  return isDateFormat(pattern) ? { kind: 'date' } : PLAIN;
}

/** Days between the two systems of dates of workbooks. */
const DAYS_1904 = 1462;

/** The serial of 9999-12-31. */
const MAX_SERIAL = 2_958_466;

/** `text` is the value as the workbook stores it. */
export function formatCellNumber(text: string, kind: NumberKind, has1904Dates: boolean): string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return text;
  if (kind.kind === 'date') {
    const serial = value + (has1904Dates ? DAYS_1904 : 0);
    if (serial >= 0 && serial < MAX_SERIAL) return formatDate(serial);
  }
  if (kind.kind === 'code' && Number.isInteger(value) && value >= 0) {
    const code = formatNumberAs(kind.pattern, value, { throws: false });
    if (/\d/.test(code)) return code;
  }
  return formatShortest(value);
}

/** A serial below 1 is a time, so only the time is returned. */
function formatDate(serial: number): string {
  const [year, month, day, hours, minutes, seconds] = dateFromSerial(serial).map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  const time = `${hours ?? ''}:${minutes ?? ''}:${seconds ?? ''}`;
  if (serial < 1) return time;
  const date = `${(year ?? '').padStart(4, '0')}-${month ?? ''}-${day ?? ''}`;
  return time === '00:00:00' ? date : `${date}T${time}`;
}

/** Digits that a double has at most beyond its exponent. */
const MAX_DECIMALS = 20;

/** Without an exponent, which the columns of identifiers refuse, unless the number is too small or too large. */
function formatShortest(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  if (Number.isInteger(value) && Math.abs(value) < 1e300) return BigInt(value).toString();
  const decimals = removeTrailingZeros(value.toFixed(MAX_DECIMALS));
  return Number(decimals) === value ? decimals : text;
}

function removeTrailingZeros(decimals: string): string {
  let end = decimals.length;
  while (decimals[end - 1] === '0') end--;
  return decimals.slice(0, end);
}
