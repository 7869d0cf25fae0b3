// Reads one CSV file as batches of rows (submissions.md, 3). Its text is UTF-8 with or without byte order mark, or, for
// a file that is not valid UTF-8, Windows-1252.

import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { numberAt } from '../../../shared/values/numbers';
import type { SubmittedFile } from '../../format/submitted-files';
import { CsvScan, UnreadableFileError, type CsvRow, type TextPlace, type TextRows } from './csv-scan';

type TextEncoding = 'utf-8' | 'windows-1252';

/** A place between two rows of a file at which reading can begin again. */
export interface CsvPlace extends TextPlace {
  readonly encoding: TextEncoding;
  readonly bytes: number;
}

export interface CsvBatch {
  readonly rows: readonly CsvRow[];
  /** The place behind the last of the rows. */
  readonly end: CsvPlace;
  /** How many bytes of the file were read up to now. */
  readonly read: number;
}

/**
 * The rows of a file from a place on, its header first, in batches of one piece of the file, because waiting for each
 * row costs as much as reading it. Throws UnreadableFileError, which names the file.
 */
export async function* readCsvFile(file: SubmittedFile, from?: CsvPlace): AsyncIterable<CsvBatch> {
  const encoding = from?.encoding ?? (await detectEncoding(file));
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
  const scan = new CsvScan(from);
  let read = from?.bytes ?? 0;
  const batchOf = ({ rows, end, pending }: TextRows): CsvBatch => {
    // In Windows-1252 each character is one byte.
    const bytes = read - (decoder === undefined ? pending.length : pending.toString().length);
    return { rows, end: { ...end, encoding, bytes }, read };
  };
  try {
    for await (const piece of file.bytes(read)) {
      // A program that joined files of two encodings may have left the byte order mark of one of them.
      const isMarked =
        decoder !== undefined && read === 0 && piece.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
      read += piece.length;
      const text = isMarked ? piece.subarray(BYTE_ORDER_MARK.length) : piece;
      yield batchOf(scan.take(decoder === undefined ? text : Buffer.from(decoder.decode(text, { stream: true }))));
    }
    yield batchOf(scan.finish());
  } catch (error) {
    if (error instanceof UnreadableFileError) throw new UnreadableFileError(`${file.name}: ${error.message}`);
    throw error;
  }
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Only the end of a file tells its encoding, so it is read once for this alone: a gigabyte takes a quarter second. */
export async function detectEncoding(file: SubmittedFile): Promise<TextEncoding> {
  /** The bytes of a character that goes on in the next piece. */
  let cut: Buffer = Buffer.alloc(0);
  for await (const piece of file.bytes(0)) {
    const bytes = cut.length === 0 ? piece : Buffer.concat([cut, piece]);
    const end = bytes.length - cutBytes(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return 'windows-1252';
    cut = bytes.subarray(end);
  }
  return cut.length === 0 ? 'utf-8' : 'windows-1252';
}

/** How many bytes at the end begin a character of UTF-8 that is longer than they are. */
function cutBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = numberAt(bytes, bytes.length - back);
    const isContinuation = byte >= 0x80 && byte < 0xc0;
    if (isContinuation) continue;
    const length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length > back ? back : 0;
  }
  return 0;
}
