// Reads the rows of a workbook's sheet as lists of strings. Row 5 of the sheet is the fifth list, so the line numbers
// in a report are the row numbers that people see.

import type { Archive } from './archive';
import { formatCellNumber, type NumberKind } from './cell-texts';
import { PackageProblem } from './package-problem';
import { openPart, type Sheet, TextReader, type Workbook } from './workbook';
import { readXml, type XmlHandler } from './xml-reader';

/** The limits of Excel. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

const PLAIN: NumberKind = { kind: 'plain' };

/** `countFormula` is called for each formula without a stored value, because no program has computed its value yet. */
export async function* readSheetRows(
  archive: Archive,
  workbook: Workbook,
  sheet: Sheet,
  countFormula: () => void,
): AsyncIterable<readonly string[]> {
  const stream = await openPart(archive, sheet.path);
  if (stream === undefined) throw new PackageProblem(`${archive.name} lacks the rows of its sheet ${sheet.name}`);
  const reader = new SheetReader(archive.name, workbook, countFormula);
  const pieces = readXml(stream, reader)[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true) yield* reader.takeRows();
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
}

class SheetReader implements XmlHandler {
  private rows: (readonly string[])[] = [];
  private rowsRead = 0;
  /** The number of header cells. The header is the first row with any cells. Sheets omit trailing empty cells. */
  private width = 0;
  private cells: string[] = [];
  /** The column for a cell that does not specify its own. */
  private nextColumn = 0;
  private cell: OpenCell | undefined;
  private readonly inline = new TextReader();
  private isInValue = false;
  private value = '';
  private hasFormula = false;

  constructor(
    private readonly file: string,
    private readonly workbook: Workbook,
    private readonly countFormula: () => void,
  ) {}

  takeRows(): readonly (readonly string[])[] {
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  readonly open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    switch (name) {
      case 'row':
        this.startRow(attributes['r']);
        break;
      case 'c':
        this.startCell(attributes);
        break;
      case 'v':
        this.isInValue = true;
        break;
      case 'f':
        this.hasFormula = true;
        break;
      default:
        this.inline.open(name);
    }
  };

  readonly text = (text: string): void => {
    if (this.isInValue) this.value += text;
    else if (this.cell !== undefined) this.inline.add(text);
  };

  readonly close = (name: string): void => {
    switch (name) {
      case 'row':
        this.endRow();
        break;
      case 'c':
        this.endCell();
        break;
      case 'v':
        this.isInValue = false;
        break;
      default:
        this.inline.close(name);
    }
  };

  /** Sheets omit empty rows. */
  private startRow(text: string | undefined): void {
    const row = text === undefined ? this.rowsRead + 1 : Number(text);
    if (!Number.isInteger(row) || row <= this.rowsRead || row > MAX_ROWS) throw this.createProblem(`row ${text ?? ''}`);
    while (this.rowsRead < row - 1) this.addRow([]);
    this.cells = [];
    this.nextColumn = 0;
  }

  private endRow(): void {
    // A trailing empty cell is in the sheet only because it has formatting.
    while (this.cells.at(-1) === '') this.cells.pop();
    if (this.width === 0) this.width = this.cells.length;
    while (this.cells.length > 0 && this.cells.length < this.width) this.cells.push('');
    this.addRow(this.cells);
    this.cells = [];
  }

  private addRow(cells: readonly string[]): void {
    this.rows.push(cells);
    this.rowsRead++;
  }

  private startCell({ r: reference, t: type = 'n', s: style = '0' }: Readonly<Record<string, string>>): void {
    const column = reference === undefined ? this.nextColumn : readColumn(reference);
    if (column === undefined || column < this.nextColumn) throw this.createProblem(`cell ${reference ?? ''}`);
    this.cell = { column, type, style: Number(style) };
    this.nextColumn = column + 1;
    this.value = '';
    this.hasFormula = false;
    this.inline.start();
  }

  private endCell(): void {
    if (this.cell === undefined) return;
    const { column, type, style } = this.cell;
    const text = type === 'inlineStr' ? this.inline.finish() : this.formatValue(type, style);
    this.cell = undefined;
    if (this.hasFormula && this.value === '' && type !== 'inlineStr' && type !== 'str') this.countFormula();
    if (text === '') return;
    while (this.cells.length < column) this.cells.push('');
    this.cells.push(text);
  }

  /**
   * The types are defined in ECMA-376, 18.18.11. Error values stay as they are, because the CSV reader treats them as
   * missing values (D73).
   */
  private formatValue(type: string, style: number): string {
    const { value } = this;
    const { texts, styles, has1904Dates } = this.workbook;
    switch (type) {
      case 's': {
        if (value === '') return '';
        const text = texts[Number(value)];
        if (text === undefined) throw this.createProblem(`text ${value.slice(0, 20)}`);
        return text;
      }
      case 'b':
        if (value === '') return '';
        return value === '1' ? 'TRUE' : 'FALSE';
      case 'n':
        return formatCellNumber(value, styles[style] ?? PLAIN, has1904Dates);
      case 'd':
        return value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
      default:
        return value;
    }
  }

  private createProblem(what: string): PackageProblem {
    return new PackageProblem(
      `${this.file} cannot be read: it is damaged (${what}); open it in a spreadsheet program and save it again`,
    );
  }
}

/** The zero-based column number of a cell such as `AB12`. */
function readColumn(reference: string): number | undefined {
  const [, letters] = /^\$?([A-Z]{1,3})\$?\d+$/.exec(reference.toUpperCase()) ?? [];
  if (letters === undefined) return undefined;
  const column = Array.from(letters).reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;
  return column < MAX_COLUMNS ? column : undefined;
}
