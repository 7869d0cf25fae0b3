// Reads the rejected rows of a file a second time, for the file of rejected rows. Staging stores only the line and the
// reasons of a rejection.

import { type Rejection, WHOLE_FILE } from '../format/findings';
import type { SubmittedFile } from '../format/submitted-files';
import { UnreadableFileError } from './csv';
import { fitsHeader } from './csv-cells';
import { readCsvFile } from './read-csv-file';

/** Columns after those of the submitted file. */
const REASON_COLUMNS: readonly string[] = ['RejectedRule', 'RejectedReason'];

/**
 * Yields the header, then each rejected row with its rule and reason in two more cells. `rejections` come by line;
 * WHOLE_FILE stands for every row. For a file that cannot be read to its end, yields the rows before that point.
 */
export async function* readRejectedRows(
  file: SubmittedFile,
  rejections: Iterable<Rejection, undefined>,
): AsyncIterable<readonly string[]> {
  const byLine = rejections[Symbol.iterator]();
  let next = byLine.next().value;
  let columns: number | undefined;
  try {
    for await (const { rows } of readCsvFile(file)) {
      for (const { line, cells, source } of rows) {
        if (columns === undefined) {
          columns = cells?.length ?? 0;
          yield [...(cells ?? []), ...REASON_COLUMNS];
          continue;
        }
        while (next !== undefined && next.line !== WHOLE_FILE && next.line < line) next = byLine.next().value;
        if (next === undefined) return;
        if (next.line !== WHOLE_FILE && next.line !== line) continue;
        // A row that does not have the header's cells is whole in the first cell. Other short rows lack empty cells only.
        const isSplit =
          cells !== undefined && next.rule !== 'cell-count' && (cells.length < columns || fitsHeader(cells, columns));
        const original = isSplit ? cells.slice(0, columns) : [source];
        while (original.length < columns) original.push('');
        yield [...original, next.rule, next.reason];
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
  }
}
