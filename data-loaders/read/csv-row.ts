// A row of a CSV file with the line on which it starts.

export interface CsvRow {
  /** Line of the file on which the row starts; the header is mostly line 1. */
  readonly line: number;
  /** Undefined for a row that is not readable as CSV; `source` then shows it. */
  readonly cells: readonly string[] | undefined;
  /** The row as it stands in the file, without its line end. */
  readonly source: string;
}

/** How RFC 4180 is read here. `info` gives the place where a record ends. */
export const CSV_OPTIONS = {
  info: true,
  relax_column_count: true,
  // `5" pipe` in a cell without quotes is text; RFC 4180 does not allow it, real files have it.
  relax_quotes: true,
  record_delimiter: ['\r\n', '\n'] as string[],
  skip_empty_lines: true,
};

/** With `info`, what csv-parse yields for each record; its types know only the bare form. */
export interface ParsedRecord {
  readonly record: readonly string[];
  readonly info: { readonly bytes: number };
}

/** Makes rows of what stands between two ends of records, counting lines. */
export class LineCounter {
  constructor(public line: number) {}

  /** `text` ends with the row and may start with empty lines, which are passed over. */
  row(cells: readonly string[] | undefined, text: string): CsvRow {
    let start = 0;
    let line = this.line;
    for (; start < text.length && isLineEnd(text.charCodeAt(start)); start++) {
      if (text.charCodeAt(start) === 0x0a) line++;
    }
    let end = text.length;
    while (end > start && isLineEnd(text.charCodeAt(end - 1))) end--;
    this.line = line;
    for (let at = text.indexOf('\n', start); at !== -1; at = text.indexOf('\n', at + 1)) this.line++;
    return { line, cells, source: text.slice(start, end) };
  }
}

function isLineEnd(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}
