// Creates the report of a submission and writes its files (submissions.md, 5): report.json for programs, report.html
// and report.md for people, and CSV files with the rejected rows and the warnings of each file. Rejected rows can be
// fixed and submitted as a merge, under the name of the original file.

import { createWriteStream, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { readDocumentStyles } from '../../shared/documents/document-styles';
import { writeSpreadsheetCsv } from '../../shared/values/spreadsheet-csv';
import type { SubmissionFindings, Warning } from '../format/findings';
import type { LoadOutcome, Report } from '../format/report';
import { rules } from '../format/rules';
import { reportHtml, reportMarkdown } from './report-texts';

interface ReportSources {
  readonly findings: SubmissionFindings;
  /** The folder for the rejected rows and the warnings of each file. If undefined, these files are not written. */
  readonly rejectedDirectory: string | undefined;
  /** The rejected rows of a file as lists of cells, the header first. */
  readonly readRejectedRows: (file: string) => AsyncIterable<readonly string[]>;
  readonly readWarnings: (file: string) => Iterable<Warning>;
  readonly milliseconds: () => number;
}

/**
 * Creates the reports of a load once the outcome of its rows is known: first for the expected outcome of the publish,
 * then for the actual outcome. Rejected rows and warnings are written before the first report.
 */
export function createReporter(sources: ReportSources): (outcome: LoadOutcome) => Promise<Report> {
  const { findings, milliseconds } = sources;
  let rowFiles: Promise<void> | undefined;
  return async (outcome) => {
    rowFiles ??= writeRowFiles(sources);
    await rowFiles;
    return {
      ...outcome,
      files: findings.files.map((file) => file.toCounts()),
      findings: findings.files.flatMap((file) => file.list()),
      notes: findings.notes,
      milliseconds: milliseconds(),
    };
  };
}

/** Writes `sites.rejected.csv` and `sites.warned.csv` for `sites.csv`, and removes such files of an earlier load. */
async function writeRowFiles(sources: ReportSources): Promise<void> {
  const { findings, rejectedDirectory: folder, readRejectedRows, readWarnings } = sources;
  if (folder === undefined) return;
  for (const { file, rejected, hasWarnings } of findings.files) {
    const path = join(folder, file.replace(/\.csv$/, ''));
    if (rejected > 0) await writeCsv(`${path}.rejected.csv`, readRejectedRows(file));
    if (hasWarnings) await writeCsv(`${path}.warned.csv`, formatWarningRows(readWarnings(file)));
    else rmSync(`${path}.warned.csv`, { force: true });
  }
}

const JSON_FILE = 'report.json';

export function writeReport(report: Report, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, JSON_FILE), JSON.stringify(report, null, 2), { flush: true });
  writeFileSync(join(folder, 'report.md'), reportMarkdown(report), { flush: true });
  writeFileSync(join(folder, 'report.html'), reportHtml(report, readDocumentStyles()), { flush: true });
}

/** Reads the report that `writeReport` wrote. */
export function readReport(folder: string): Report {
  return JSON.parse(readFileSync(join(folder, JSON_FILE), 'utf8')) as Report; // The report that writeReport wrote.
}

function* formatWarningRows(warnings: Iterable<Warning>): Iterable<readonly string[]> {
  yield ['line', 'column', 'rule', 'value', 'sentence'];
  for (const { line, column, rule, value } of warnings) {
    yield [String(line), column ?? '', rule, value, rules[rule].sentence];
  }
}

/** `rows` are lists of cells, the header first. */
async function writeCsv(path: string, rows: Parameters<typeof writeSpreadsheetCsv>[0]): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await pipeline(writeSpreadsheetCsv(rows), createWriteStream(path));
}
