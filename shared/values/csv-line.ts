// Writes one line of CSV.

const NEEDS_QUOTES = /[",\r\n]/;

/** Formats a row as RFC 4180 specifies, without the line end. */
export function formatCsvLine(cells: readonly string[]): string {
  return cells
    .map((cell) => (cell !== '' && NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join();
}
