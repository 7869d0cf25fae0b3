// A submission as tables of rows, and how its files are written: RFC 4180 lines, made as they are written, so that
// memory does not grow with the number of rows. Some rows of a sample break a rule on purpose and say which.

import { mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The cells of one row by column name; a column that is not named is empty. */
export type Cells = Readonly<Record<string, string | number>>;

export interface Flaw {
  readonly outcome: 'rejected' | 'warned';
  /** A sentence part for people: what is wrong with the row. */
  readonly rule: string;
}

/** The cells to change in the row of this number, counted from 0 among the rows before this flaw. */
export type PlannedFlaw = readonly [outcome: Flaw['outcome'], row: number, changes: Cells, rule: string];

export interface SubmissionTable {
  readonly file: string;
  /** In the order of the file. */
  readonly columns: readonly string[];
  readonly rows: Iterable<Cells>;
  readonly flaws?: ReadonlyMap<Cells, Flaw>;
  /** How the bytes are written; UTF-8 with LF where nothing is said. */
  readonly form?: 'UTF-8 with BOM and CRLF' | 'Windows-1252';
}

export interface Submission {
  /** The name of its folder. */
  readonly folder: string;
  readonly tables: readonly SubmissionTable[];
  /** The text of a submission.json, if it has one. */
  readonly instructions?: string;
}

export interface WrittenTable {
  readonly file: string;
  /** Without the header. */
  readonly rows: number;
  readonly bytes: number;
  readonly flaws: readonly LocatedFlaw[];
}

export interface LocatedFlaw extends Flaw {
  readonly file: string;
  /** The line of the file, the header being line 1. */
  readonly line: number;
}

/** Large enough that writing costs little beside making the lines, small enough not to matter in memory. */
const CHUNK_CHARACTERS = 1 << 20;

/** A warned row is changed; a rejected one is added after the sound row that it is a changed copy of. */
export function flawed(
  sound: readonly Cells[],
  planned: readonly PlannedFlaw[],
): Pick<SubmissionTable, 'rows' | 'flaws'> {
  const rows = [...sound];
  const flaws = new Map<Cells, Flaw>();
  for (const [outcome, index, changes, rule] of planned) {
    const base = rows[index];
    if (base === undefined || flaws.has(base)) throw new Error(`Row ${index} is no sound row to begin from.`);
    const row = { ...base, ...changes };
    rows.splice(outcome === 'warned' ? index : index + 1, outcome === 'warned' ? 1 : 0, row);
    flaws.set(row, { outcome, rule });
  }
  return { rows, flaws };
}

/** The same submission gives the same bytes. Files of other names in its folder are left as they are. */
export async function writeSubmission(parent: string, submission: Submission): Promise<WrittenTable[]> {
  const folder = join(parent, submission.folder);
  await mkdir(folder, { recursive: true });
  const written: WrittenTable[] = [];
  for (const table of submission.tables) written.push(await writeTable(folder, table));
  if (submission.instructions !== undefined) await writeFile(join(folder, 'submission.json'), submission.instructions);
  return written;
}

async function writeTable(
  folder: string,
  { file, columns, rows, flaws, form }: SubmissionTable,
): Promise<WrittenTable> {
  const output = await open(join(folder, file), 'w');
  try {
    const located: LocatedFlaw[] = [];
    let [count, bytes, nextLine] = [0, 0, 2];
    let text = `${form === 'UTF-8 with BOM and CRLF' ? '\uFEFF' : ''}${columns.join(',')}\n`;
    const flush = async (): Promise<void> => {
      const chunk = bytesOf(text, form);
      text = '';
      bytes += chunk.length;
      await output.writeFile(chunk);
    };
    for (const cells of rows) {
      const line = csvLine(columns, cells);
      const flaw = flaws?.get(cells);
      if (flaw !== undefined) located.push({ ...flaw, file, line: nextLine });
      text += `${line}\n`;
      count += 1;
      // A cell may hold line breaks: the row then takes several lines of the file.
      nextLine += line.split('\n').length;
      // The next rows are asked for only when the former are written.
      if (text.length >= CHUNK_CHARACTERS) await flush();
    }
    await flush();
    return { file, rows: count, bytes, flaws: located };
  } finally {
    await output.close();
  }
}

/** Throws for a cell whose column the file does not have: it would be lost in silence. */
function csvLine(columns: readonly string[], cells: Cells): string {
  let line = '';
  let found = 0;
  for (const [index, column] of columns.entries()) {
    const value = cells[column];
    if (index > 0) line += ',';
    if (value === undefined) continue;
    line += csvCell(value);
    found += 1;
  }
  const names = Object.keys(cells);
  if (found === names.length) return line;
  throw new Error(`The file has no column ${names.find((name) => !columns.includes(name)) ?? ''}.`);
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

function bytesOf(text: string, form: SubmissionTable['form']): Buffer {
  if (form === 'UTF-8 with BOM and CRLF') return Buffer.from(text.replaceAll('\n', '\r\n'));
  // The letters that the samples use have the same bytes in Latin-1, which Node can write.
  return Buffer.from(text, form === 'Windows-1252' ? 'latin1' : 'utf8');
}
