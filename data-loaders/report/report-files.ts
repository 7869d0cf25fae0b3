// Makes the report of a submission from its findings and its outcome, and writes it into a folder beside the submission
// (submissions.md, 5): report.json for programs, report.md for people, and for each file with rejected rows these rows
// with the rule and the reason in their last columns. Rows that are mended there and sent again as a merge, under the
// name of the original file, are read like any file.

import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { SubmissionFindings } from '../format/findings';
import type { Report } from '../format/report';
import { csvLine } from '../format/submission-files';
import { reportMarkdown } from './report-markdown';

interface ReportSources {
  readonly findings: SubmissionFindings;
  /** Where the rejected rows of each file are written; nowhere when undefined. */
  readonly rejectedDirectory: string | undefined;
  /** The rejected rows of a file as lists of cells, the header first. */
  readonly rejectedRowsOf: (file: string) => AsyncIterable<readonly string[]>;
  readonly milliseconds: () => number;
}

/**
 * Makes the reports of one load once its rows are settled: for the outcome expected of the publish, then for its own.
 */
export class SubmissionReporter {
  private rejectedRows: Promise<void> | undefined;

  constructor(private readonly sources: ReportSources) {}

  /** Writes the rejected rows before the first report. `outcome` has the members that the publish gives. */
  async report(outcome: Pick<Report, 'verdict' | 'sentence' | 'dataVersion' | 'dataSets'>): Promise<Report> {
    const { findings, milliseconds } = this.sources;
    await (this.rejectedRows ??= this.writeRejected());
    return {
      ...outcome,
      files: findings.files.map((file) => file.counted()),
      findings: findings.files.flatMap((file) => file.listed()),
      notes: findings.notes,
      milliseconds: milliseconds(),
    };
  }

  private async writeRejected(): Promise<void> {
    const { findings, rejectedDirectory, rejectedRowsOf } = this.sources;
    if (rejectedDirectory === undefined) return;
    for (const { file, rejected } of findings.files) {
      if (rejected > 0) await writeRejectedRows(file, rejectedRowsOf(file), rejectedDirectory);
    }
  }
}

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
async function writeRejectedRows(file: string, rows: AsyncIterable<readonly string[]>, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const output = createWriteStream(join(folder, file.replace(/\.csv$/, '.rejected.csv')));
  for await (const cells of rows) {
    if (!output.write(`${csvLine(cells)}\n`)) await once(output, 'drain');
  }
  output.end();
  await finished(output);
}
