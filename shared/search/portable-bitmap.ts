// A set of numbers in the portable form of Roaring bitmaps, which CRoaring reads at the speed of a copy
// (https://github.com/RoaringBitmap/RoaringFormatSpec): numbers that share their upper 16 bits are a container, of
// 2-byte numbers when it has few and of 65,536 bits when it has many.

import { countBits, listBits, type BitSet } from '../values/bit-set';

/** What a file without run containers begins with. */
const COOKIE = 12_346;
const HEADER_BYTES = 8;

/** Key and cardinality, and where its content begins. */
const ENTRY_BYTES = 8;

const WORDS = 2048;
const BITS_BYTES = 4 * WORDS;

/** A container of more is bits. */
const MOST_LISTED = 4096;

interface Container {
  readonly key: number;
  readonly words: Uint32Array;
  readonly count: number;
}

export function writePortableBitmap({ words }: BitSet): Uint8Array {
  const containers = containersOf(words);
  let start = HEADER_BYTES + ENTRY_BYTES * containers.length;
  const bytes = new Uint8Array(containers.reduce((sum, container) => sum + contentBytes(container), start));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, COOKIE, true);
  view.setUint32(4, containers.length, true);
  containers.forEach((container, index) => {
    view.setUint16(HEADER_BYTES + 4 * index, container.key, true);
    view.setUint16(HEADER_BYTES + 4 * index + 2, container.count - 1, true);
    view.setUint32(HEADER_BYTES + 4 * (containers.length + index), start, true);
    if (container.count > MOST_LISTED) bytes.set(asBytes(container.words), start);
    else bytes.set(asBytes(listBits(container.words, new Uint16Array(container.count))), start);
    start += contentBytes(container);
  });
  return bytes;
}

function containersOf(words: Uint32Array): readonly Container[] {
  const containers: Container[] = [];
  for (let key = 0; key * WORDS < words.length; key++) {
    const part = words.subarray(key * WORDS, (key + 1) * WORDS);
    const count = countBits(part);
    if (count > 0) containers.push({ key, words: part, count });
  }
  return containers;
}

function contentBytes({ count }: Container): number {
  return count > MOST_LISTED ? BITS_BYTES : 2 * count;
}

function asBytes({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
