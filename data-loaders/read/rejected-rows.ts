// Reads the rejected rows of a file a second time, to write the file of rejected rows. Staging stores only their lines
// and reasons.

import { type Rejection, WHOLE_FILE } from '../format/findings';
import type { SubmittedFile } from '../format/submitted-files';
import { UnreadableFileError } from './csv';
import { fitsHeader } from './csv-cells';
import { readCsvFile } from './read-csv-file';

/**
 * Columns that are added after the columns of the submitted file. If the file already has them from an earlier
 * rejection, the old ones are removed.
 */
export const REASON_COLUMNS: readonly string[] = ['RejectedRule', 'RejectedReason'];

/**
 * Yields the header, then each rejected row with two more cells for its rule and reason. `rejections` are in line
 * order; WHOLE_FILE stands for every row. If a file cannot be read completely, yields the rows up to that point.
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
  /** The header cells. */
  readonly columns: number;
  /** The number of columns, not counting the reasons of an earlier rejection. */
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

/**
 * Whether a row fits the header's cells. If not, the whole row is written into the first cell. A row that lacks only
 * empty trailing cells fits.
 */
function isSplit(
  cells: readonly string[] | undefined,
  { rule }: Rejection,
  columns: number,
): cells is readonly string[] {
  return cells !== undefined && rule !== 'cell-count' && (cells.length < columns || fitsHeader(cells, columns));
}
