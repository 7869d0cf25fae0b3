// Reads a CSV file: checks whether all of it is valid UTF-8, then reads its rows.

import { TextDecoder } from 'node:util';
import { hasCode } from '../../shared/values/result';
import type { SubmittedFile } from '../format/submitted-files';
import {
  type CsvBatch,
  type CsvPosition,
  CsvScan,
  getStartPosition,
  type TextEncoding,
  UnreadableFileError,
} from './csv';

/**
 * Reads the rows of a file, starting at a position, with the header first. Rows come in batches of one buffer, because
 * awaiting each row would cost as much as reading it. Throws UnreadableFileError, which identifies the file.
 */
export async function* readCsvFile(file: SubmittedFile, from?: CsvPosition): AsyncIterable<CsvBatch> {
  const start = from ?? getStartPosition(await detectEncoding(file));
  const scan = new CsvScan(start);
  try {
    for await (const piece of file.bytes(start.offset)) yield scan.addBytes(piece);
    yield scan.finish();
  } catch (error) {
    if (error instanceof UnreadableFileError) throw new UnreadableFileError(`${file.name}: ${error.message}`);
    throw error;
  }
}

/** Reads the whole file once, because any byte may determine the encoding. This takes a second or two per gigabyte. */
export async function detectEncoding(file: SubmittedFile): Promise<TextEncoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of file.bytes(0)) decoder.decode(piece, { stream: true });
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (hasCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) return 'mixed';
    throw error;
  }
}
