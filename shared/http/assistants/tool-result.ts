// Formats the result of a tool as text and as structured content. The text quotes values from submissions as data
// (D72). A result has at most MAX_RESULT_BYTES.

import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Item } from '../../records/record-references';
import { escapeControls } from '../../values/escape-controls';
import type { ToolAnswer } from './answers';
import { quoteValue } from './quote-values';
import { shorten } from './rows';

/** Leaves 2 KB for what the protocol adds to a result. */
const MAX_RESULT_BYTES = 58_000;

/**
 * Maximum lengths of strings, tried in turn if not even one row fits, because a submission may contain many long
 * strings.
 */
const TEXT_LENGTHS = [1_000, 200, 50];

export function toErrorResult(text: string): CallToolResult {
  return { content: [{ type: 'text', text: escapeControls(text) }], isError: true };
}

/** Returns as many rows as fit, with uncut values where possible. */
export function fitResult(answer: ToolAnswer): CallToolResult {
  for (const maxLength of TEXT_LENGTHS) {
    const result = fitRows(shortenAnswer(answer, maxLength));
    if (result !== undefined) return result;
  }
  return toErrorResult('The answer would be too long. Request fewer values, or use a named boundary.');
}

/** Formats the rows as a table that fits into a result. */
export function fitTable(rows: readonly Item[]): string {
  for (const maxLength of TEXT_LENGTHS) {
    const table = formatTable(rows.map((row) => shortenItem(row, maxLength)));
    if (Buffer.byteLength(table) <= MAX_RESULT_BYTES) return table;
  }
  return 'The list of values would be too long. Call describe with organization or kind.';
}

function shortenAnswer(answer: ToolAnswer, maxLength: number): ToolAnswer {
  return {
    ...answer,
    rows: answer.rows.map((row) => shortenItem(row, maxLength)),
    licences: answer.licences.map((license) => shortenItem(license, maxLength)),
    units: shortenItem(answer.units, maxLength),
    caveats: answer.caveats.map(escapeControls),
  };
}

function shortenItem(item: Item, maxLength: number): Item {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, shorten(value, maxLength)]));
}

/** Undefined if not even one row fits. */
function fitRows(answer: ToolAnswer): CallToolResult | undefined {
  let { rows } = answer;
  for (;;) {
    const result = formatResult(answer, rows);
    if (Buffer.byteLength(JSON.stringify(result)) <= MAX_RESULT_BYTES) return result;
    if (rows.length <= 1) return undefined;
    rows = rows.slice(0, Math.floor(rows.length * 0.8));
  }
}

function formatResult(
  { rowsAre, rows: allRows, caveats: answerCaveats, address, dataVersion, matched, units, licences }: ToolAnswer,
  rows: readonly Item[],
): CallToolResult {
  const cut =
    rows.length < allRows.length ? [`Only the first ${rows.length} of ${allRows.length} rows fit: request fewer.`] : [];
  const caveats = [...cut, ...answerCaveats];
  const sources = licences.map(
    ({ organization, organizationName, license }) =>
      `${quoteValue(organizationName)} (${quoteValue(organization)}, license ${quoteValue(license)})`,
  );
  const lines = [
    `${rows.length} of ${matched} ${rowsAre}, data version ${dataVersion}`,
    formatTable(rows),
    ...caveats.map((caveat) => `Note: ${caveat}`),
    ...Object.entries(units).map(([name, unit]) => `Unit of ${name}: ${quoteValue(unit)}`),
    `Source: ${sources.join('; ')}`,
    `Address: ${address}`,
  ];
  const structuredContent = { address, dataVersion, shown: rows.length, matched, rows, units, licences, caveats };
  return { content: [{ type: 'text', text: lines.join('\n') }], structuredContent };
}

/**
 * Formats rows as a table of the members in which they differ. The members with the same value in all rows come first,
 * on lines of their own. Strings are quoted.
 */
function formatTable(rows: readonly Item[]): string {
  const formatCell = (value: unknown): string => (value === undefined || value === null ? '' : quoteValue(value));
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isSame = (name: string): boolean => new Set(rows.map((row) => formatCell(row[name]))).size === 1;
  const same = names.filter(isSame).map((name) => `${name}: ${formatCell(rows[0]?.[name])}`);
  const columns = names.filter((name) => !isSame(name));
  if (columns.length === 0) return same.join('\n');
  const lines = rows.map((row) => columns.map((name) => formatCell(row[name])));
  return [...same, ...[columns, ...lines].map((cells) => cells.join(' | '))].join('\n');
}
