// Formats a table for the console, and as Markdown as Prettier formats it.

export interface Table {
  readonly title: string;
  /** The first column contains text, and the others contain numbers. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Sentences under the table. */
  readonly notes: readonly string[];
}

export function formatForConsole({ title, columns, rows, notes }: Table): string {
  const widths = findWidths(columns, rows);
  const lines = [columns, ...rows].map((cells) => padCells(cells, widths).join('  ').trimEnd());
  return ['', title, ...lines, ...notes].join('\n');
}

export function formatAsMarkdown({ title, columns, rows, notes }: Table): string {
  const widths = findWidths(columns, rows);
  const rule = widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const lines = [padCells(columns, widths), rule, ...rows.map((cells) => padCells(cells, widths))];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  return [`## ${title}`, table, ...notes].join('\n\n');
}

/** At least three characters, which Markdown requires. */
function findWidths(columns: readonly string[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((column, index) => Math.max(3, column.length, ...rows.map((cells) => cells[index]?.length ?? 0)));
}

function padCells(cells: readonly string[], widths: readonly number[]): string[] {
  return widths.map((width, index) => {
    const cell = cells[index] ?? '';
    return index === 0 ? cell.padEnd(width) : cell.padStart(width);
  });
}
