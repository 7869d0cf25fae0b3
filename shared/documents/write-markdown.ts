// Writes a document as Markdown.

import { type Block, type DocumentText, type Inline, listInlines, type TableColumn, type Text } from './document';

export function writeMarkdown({ title, blocks }: DocumentText): string {
  return `${[`# ${title}`, ...blocks.map(blockMarkdown)].join('\n\n')}\n`;
}

function blockMarkdown(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`;
    case 'paragraph':
      return textMarkdown(block.text);
    case 'list':
      return block.items.map((item) => `- ${textMarkdown(item)}`).join('\n');
    case 'table':
      return tableMarkdown(
        block.columns,
        block.rows.map((row) => row.map(textMarkdown)),
      ).join('\n');
  }
}

/** Returns the lines of a table whose cells are Markdown. */
export function tableMarkdown(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const names = columns.map(({ name }) => name);
  const rules = columns.map(({ isNumber }) => (isNumber === true ? '---:' : '---'));
  return [names, rules, ...rows].map(tableLine);
}

export function textMarkdown(text: Text): string {
  return listInlines(text).map(inlineMarkdown).join('');
}

function inlineMarkdown(part: Inline): string {
  if (typeof part === 'string') return part;
  if ('strong' in part) return `**${part.strong}**`;
  return part.code.includes('`') ? `\`\` ${part.code} \`\`` : `\`${part.code}\``;
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
