// Splits one CSV record into cells.

/** Whether a row has a cell for each of the header's, and behind them only blank ones. */
export function fitsHeader(cells: readonly string[] | undefined, expected: number): boolean {
  if (cells === undefined || cells.length < expected) return false;
  return cells.length === expected || cells.slice(expected).every((cell) => cell.trim() === '');
}

/** The cells of one record, given without its line end. */
export function splitCells(record: string): readonly string[] {
  // Without a quote, all commas are between cells.
  return record.includes('"') ? readCells(record).cells : record.split(',');
}

/**
 * A quote that opens a cell closes before a comma or at the end of the record; two in a row are text. Any other quote
 * is text (`5" pipe`), which RFC 4180 does not allow, but real files have: the cells are not strict then.
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

/** The index behind the quote that closes the one at `start`; the end of the record without one. */
function findQuotedEnd(record: string, start: number): number {
  let end = record.indexOf('"', start + 1);
  while (end !== -1 && record[end + 1] === '"') end = record.indexOf('"', end + 2);
  return end === -1 ? record.length : end + 1;
}
