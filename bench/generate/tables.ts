// A submission as tables of rows, and the writing of its files: lines (RFC 4180) are formatted as they are written, so
// that memory does not grow with the number of rows.

import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The cells of one row, keyed by column name. Missing columns are empty. */
export type Cells = Readonly<Record<string, string | number>>;

export interface SubmissionTable {
  readonly file: string;
  /** In the order of the file. */
  readonly columns: readonly string[];
  readonly rows: Iterable<Cells>;
}

export interface Submission {
  /** The folder's name. */
  readonly folder: string;
  readonly tables: readonly SubmissionTable[];
  /** The text of submission.json, if there is one. */
  readonly instructions?: string;
}

export interface WrittenTable {
  readonly file: string;
  /** The number of rows without the header. */
  readonly rows: number;
  readonly bytes: number;
}

/** Large enough that writing costs little compared with formatting, and small enough to take little memory. */
const CHUNK_CHARACTERS = 1 << 20;

/** Equal submissions give equal bytes. Files with other names in the folder are left unchanged. */
export async function writeSubmission(parent: string, submission: Submission): Promise<WrittenTable[]> {
  const folder = join(parent, submission.folder);
  await mkdir(folder, { recursive: true });
  const written: WrittenTable[] = [];
  for (const table of submission.tables) written.push(await writeTable(folder, table));
  if (submission.instructions !== undefined) await writeFile(join(folder, 'submission.json'), submission.instructions);
  return written;
}

async function writeTable(folder: string, { file, columns, rows }: SubmissionTable): Promise<WrittenTable> {
  const output = await open(join(folder, file), 'w');
  try {
    let count = 0;
    let bytes = 0;
    let text = `${columns.join(',')}\n`;
    const flush = async (): Promise<void> => {
      const chunk = Buffer.from(text);
      text = '';
      bytes += chunk.length;
      await output.writeFile(chunk);
    };
    for (const cells of rows) {
      text += `${csvLine(columns, cells)}\n`;
      count += 1;
      // The next rows are requested only after the previous rows are written.
      if (text.length >= CHUNK_CHARACTERS) await flush();
    }
    await flush();
    return { file, rows: count, bytes };
  } finally {
    await output.close();
  }
}

/** Throws if a cell's column is not in the file, because the cell would be lost silently. */
function csvLine(columns: readonly string[], cells: Cells): string {
  let line = '';
  let filledCells = 0;
  for (const [index, column] of columns.entries()) {
    const value = cells[column];
    if (index > 0) line += ',';
    if (value === undefined) continue;
    line += csvCell(value);
    filledCells += 1;
  }
  const names = Object.keys(cells);
  if (filledCells === names.length) return line;
  throw new Error(`The file has no column ${names.find((name) => !columns.includes(name)) ?? ''}.`);
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
