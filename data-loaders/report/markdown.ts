// Builds Markdown: sections, tables and code.

/** A section; empty if it has no lines. */
export function section(title: string, introduction: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', introduction, '', ...lines];
}

/** A report is for reading; report.json has the whole value. */
const MAX_VALUE_CHARACTERS = 120;

/** A value from a file as code, on one line. */
export function code(value: string): string {
  const flat = value.replace(/\s+/g, ' ').trim();
  const text = flat.length > MAX_VALUE_CHARACTERS ? `${flat.slice(0, MAX_VALUE_CHARACTERS)}…` : flat;
  if (text === '') return '(empty)';
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

/** A table whose cells are Markdown. Columns whose names end with a colon are right-aligned. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const names = columns.map((column) => column.replace(/:$/, ''));
  const rules = columns.map((column) => (column.endsWith(':') ? '---:' : '---'));
  return ['', line(names), line(rules), ...rows.map(line), ''];
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
