// Reads the rejected rows of a file a second time, for the file of rejected rows. Staging stores only the line and the
// reasons of a rejection.

import { type Rejection, WHOLE_FILE } from '../format/findings';
import type { SubmittedFile } from '../format/submitted-files';
import { UnreadableFileError } from './csv';
import { fitsHeader } from './csv-cells';
import { readCsvFile } from './read-csv-file';

/** Columns after those of the submitted file. A file that was rejected before has its own, which are left out. */
export const REASON_COLUMNS: readonly string[] = ['RejectedRule', 'RejectedReason'];

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
  let header: Header | undefined;
  try {
    for await (const { rows } of readCsvFile(file)) {
      for (const { line, cells, source } of rows) {
        if (header === undefined) {
          header = readHeader(cells ?? []);
          yield [...header.pick(cells ?? []), ...REASON_COLUMNS];
          continue;
        }
        while (next !== undefined && next.line !== WHOLE_FILE && next.line < line) next = byLine.next().value;
        if (next === undefined) return;
        if (next.line !== WHOLE_FILE && next.line !== line) continue;
        const original = isSplit(cells, next, header.columns) ? header.pick(cells) : [source];
        const padding = Array.from({ length: Math.max(0, header.kept - original.length) }, () => '');
        yield [...original, ...padding, next.rule, next.reason];
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
  }
}

interface Header {
  /** Cells of the header. */
  readonly columns: number;
  /** The number of columns other than the reasons of an earlier rejection. */
  readonly kept: number;
  /** The cells of a row in the columns that are kept. */
  readonly pick: (cells: readonly string[]) => readonly string[];
}

function readHeader(names: readonly string[]): Header {
  const isKept = names.map((name) => !REASON_COLUMNS.includes(name.trim()));
  return {
    columns: names.length,
    kept: isKept.filter(Boolean).length,
    pick: (cells) => cells.filter((_, index) => isKept[index] === true),
  };
}

/** A row that does not have the header's cells is whole in the first cell. Other short rows lack empty cells only. */
function isSplit(
  cells: readonly string[] | undefined,
  { rule }: Rejection,
  columns: number,
): cells is readonly string[] {
  return cells !== undefined && rule !== 'cell-count' && (cells.length < columns || fitsHeader(cells, columns));
}
