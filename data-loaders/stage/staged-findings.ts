// The rejected rows and the warnings of a submission, all of them, for the files beside the report.

import type { RowFinding } from '../format/findings';
import type { SortedRuns } from './sorted-runs';

/** A rejected row: the names of the rules that it breaks, and their sentences. */
export interface StagedRejection {
  readonly line: number;
  readonly rule: string;
  readonly reason: string;
}

/** Its value is cut as in the report. */
export interface StagedWarning extends RowFinding {
  readonly line: number;
}

/** Numbers of lines are compared as texts. */
const LINE_DIGITS = 15;

export class StagedFindings {
  constructor(private readonly runsOf: (name: string, parts: number) => SortedRuns) {}

  /** Stores a rejected row for the file of rejected rows; line WHOLE_FILE stands for all rows of the file. */
  addRejected(file: string, { line, rule, reason }: StagedRejection): void {
    this.rejections(file).add(String(line).padStart(LINE_DIGITS, '0'), rule, reason);
  }

  /** By line. */
  *rejected(file: string): Iterable<StagedRejection> {
    for (const sorted of this.rejections(file).rows()) {
      yield { line: Number(sorted.key), rule: sorted.part(0).toString(), reason: sorted.part(1).toString() };
    }
  }

  addWarned(file: string, warning: StagedWarning): void {
    this.warnings(file).add('', JSON.stringify(warning));
  }

  /** In the order in which they came, without those of rows that were rejected later. */
  *warned(file: string): Iterable<StagedWarning> {
    const rejected = new Set<number>();
    for (const { key } of this.rejections(file).rows()) rejected.add(Number(key));
    for (const sorted of this.warnings(file).rows()) {
      const warning = JSON.parse(sorted.part(0).toString()) as StagedWarning; // Written by addWarned.
      if (!rejected.has(warning.line)) yield warning;
    }
  }

  private rejections(file: string): SortedRuns {
    return this.runsOf(`rejected ${file}`, 2);
  }

  private warnings(file: string): SortedRuns {
    return this.runsOf(`warned ${file}`, 1);
  }
}
