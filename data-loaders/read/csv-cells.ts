// Splits one CSV record into cells.

/** Whether a row has a cell for each header cell, and only blank cells beyond them. */
export function fitsHeader(cells: readonly string[] | undefined, expected: number): boolean {
  if (cells === undefined || cells.length < expected) return false;
  return cells.length === expected || cells.slice(expected).every((cell) => cell.trim() === '');
}

/** The number of header cells without trailing unnamed cells, which programs add (D73). */
export function countNamedCells(names: readonly string[]): number {
  return names.findLastIndex((name) => name.trim() !== '') + 1;
}

/** The cells of one record, without its line end. */
export function splitCells(record: string): readonly string[] {
  // Without quotes, every comma separates cells.
  return record.includes('"') ? readCells(record).cells : record.split(',');
}

/**
 * A quote at the start of a cell must be closed before a comma or at the end of the record; two quotes in a row stand
 * for one quote in the text. Any other quote is part of the text (`5" pipe`). RFC 4180 does not allow that, but real
 * files contain it; `isStrict` is then false.
 */
export function readCells(record: string): { readonly cells: readonly string[]; readonly isStrict: boolean } {
  const cells: string[] = [];
  let isStrict = true;
  for (let offset = 0; offset <= record.length;) {
    const closed = record[offset] === '"' ? findQuotedEnd(record, offset) : offset;
    const comma = record.indexOf(',', closed);
    const end = comma === -1 ? record.length : comma;
    const rest = record.slice(closed, end);
    if (closed === offset) {
      cells.push(rest);
      isStrict &&= !rest.includes('"');
    } else {
      const inner = record.slice(offset + 1, closed - 1).replaceAll('""', '"');
      cells.push(rest === '' ? inner : `"${inner}"${rest}`);
      isStrict &&= rest === '';
    }
    offset = end + 1;
  }
  return { cells, isStrict };
}

/** The index after the quote that closes the quote at `start`, or the end of the record if none does. */
function findQuotedEnd(record: string, start: number): number {
  let end = record.indexOf('"', start + 1);
  while (end !== -1 && record[end + 1] === '"') end = record.indexOf('"', end + 2);
  return end === -1 ? record.length : end + 1;
}
