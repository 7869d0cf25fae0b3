// Bytes that are copied eight at a time, by a view of their memory. Short parts take half as long as one byte after the
// other, and parts of some hundred bytes less than a call of the platform.

/** The last word of a part may reach so many bytes behind it: they are read, and what stands there is overwritten. */
export const WORD_SLACK = 7;

/** Bytes, and their memory with the slack behind them. */
export interface CopiedBytes {
  readonly bytes: Buffer;
  readonly words: DataView;
}

/** So many bytes that are whatever they were. */
export function allocateCopied(bytes: number, allocate: (bytes: number) => Buffer): CopiedBytes {
  const memory = allocate(bytes + WORD_SLACK);
  return { bytes: memory.subarray(0, bytes), words: wordsOf(memory) };
}

export function copiedText(text: string): CopiedBytes {
  const copied = allocateCopied(Buffer.byteLength(text), (bytes) => Buffer.alloc(bytes));
  copied.bytes.write(text);
  return copied;
}

/** Whether the same bytes stand at two places: those of the first from `start` to before `end`. */
export function isSameAt(words: DataView, start: number, end: number, other: number): boolean {
  let at = start;
  const difference = other - start;
  for (; at + 8 <= end; at += 8) if (words.getBigUint64(at) !== words.getBigUint64(at + difference)) return false;
  for (; at < end; at++) if (words.getUint8(at) !== words.getUint8(at + difference)) return false;
  return true;
}

export function wordsOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}
