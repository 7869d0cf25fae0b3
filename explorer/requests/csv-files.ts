// CSV files that people open by a double click (D77).

/** Spreadsheets read a file without it in the encoding of the machine. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A file of the CSV text, which has no byte order mark yet. */
export function toCsvBlob(text: string | Blob): Blob {
  return new Blob([BYTE_ORDER_MARK, text], { type: 'text/csv;charset=utf-8' });
}
