// The text of a file as pieces of UTF-8: UTF-8 with or without byte order mark, or, for a file that is not valid UTF-8,
// Windows-1252 (submissions.md, 3). Files that are called CSV and are something else are told by how they start.

import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { numberAt } from '../../../shared/values/numbers';
import type { SubmittedFile } from '../../format/submitted-files';

export type TextEncoding = 'utf-8' | 'windows-1252';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

export type DetectedFormat =
  | { readonly kind: 'text'; readonly encoding: TextEncoding }
  /** What the file is instead of CSV. */
  | { readonly kind: 'other'; readonly what: string };

/** Only the end of a file tells its encoding, so it is read once for this alone: a gigabyte takes a quarter second. */
export async function detectFormat(file: SubmittedFile): Promise<DetectedFormat> {
  let isStart = true;
  /** The bytes of a character that goes on in the next piece. */
  let cut: Buffer = Buffer.alloc(0);
  for await (const piece of file.bytes(0)) {
    const what = isStart ? otherFormat(piece) : undefined;
    if (what !== undefined) return { kind: 'other', what };
    isStart = false;
    const bytes = cut.length === 0 ? piece : Buffer.concat([cut, piece]);
    const end = bytes.length - cutBytes(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return { kind: 'text', encoding: 'windows-1252' };
    // A copy: the memory of a piece is used again.
    cut = Buffer.from(bytes.subarray(end));
  }
  return { kind: 'text', encoding: cut.length === 0 ? 'utf-8' : 'windows-1252' };
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

/** A piece of UTF-8, and how many bytes of the file are read with it. */
export interface ReadPiece {
  readonly piece: Buffer;
  readonly bytes: number;
}

/** The file from `start` on. A piece is valid until the next is asked for. */
export async function* readPieces(
  file: SubmittedFile,
  encoding: TextEncoding,
  start: number,
): AsyncIterable<ReadPiece> {
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
  let bytes = start;
  let isStart = start === 0;
  for await (const piece of file.bytes(start)) {
    bytes += piece.length;
    // A program that joined files of two encodings may have left the mark of one of them.
    const isMarked = isStart && piece.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    isStart = false;
    if (decoder === undefined) yield { piece, bytes };
    else {
      const text = decoder.decode(piece.subarray(isMarked ? BYTE_ORDER_MARK.length : 0), { stream: true });
      yield { piece: Buffer.from(text), bytes };
    }
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

/** The format of a file that cannot be CSV, by its start; undefined when it may be. Only the header has to be text. */
function otherFormat(start: Buffer): string | undefined {
  const found = STARTS.find(([bytes]) => start.subarray(0, bytes.length).equals(Buffer.from(bytes)));
  if (found !== undefined) return found[1];
  const [header = ''] = start.subarray(0, START_BYTES).toString('latin1').split('\n', 1);
  return header.includes('\0') ? 'not text' : undefined;
}
