// Builds Markdown: sections, tables and code.

/** Left out when it has no lines. */
export function section(title: string, introduction: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', introduction, '', ...lines];
}

/** A report is for reading; report.json has the whole value. */
const MAX_VALUE_CHARACTERS = 120;

/** A value as it stands in a file, on one line. */
export function code(value: string): string {
  const flat = value.replace(/\s+/g, ' ').trim();
  const text = flat.length > MAX_VALUE_CHARACTERS ? `${flat.slice(0, MAX_VALUE_CHARACTERS)}…` : flat;
  if (text === '') return '(empty)';
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A table of cells that are Markdown already; columns whose names end in a colon are aligned to the right. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const names = columns.map((column) => column.replace(/:$/, ''));
  const rules = columns.map((column) => (column.endsWith(':') ? '---:' : '---'));
  return ['', line(names), line(rules), ...rows.map(line), ''];
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
