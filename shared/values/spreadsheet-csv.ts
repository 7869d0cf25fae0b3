// CSV that a person opens in a spreadsheet by double click (D77): it starts with a byte order mark, without which Excel
// reads UTF-8 as Windows-1252, and no cell runs as a formula (ADR 0033).

import { formatCsvLine } from './csv-line';
import { guardFormula } from './formula-guard';

const BYTE_ORDER_MARK = '\uFEFF';

/** A CSV text whose cells are safe, as a file for a spreadsheet. */
export function toSpreadsheetCsv(text: string): string {
  return BYTE_ORDER_MARK + text;
}

type Rows = Iterable<readonly string[]> | AsyncIterable<readonly string[]>;

/** The text of a file, row by row, from lists of cells, the header first. `removeGuard` gives each cell back. */
export async function* writeSpreadsheetCsv(rows: Rows): AsyncIterable<string> {
  let start = BYTE_ORDER_MARK;
  for await (const cells of rows) {
    yield `${start}${formatCsvLine(cells.map(guardFormula))}\n`;
    start = '';
  }
}
