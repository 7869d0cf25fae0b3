// The rejected rows of each file as they were submitted, with the rule and the reason in their last columns (submissions.md,
// 5): mended and sent again as a merge, with the name of the original, they are read like any file.

import { once } from 'node:events';
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fitsHeader, readCsvFile } from '../read/csv-file';
import { UnreadableFileError } from '../read/csv-records';
import { csvLine } from '../format/csv-line';
import type { Staging } from '../stage/staging';
import { WHOLE_FILE } from '../read/each-row';
import type { FileFindings } from '../format/findings';

/** Behind the original columns. */
const REASON_COLUMNS = ['RejectedRule', 'RejectedReason'];

/** `sites.csv` gives `sites.rejected.csv`. Files without rejected rows give none. */
export async function writeRejectedRows(
  submissionFolder: string,
  files: readonly FileFindings[],
  staging: Staging,
  targetFolder: string,
): Promise<void> {
  for (const { file, rejected } of files) {
    if (rejected === 0) continue;
    mkdirSync(targetFolder, { recursive: true });
    const output = createWriteStream(join(targetFolder, file.replace(/\.csv$/, '.rejected.csv')));
    try {
      await copyRejected(join(submissionFolder, file), staging.rejected(file)[Symbol.iterator](), output);
    } catch (error) {
      // It could not be read to its end before either; what was rejected until then is written.
      if (!(error instanceof UnreadableFileError)) throw error;
    }
    output.end();
    await finished(output);
  }
}

interface RejectedRow {
  readonly line: number;
  readonly rule: string;
  readonly reason: string;
}

/** Rows and rejections both come by line. */
async function copyRejected(path: string, rejections: Iterator<RejectedRow>, output: WriteStream): Promise<void> {
  let next = rejections.next();
  const ofFile = next.done === true || next.value.line !== WHOLE_FILE ? undefined : next.value;
  let columns: number | undefined;
  for await (const { rows } of readCsvFile(path, () => undefined)) {
    for (const { line, cells, source } of rows) {
      if (columns === undefined) {
        columns = cells?.length ?? 0;
        output.write(`${csvLine([...(cells ?? []), ...REASON_COLUMNS])}\n`);
        continue;
      }
      if (ofFile === undefined && next.done === true) return;
      while (ofFile === undefined && next.done !== true && next.value.line < line) next = rejections.next();
      const rejected = ofFile ?? (next.done !== true && next.value.line === line ? next.value : undefined);
      if (rejected === undefined) continue;
      // What could not be read as the header's cells stands whole in the first one.
      const original = cells !== undefined && fitsHeader(cells, columns) ? cells.slice(0, columns) : [source];
      while (original.length < columns) original.push('');
      const isTaken = output.write(`${csvLine([...original, rejected.rule, rejected.reason])}\n`);
      if (!isTaken) await once(output, 'drain');
    }
  }
}
