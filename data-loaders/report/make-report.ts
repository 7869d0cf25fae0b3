// Makes the report of a submission from its findings and its outcome, and writes the rejected rows beside it.

import type { SubmissionFindings } from '../format/findings';
import type { Report } from '../format/report';
import { writeRejectedRows } from './report-files';

export interface ReportSources {
  readonly findings: SubmissionFindings;
  /** Where the rejected rows of each file are written; nowhere when left out. */
  readonly rejectedDirectory: string | undefined;
  /** The rejected rows of a file as lists of cells, the header first. */
  readonly rejectedRowsOf: (file: string) => AsyncIterable<readonly string[]>;
  /** How long the load has taken. */
  readonly milliseconds: () => number;
}

/** The members of a report that the publish gives. */
type OutcomeMembers = Pick<Report, 'verdict' | 'sentence' | 'dataVersion' | 'dataSets'>;

/**
 * Makes the reports of one load once all of its rows are settled: for the outcome that a publish would have, then for
 * its own.
 */
export class SubmissionReporter {
  private rejectedRows: Promise<void> | undefined;

  constructor(private readonly sources: ReportSources) {}

  /** Writes the rejected rows before the first report. */
  async report(outcome: OutcomeMembers): Promise<Report> {
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
