// CSV files that spreadsheets open with a double click (D77).

/** Without this mark, spreadsheets assume the default encoding of the operating system. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Makes a file from CSV text without a byte order mark. */
export function toCsvBlob(text: string | Blob): Blob {
  return new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv;charset=utf-8' });
}
