// All files of a submission that are read, and how rows are written as CSV: the source rows of a release with the
// declared columns, so that rows of several submissions can stand in one file whatever their headers, and rejected
// rows.

import { amountsFiles } from './amount-files';
import type { SubmissionFile } from './column';
import {
  beneficialUsesFile,
  methodsFile,
  organizationsFile,
  relationsFile,
  reportingUnitsFile,
  sitesFile,
  variablesFile,
  waterSourcesFile,
} from './lookup-files';

export const submissionFiles: readonly SubmissionFile[] = [
  organizationsFile,
  variablesFile,
  methodsFile,
  waterSourcesFile,
  sitesFile,
  relationsFile,
  reportingUnitsFile,
  beneficialUsesFile,
  ...Object.values(amountsFiles),
];

const NEEDS_QUOTES = /[",\r\n]/;

/** A row as RFC 4180 writes it, without the line end. */
export function csvLine(cells: readonly string[]): string {
  return cells.map((cell) => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join();
}

const headers: ReadonlyMap<string, string> = new Map(
  submissionFiles.map(({ name, columns }) => [name, csvLine(Object.keys(columns))]),
);

/** The header of a kept file. */
export function keptHeader(fileName: string): string {
  const header = headers.get(fileName);
  if (header === undefined) throw new Error(`${fileName} is not a file of a submission`);
  return header;
}
