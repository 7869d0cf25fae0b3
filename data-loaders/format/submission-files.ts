// All files of a submission that are read, and how their rows are kept beside a release: as CSV of the declared columns, so
// that rows of several submissions, whatever their headers, can stand in one file.

import { amountsFiles } from './amount-files';
import type { SubmissionFile } from './column';
import { csvLine } from './csv-line';
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

const headers: ReadonlyMap<string, string> = new Map(
  submissionFiles.map(({ name, columns }) => [name, csvLine(Object.keys(columns))]),
);

/** The header of a kept file. */
export function keptHeader(fileName: string): string {
  const header = headers.get(fileName);
  if (header === undefined) throw new Error(`${fileName} is not a file of a submission`);
  return header;
}
