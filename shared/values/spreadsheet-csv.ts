// CSV files that people open in a spreadsheet with a double click (D77). They start with a byte order mark, because
// Excel otherwise reads UTF-8 as Windows-1252, and no cell runs as a formula (ADR 0033).

import { formatCsvLine } from './csv-line';
import { guardFormula } from './formula-guard';

const BYTE_ORDER_MARK = '\uFEFF';

/** Guards the cells of a CSV text and adds the byte order mark. */
export function toSpreadsheetCsv(text: string): string {
  return BYTE_ORDER_MARK + text;
}

type Rows = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/** Writes rows of cells, the header first, as the text of a file. `removeGuard` restores each cell. */
export async function* writeSpreadsheetCsv(rows: Rows): AsyncIterable<string> {
  let start = BYTE_ORDER_MARK;
  for await (const cells of rows) {
    yield `${start}${formatCsvLine(cells.map(guardFormula))}\n`;
    start = '';
  }
}
