// Reads the service's CSV form (RFC 4180, rows ended by a line feed), whose cells are as the service wrote them: the
// apostrophe in front of what a spreadsheet would run (ADR 0033) is taken away again.

const QUOTE = '"';

/** Rows of cells; the first one has the names of the columns. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === QUOTE ? quotedCell(text, at) : plainCell(text, at);
    row.push(withoutApostrophe(cell.content));
    at = cell.end;
    if (text[at] === ',') {
      at++;
      // A line may end with an empty cell.
      if (at < text.length && text[at] !== '\n' && text[at] !== '\r') continue;
      row.push('');
    }
    if (text[at] === '\r') at++;
    at++;
    rows.push(row);
    row = [];
  }
  return rows;
}

interface Cell {
  readonly content: string;
  readonly end: number;
}

function plainCell(text: string, start: number): Cell {
  let end = start;
  while (end < text.length && text[end] !== ',' && text[end] !== '\n' && text[end] !== '\r') end++;
  return { content: text.slice(start, end), end };
}

function quotedCell(text: string, start: number): Cell {
  let end = text.indexOf(QUOTE, start + 1);
  while (end !== -1 && text[end + 1] === QUOTE) end = text.indexOf(QUOTE, end + 2);
  if (end === -1) throw new Error('the answer was cut off within a cell');
  return { content: text.slice(start + 1, end).replaceAll('""', QUOTE), end: end + 1 };
}

function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") ? cell.slice(1) : cell;
}
