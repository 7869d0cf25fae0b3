// Parses CSV as the service writes it.

/** A quoted or plain cell, and its terminator. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*)?)(,|\r?\n|$)/gy;

/**
 * Parses the service's CSV (RFC 4180) into rows of cells. The first row has the column names. Removes the apostrophe
 * that the service writes before a cell that a spreadsheet would execute (ADR 0033). Throws if the text ends within a
 * cell.
 */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let offset = 0;
  for (const [read, quoted, plain = '', end] of text.matchAll(CELL)) {
    // The text ends after the last row.
    if (offset === text.length && row.length === 0) break;
    offset += read.length;
    const cell = quoted?.replaceAll('""', '"') ?? plain;
    row.push(cell.startsWith("'") ? cell.slice(1) : cell);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (offset < text.length) throw new Error('the answer was cut off within a cell');
  return rows;
}
