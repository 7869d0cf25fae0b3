// All files of a submission that are read, and how rows are written as CSV: the source rows of a release with the
// declared columns, whatever the headers of the submissions were that they came in, and rejected rows.

import { amountsFiles } from './amount-files';
import type { SubmissionFile } from './column';
import { lookupFiles } from './lookup-files';

export const submissionFiles: readonly SubmissionFile[] = [
  ...Object.values(lookupFiles),
  ...Object.values(amountsFiles),
];

const NEEDS_QUOTES = /[",\r\n]/;

/** A row as RFC 4180 writes it, without the line end. */
export function csvLine(cells: readonly string[]): string {
  return cells
    .map((cell) => (cell !== '' && NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join();
}

/** A cell without quotes, or one in quotes that needs them and has none in it. */
const USUAL_CELL = '(?:[^",\\r\\n]*|"[^",\\r\\n]*[,\\r\\n][^"]*")';

const USUAL_LINE = new RegExp(`^${USUAL_CELL}(?:,${USUAL_CELL})*$`);

/** Whether `csvLine` writes the cells of a row as they stand in it; false for one with a quote in a cell. */
export function isCsvLine(row: string): boolean {
  return USUAL_LINE.test(row);
}

/** The header of a file of stored source rows: its declared columns. */
export function sourceHeader(fileName: string): string {
  const file = submissionFiles.find(({ name }) => name === fileName);
  if (file === undefined) throw new Error(`${fileName} is not a file of a submission`);
  return csvLine(Object.keys(file.columns));
}
