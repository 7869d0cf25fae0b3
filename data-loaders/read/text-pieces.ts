// The text of a file as pieces of UTF-8: UTF-8 with or without byte order mark, or, for a file that is not valid UTF-8,
// Windows-1252 (submissions.md, 3). Files that are called CSV and are something else are told by how they start.

import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { TextDecoder } from 'node:util';
import { hasCode } from '../../shared/values/result';

export type TextEncoding = 'utf-8' | 'windows-1252';

/** Rows of larger pieces outlive a collection of the young generation, which then costs half as much again. */
const CHUNK_BYTES = 1 << 16;

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Only the end of the file decides, so it is read once for this alone: a gigabyte takes about a second. */
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
  const { length } = BYTE_ORDER_MARK;
  const mark = start === 0 && decoder !== undefined && BYTE_ORDER_MARK.equals(startOf(path, length)) ? length : 0;
  onBytes(mark);
  for await (const chunk of createReadStream(path, { start: start + mark, highWaterMark: CHUNK_BYTES })) {
    const bytes = chunk as Buffer; // A stream without an encoding yields buffers.
    onBytes(bytes.length);
    yield decoder === undefined ? bytes : Buffer.from(decoder.decode(bytes, { stream: true }));
  }
}

/** How many bytes of the file these bytes of UTF-8 were made of: in Windows-1252 each character is one byte. */
export function submittedBytes(bytes: Buffer, encoding: TextEncoding): number {
  return encoding === 'utf-8' ? bytes.length : bytes.toString().length;
}

/** As much of a file as tells its format. */
const START_BYTES = 4096;

const ARCHIVE = 'a compressed archive';

const STARTS: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an Excel workbook'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'an Excel workbook of an old kind'],
  [[0x1f, 0x8b], ARCHIVE],
  [[0x42, 0x5a, 0x68], ARCHIVE],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], ARCHIVE],
  [[0x28, 0xb5, 0x2f, 0xfd], ARCHIVE],
  [[0x37, 0x7a, 0xbc, 0xaf], ARCHIVE],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0xff, 0xfe], 'text in UTF-16'],
  [[0xfe, 0xff], 'text in UTF-16'],
];

/** The format of a file that cannot be CSV; undefined when it may be. Only the header has to be text. */
export function otherFormat(path: string): string | undefined {
  const start = startOf(path, START_BYTES);
  const found = STARTS.find(([bytes]) => start.subarray(0, bytes.length).equals(Buffer.from(bytes)));
  if (found !== undefined) return found[1];
  const [header = ''] = start.toString('latin1').split('\n', 1);
  return header.includes('\0') ? 'not text' : undefined;
}

function startOf(path: string, length: number): Buffer {
  const start = Buffer.alloc(length);
  const file = openSync(path, 'r');
  const read = readSync(file, start, 0, length, 0);
  closeSync(file);
  return start.subarray(0, read);
}
