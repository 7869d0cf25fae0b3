// Creates files of a submission from the sheets of a workbook (D75).

import { createWriteStream, writeFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { formatCsvLine } from '../../shared/values/csv-line';
import { formatNumber } from '../format/report-numbers';
import { submissionFiles } from '../format/submission-files';
import { type Archive } from './archive';
import type { ByteBudget } from './byte-budget';
import { explainFailure, PackageProblem } from './package-problem';
import { readSheetRows } from './sheet-rows';
import { openWorkbook, type Sheet, type Workbook } from './workbook';

interface ExtractedSheets {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  readonly notes: readonly string[];
}

interface Extraction {
  readonly budget: ByteBudget;
  /** Returns paths for new files. */
  readonly createPath: () => string;
}

/**
 * Writes each sheet that has the name of a file of the format, with or without `.csv` and in any letter case, as that
 * file.
 */
export function extractSheets(archive: Archive, { budget, createPath }: Extraction): Promise<ExtractedSheets> {
  return explainFailure(archive.name, async () => {
    const workbook = await openWorkbook(archive);
    const fileNames = matchSheets(workbook, archive.name);
    const files: ExtractedSheets['files'][number][] = [];
    const notes: string[] = [];
    for (const sheet of workbook.sheets) {
      const path = createPath();
      const name = fileNames.get(sheet);
      if (sheet.isHidden) {
        notes.push(`The sheet ${sheet.name} of ${archive.name} is hidden and was not read.`);
      } else if (name === undefined) {
        // An empty file is listed, so that the report says that the sheet was not read and suggests the probable file
        // name.
        writeFileSync(path, '');
        files.push({ name: sheet.name, path });
      } else {
        const formulas = await writeSheet(archive, workbook, { sheet, path, budget });
        if (formulas > 0) notes.push(describeFormulas(formulas, sheet, archive.name));
        files.push({ name, path });
      }
    }
    return { files, notes };
  });
}

/** Returns the number of formulas without a value. */
async function writeSheet(
  archive: Archive,
  workbook: Workbook,
  { sheet, path, budget }: { readonly sheet: Sheet; readonly path: string; readonly budget: ByteBudget },
): Promise<number> {
  let formulas = 0;
  const rows = readSheetRows(archive, workbook, sheet, () => {
    formulas++;
  });
  await pipeline(writeRows(rows, budget, archive.name), createWriteStream(path));
  return formulas;
}

async function* writeRows(
  rows: AsyncIterable<readonly string[]>,
  budget: ByteBudget,
  name: string,
): AsyncIterable<string> {
  for await (const cells of rows) {
    const line = `${formatCsvLine(cells)}\n`;
    budget.use(line.length, name);
    yield line;
  }
}

const FILE_NAMES: readonly string[] = submissionFiles.map(({ name }) => name);

/** Finds the file for each visible sheet. If there is only one sheet, the workbook may have the file's name instead. */
function matchSheets({ sheets }: Workbook, workbookName: string): ReadonlyMap<Sheet, string> {
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const matches = new Map<Sheet, string>();
  for (const sheet of visible) {
    const name = findFileName(sheet.name);
    if (name === undefined) continue;
    if ([...matches.values()].includes(name)) {
      throw new PackageProblem(`${workbookName} has two sheets for ${name}; keep one of them`);
    }
    matches.set(sheet, name);
  }
  const [only, ...others] = visible;
  const ownName = findFileName(workbookName.slice(workbookName.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''));
  if (matches.size === 0 && only !== undefined && others.length === 0 && ownName !== undefined) {
    matches.set(only, ownName);
  }
  return matches;
}

function findFileName(text: string): string | undefined {
  const name = text
    .trim()
    .toLowerCase()
    .replace(/\.csv$/, '');
  return FILE_NAMES.find((file) => file === `${name}.csv`);
}

function describeFormulas(count: number, { name }: Sheet, workbookName: string): string {
  return (
    `${formatNumber(count)} formulas of the sheet ${name} of ${workbookName} have no value, so their cells were read as ` +
    'empty. Open the workbook in a spreadsheet program and save it.'
  );
}
