// Allocates memory for bytes that are kept in a field, a list, a map or a cache.
//
// Node cuts buffers below 32 KiB from shared slabs of 64 KiB (`Buffer.poolSize`). This applies to `Buffer.from`,
// `Buffer.concat`, `Buffer.allocUnsafe`, `readFileSync` and results of zlib. A kept buffer of 16 bytes keeps its whole
// slab alive, and a kept view (`subarray`) keeps its whole buffer. So bytes that outlive the function that creates them
// must be allocated here. Bytes that are written or sent immediately may come from slabs, which are faster.

/** Allocates uninitialized memory that nothing else shares. */
export function allocateOwnBytes(bytes: number): Buffer<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(bytes);
}

/** Copies a string. A substring would keep the whole string from which it was cut in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** Returns the bytes, or a string as UTF-8, in unshared memory. Copies bytes only if they share memory. */
export function ownBytes(content: string | Uint8Array): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const isAlone = bytes.byteLength === bytes.buffer.byteLength;
  if (isAlone) return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer);
  const copy = allocateOwnBytes(bytes.byteLength);
  copy.set(bytes);
  return copy;
}
