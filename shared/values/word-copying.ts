// Bytes that are copied eight at a time, by a view of their memory. Short parts take half as long as one byte after the
// other, and parts of some hundred bytes less than a call of the platform.

import type { Allocate } from './byte-writer';

/** The last word of a part may reach so many bytes behind it: they are read, and what stands there is overwritten. */
export const WORD_SLACK = 7;

/** Bytes, and their memory with the slack behind them. */
export interface CopiedBytes {
  readonly bytes: Buffer;
  readonly words: DataView;
}

/** So many bytes that are whatever they were. */
export function allocateCopied(bytes: number, allocate: Allocate): CopiedBytes {
  const memory = allocate(bytes + WORD_SLACK);
  return { bytes: memory.subarray(0, bytes), words: wordsOf(memory) };
}

export function copiedText(text: string): CopiedBytes {
  const copied = allocateCopied(Buffer.byteLength(text), (bytes) => Buffer.alloc(bytes));
  copied.bytes.write(text);
  return copied;
}

export function wordsOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
