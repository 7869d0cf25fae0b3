// Converts numbers in cells of a workbook to text, depending on the cell's number format: plain numbers to their
// shortest text, dates to ISO dates, and codes to text with leading zeros.

import { dateFromSerial, format as formatNumberAs, isDateFormat } from 'numfmt';

/** How numbers with a given style are converted to text. */
export type NumberKind =
  { readonly kind: 'plain' } | { readonly kind: 'date' } | { readonly kind: 'code'; readonly pattern: string };

const PLAIN: NumberKind = { kind: 'plain' };

/** Date and time formats that workbooks refer to by number only (ECMA-376, 18.8.30). */
const BUILT_IN_DATES: ReadonlySet<number> = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** The range of built-in date formats in East Asian versions of Excel. */
const LOCAL_DATES = { first: 27, last: 58 };

/** Matches a single section of zeros, such as 00000 or 00000-0000, optionally with a condition. */
const CODE_SECTION = /^(?:\[[<>=]+\d+\])?0(?:0|-|\\-|\\ | |"[^"]*")+$/;

/** `pattern` is the format that the workbook defines; undefined for a built-in format. */
export function findNumberKind(formatId: number, pattern: string | undefined): NumberKind {
  if (pattern === undefined) {
    const isLocalDate = formatId >= LOCAL_DATES.first && formatId <= LOCAL_DATES.last;
    return BUILT_IN_DATES.has(formatId) || isLocalDate ? { kind: 'date' } : PLAIN;
  }
  if (pattern.split(';').every((section) => CODE_SECTION.test(section))) return { kind: 'code', pattern };
  // A pattern such as [h]:mm is a duration.
  if (/\[[hms]+\]/i.test(pattern)) return PLAIN;
  return isDateFormat(pattern) ? { kind: 'date' } : PLAIN;
}

/** The difference in days between the two date systems of workbooks. */
const DAYS_1904 = 1462;

/** The serial number of 9999-12-31. */
const MAX_SERIAL = 2_958_466;

/** `text` is the value as stored in the workbook. */
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

/** A serial number below 1 is a time without a date, so only the time is returned. */
function formatDate(serial: number): string {
  const [year, month, day, hours, minutes, seconds] = dateFromSerial(serial).map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  const time = `${hours ?? ''}:${minutes ?? ''}:${seconds ?? ''}`;
  if (serial < 1) return time;
  const date = `${(year ?? '').padStart(4, '0')}-${month ?? ''}-${day ?? ''}`;
  return time === '00:00:00' ? date : `${date}T${time}`;
}

/** More decimals than a double can have, besides its exponent. */
const MAX_DECIMALS = 20;

/** Avoids exponent notation, which identifier columns refuse, unless the number is too small or too large. */
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
