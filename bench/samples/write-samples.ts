// Writes the sample submissions, and a page that says what each holds and which rows are wrong on purpose.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvLine } from '../generate/csv-lines';
import { describeSamples, type LocatedFlaw, type WrittenSample } from './describe-samples';
import type { SampleSubmission, SampleTable } from './sample-submission';

interface TableText {
  readonly text: string;
  readonly flaws: readonly LocatedFlaw[];
}

const BYTE_ORDER_MARK = '\uFEFF';

/** The same samples give the same bytes. Files of other names in the folder are left as they are. */
export async function writeSamples(folder: string, samples: readonly SampleSubmission[]): Promise<WrittenSample[]> {
  const written: WrittenSample[] = [];
  for (const sample of samples) {
    written.push(await writeSample(join(folder, sample.folder), sample));
  }
  await writeFile(join(folder, 'README.md'), describeSamples(written));
  return written;
}

async function writeSample(folder: string, sample: SampleSubmission): Promise<WrittenSample> {
  await mkdir(folder, { recursive: true });
  const flaws: LocatedFlaw[] = [];
  for (const table of sample.tables) {
    const { text, flaws: found } = textOf(table);
    flaws.push(...found);
    await writeFile(join(folder, table.file), bytesOf(text, table));
  }
  if (sample.instructions !== undefined) await writeFile(join(folder, 'submission.json'), sample.instructions);
  const files = sample.tables.map((table) => ({ file: table.file, rows: table.rows.length }));
  return { folder: sample.folder, description: sample.description, files, flaws };
}

function textOf(table: SampleTable): TableText {
  const lines = [table.columns.join(',')];
  const flaws: LocatedFlaw[] = [];
  let nextLine = 2;
  for (const { cells, flaw } of table.rows) {
    const line = csvLine(table.columns, cells);
    if (flaw !== undefined) flaws.push({ ...flaw, file: table.file, line: nextLine });
    lines.push(line);
    // A cell may hold line breaks: the row then takes several lines of the file.
    nextLine += line.split('\n').length;
  }
  return { text: `${lines.join('\n')}\n`, flaws };
}

function bytesOf(text: string, { form }: SampleTable): Buffer {
  if (form === 'UTF-8 with BOM and CRLF') return Buffer.from(BYTE_ORDER_MARK + text.replaceAll('\n', '\r\n'));
  // The letters that the samples use have the same bytes in Latin-1, which Node can write.
  if (form === 'Windows-1252') return Buffer.from(text, 'latin1');
  return Buffer.from(text);
}
