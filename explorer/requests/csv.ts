// Parses CSV as the service writes it.

/** A quoted or plain cell, and its terminator. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n][^,\r\n]*)?)(,|\r?\n|$)/gy;

/**
 * Rows of cells of the service's CSV form (RFC 4180), as the service wrote them: the apostrophe in front of what a
 * spreadsheet would run (ADR 0033) is taken away again. The first row has the names of the columns. Throws where the
 * text ends within a cell.
 */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let offset = 0;
  for (const [read, quoted, plain = '', end] of text.matchAll(CELL)) {
    // After the last row.
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
