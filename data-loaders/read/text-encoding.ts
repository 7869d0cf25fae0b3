// UTF-8 with or without BOM, or, for a file that is not valid UTF-8, Windows-1252 (submissions.md, 3). Which of the two is
// known only at the end of the file, so it is read once for that alone: a gigabyte takes about a second.

import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { hasCode } from '../../shared/values/error-code';

export type TextEncoding = 'utf-8' | 'windows-1252';

/** Rows of larger pieces outlive a collection of young memory, which then costs half as much again. */
const CHUNK_BYTES = 1 << 16;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

export async function detectEncoding(path: string): Promise<TextEncoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
      decoder.decode(chunk as Buffer, { stream: true }); // A stream without an encoding yields buffers.
    }
    decoder.decode();
    return 'utf-8';
  } catch (error) {
    if (hasCode(error, 'ERR_ENCODING_INVALID_ENCODED_DATA')) return 'windows-1252';
    throw error;
  }
}

/** The file from `start` on, in pieces of UTF-8 bytes; `onBytes` hears how many bytes of the file each piece took. */
export async function* readPieces(
  path: string,
  encoding: TextEncoding,
  start: number,
  onBytes: (bytes: number) => void,
): AsyncIterable<Buffer> {
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
  // A program that joined files of two encodings may have left the mark of one of them.
  const mark = start === 0 && decoder !== undefined && (await startsWithMark(path)) ? BYTE_ORDER_MARK.length : 0;
  onBytes(mark);
  for await (const chunk of createReadStream(path, { start: start + mark, highWaterMark: CHUNK_BYTES })) {
    const bytes = chunk as Buffer; // As above.
    onBytes(bytes.length);
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
}

async function startsWithMark(path: string): Promise<boolean> {
  const { length } = BYTE_ORDER_MARK;
  for await (const chunk of createReadStream(path, { end: length - 1 })) return BYTE_ORDER_MARK.equals(chunk as Buffer);
  return false;
}

/** How many bytes of the file became these of UTF-8: of Windows-1252 each character is one. */
export function submittedBytes(bytes: Buffer, encoding: TextEncoding): number {
  return encoding === 'utf-8' ? bytes.length : bytes.toString().length;
}
