// Memory of bytes that are kept: in a field, a list, a map or a cache.
//
// Node cuts buffers below 32 KiB from shared slabs of 64 KiB (`Buffer.poolSize`): those of `Buffer.from`,
// `Buffer.concat`, `Buffer.allocUnsafe` and `readFileSync`, and what zlib returns. A kept buffer of 16 bytes keeps its
// whole slab alive, and a kept view (`subarray`) the whole buffer that it shows. So bytes that outlive the function
// that makes them come from here. Bytes that are written or sent at once may come from the slabs, which are faster.

/** Uninitialized memory that nothing else shares. */
export function allocateOwnBytes(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(bytes);
}

/** The text without the larger text that it was cut from: a substring keeps that whole text alive. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** The bytes, or a text in UTF-8, in memory that nothing else shares. Copies only bytes that share theirs. */
export function ownBytes(content: string | Uint8Array): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const isAlone = bytes.byteLength === bytes.buffer.byteLength;
  if (isAlone) return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer);
  const copy = allocateOwnBytes(bytes.byteLength);
  copy.set(bytes);
  return copy;
}
