// The text of a file as pieces of UTF-8: UTF-8 with or without byte order mark, or, for a file that is not valid UTF-8,
// Windows-1252 (submissions.md, 3).

import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { numberAt } from '../../../shared/values/numbers';
import type { SubmittedFile } from '../../format/submitted-files';

export type TextEncoding = 'utf-8' | 'windows-1252';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Only the end of a file tells its encoding, so it is read once for this alone: a gigabyte takes a quarter second. */
export async function detectEncoding(file: SubmittedFile): Promise<TextEncoding> {
  /** The bytes of a character that goes on in the next piece. */
  let cut: Buffer = Buffer.alloc(0);
  for await (const piece of file.bytes(0)) {
    const bytes = cut.length === 0 ? piece : Buffer.concat([cut, piece]);
    const end = bytes.length - cutBytes(bytes);
    if (!isUtf8(bytes.subarray(0, end))) return 'windows-1252';
    // A copy: the memory of a piece is used again.
    cut = Buffer.from(bytes.subarray(end));
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
