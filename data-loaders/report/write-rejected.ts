// The rejected rows of each file as they were submitted, with the rule and the reason in their last columns (submissions.md,
// 5): mended and sent again as a merge, with the name of the original, they are read like any file.

import { once } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { csvLine } from '../format/csv-line';

/** Writes `sites.rejected.csv` for the file `sites.csv`; `rows` are lists of cells, the header first. */
export async function writeRejectedRows(
  file: string,
  rows: AsyncIterable<readonly string[]>,
  targetFolder: string,
): Promise<void> {
  mkdirSync(targetFolder, { recursive: true });
  const output = createWriteStream(join(targetFolder, file.replace(/\.csv$/, '.rejected.csv')));
  for await (const cells of rows) {
    if (!output.write(`${csvLine(cells)}\n`)) await once(output, 'drain');
  }
  output.end();
  await finished(output);
}
