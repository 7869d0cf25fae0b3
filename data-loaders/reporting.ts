// Makes the report of a load once all of its rows are settled: first for what is about to be published, then for what was.

import { join } from 'node:path';
import { outcomeMembers, type LoadOutcome } from './publish/outcome';
import type { Staging } from './stage/staging';
import type { ReadingContext } from './read/each-row';
import { readRejectedRows } from './read/rejected-rows';
import type { Report } from './format/report';
import type { Stopwatch } from './stage/stopwatch';
import { writeRejectedRows } from './report/report-files';

export class Reporting {
  private rejected: Promise<void> | undefined;

  /** Without a `rejectedDirectory` the rejected rows are written nowhere. */
  constructor(
    private readonly target: { readonly rejectedDirectory?: string },
    private readonly context: ReadingContext,
    private readonly staging: Staging,
    private readonly stopwatch: Stopwatch,
  ) {}

  async report(outcome: LoadOutcome): Promise<Report> {
    const { files, notes } = this.context;
    await (this.rejected ??= this.writeRejected());
    return {
      ...outcomeMembers(outcome),
      files: files.map((file) => file.counted()),
      findings: files.flatMap((file) => file.listed()),
      notes,
      milliseconds: this.stopwatch.milliseconds,
    };
  }

  private async writeRejected(): Promise<void> {
    const { rejectedDirectory } = this.target;
    const { folder, files } = this.context;
    if (rejectedDirectory === undefined) return;
    for (const { file, rejected } of files) {
      if (rejected === 0) continue;
      const rows = readRejectedRows(join(folder, file), this.staging.rejected(file));
      await writeRejectedRows(file, rows, rejectedDirectory);
    }
  }
}
