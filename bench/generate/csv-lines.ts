// Rows as lines of comma-separated text, quoted as RFC 4180 says.

/** The cells of one row by column name; a column that is not named is empty. */
export type Cells = Readonly<Record<string, string | number>>;

/** A row of which only some cells change: the text between them is made once. */
export interface LineTemplate {
  readonly textBefore: readonly string[];
  readonly textAfterLast: string;
}

function csvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Throws for a cell whose column the file does not have: it would be lost in silence. */
export function csvLine(columns: readonly string[], cells: Cells): string {
  let line = '';
  let found = 0;
  for (let index = 0; index < columns.length; index += 1) {
    const value = cells[columns[index] ?? ''];
    if (index > 0) line += ',';
    if (value === undefined) continue;
    line += csvCell(value);
    found += 1;
  }
  const names = Object.keys(cells);
  if (found !== names.length) refuseForeignColumns(columns, names);
  return line;
}

/** `varying` names the columns that change from row to row, in the order of the file. */
export function createLineTemplate(columns: readonly string[], fixed: Cells, varying: readonly string[]): LineTemplate {
  refuseForeignColumns(columns, [...Object.keys(fixed), ...varying]);
  const positions = varying.map((column) => columns.indexOf(column));
  if (positions.some((position, index) => position <= (positions[index - 1] ?? -1))) {
    throw new Error(`The columns ${varying.join(', ')} do not stand in the order of the file.`);
  }
  const cells = columns.map((column) => csvCell(fixed[column] ?? ''));
  const textBefore = positions.map((position, index) => {
    const from = (positions[index - 1] ?? -1) + 1;
    const between = cells.slice(from, position).map((cell) => `${cell},`);
    return (index === 0 ? '' : ',') + between.join('');
  });
  const after = cells.slice((positions.at(-1) ?? -1) + 1).map((cell) => `,${cell}`);
  return { textBefore, textAfterLast: after.join('') };
}

/** The values go in as they are: numbers and dates, nothing that needs quotes. */
export function fillLine(template: LineTemplate, values: readonly (string | number)[]): string {
  let line = '';
  for (let index = 0; index < values.length; index += 1) {
    line += `${template.textBefore[index] ?? ''}${values[index] ?? ''}`;
  }
  return line + template.textAfterLast;
}

function refuseForeignColumns(columns: readonly string[], named: readonly string[]): void {
  for (const name of named) {
    if (!columns.includes(name)) throw new Error(`The file has no column ${name}.`);
  }
}
