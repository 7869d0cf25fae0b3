// The files of a report, in a folder beside a submission (submissions.md, 5): report.json for programs, report.md for
// people, and for each file with rejected rows these rows with the rule and the reason in their last columns. Rows that
// are mended there and sent again as a merge, under the name of the original file, are read like any file.

import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { csvLine } from '../format/submission-files';
import type { Report } from '../format/report';
import { reportMarkdown } from './report-markdown';

const JSON_FILE = 'report.json';

export function writeReport(report: Report, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, JSON_FILE), JSON.stringify(report, null, 2), { flush: true });
  writeFileSync(join(folder, 'report.md'), reportMarkdown(report), { flush: true });
}

/** Reads the report that `writeReport` wrote. */
export function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, JSON_FILE), 'utf8')) as Report; // Written by writeReport.
}

/** Writes `sites.rejected.csv` for the file `sites.csv`; `rows` are lists of cells, the header first. */
export async function writeRejectedRows(
  file: string,
  rows: AsyncIterable<readonly string[]>,
  folder: string,
): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const output = createWriteStream(join(folder, file.replace(/\.csv$/, '.rejected.csv')));
  for await (const cells of rows) {
    if (!output.write(`${csvLine(cells)}\n`)) await once(output, 'drain');
  }
  output.end();
  await finished(output);
}
