// The rejected rows of a file, read a second time: checking keeps only the line and the reasons of a rejection.

import { fitsHeader, readCsvFile } from './csv/csv-file';
import type { StagedRejection } from '../stage/staged-findings';
import { UnreadableFileError } from './csv/csv-records';
import { WHOLE_FILE } from '../format/findings';
import type { SubmittedFile } from '../format/submitted-files';

/** Columns that stand behind those of the submitted file. */
const REASON_COLUMNS: readonly string[] = ['RejectedRule', 'RejectedReason'];

/**
 * The header, then each rejected row with its rule and reason in two more cells. `rejections` come by line; WHOLE_FILE
 * stands for every row. A file that cannot be read to its end gives the rows before that point.
 */
export async function* readRejectedRows(
  file: SubmittedFile,
  rejections: Iterable<StagedRejection>,
): AsyncIterable<readonly string[]> {
  try {
    yield* matchRejections(file, rejections[Symbol.iterator]());
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
  }
}

async function* matchRejections(
  file: SubmittedFile,
  rejections: Iterator<StagedRejection>,
): AsyncIterable<readonly string[]> {
  let next = rejections.next();
  const ofFile = next.done === true || next.value.line !== WHOLE_FILE ? undefined : next.value;
  let columns: number | undefined;
  for await (const rows of readCsvFile(file)) {
    for (const { line, cells, source } of rows) {
      if (columns === undefined) {
        columns = cells?.length ?? 0;
        yield [...(cells ?? []), ...REASON_COLUMNS];
        continue;
      }
      if (ofFile === undefined && next.done === true) return;
      while (ofFile === undefined && next.done !== true && next.value.line < line) next = rejections.next();
      const rejection = ofFile ?? (next.done !== true && next.value.line === line ? next.value : undefined);
      if (rejection === undefined) continue;
      // A row that could not be split into the header's cells stands whole in the first one.
      const original = cells !== undefined && fitsHeader(cells, columns) ? cells.slice(0, columns) : [source];
      while (original.length < columns) original.push('');
      yield [...original, rejection.rule, rejection.reason];
    }
  }
}
