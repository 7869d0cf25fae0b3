// A set of numbers in the portable form of Roaring bitmaps, which CRoaring reads at the speed of a copy
// (https://github.com/RoaringBitmap/RoaringFormatSpec): numbers that share their upper 16 bits are a container, of
// 2-byte numbers when it has few and of 65,536 bits when it has many.

import { numberAt } from '../../values/numbers';
import { countBits, listBits, type BitSet } from '../../values/bytes/bit-set';

/** What a file without run containers begins with. */
const COOKIE = 12_346;
const HEADER_BYTES = 8;

/** Key and cardinality, and where its content begins. */
const ENTRY_BYTES = 8;

const WORDS = 2048;

/** A container of more is bits. */
const MOST_LISTED = 4096;

interface Container {
  readonly key: number;
  readonly count: number;
  readonly content: Uint8Array;
}

/** A set of at most MOST_LISTED numbers, ascending, as CRoaring writes it without run containers. */
export function writeFewNumbers(numbers: readonly number[]): Uint8Array {
  const firsts = numbers.flatMap((number, index) =>
    index === 0 || number >>> 16 !== numberAt(numbers, index - 1) >>> 16 ? [index] : [],
  );
  let start = HEADER_BYTES + ENTRY_BYTES * firsts.length;
  const bytes = Buffer.allocUnsafe(start + Uint16Array.BYTES_PER_ELEMENT * numbers.length);
  bytes.writeUInt32LE(COOKIE, 0);
  bytes.writeUInt32LE(firsts.length, 4);
  firsts.forEach((first, container) => {
    const count = (firsts[container + 1] ?? numbers.length) - first;
    bytes.writeUInt16LE(numberAt(numbers, first) >>> 16, HEADER_BYTES + 4 * container);
    bytes.writeUInt16LE(count - 1, HEADER_BYTES + 4 * container + 2);
    bytes.writeUInt32LE(start, HEADER_BYTES + 4 * (firsts.length + container));
    for (let index = first; index < first + count; index++) {
      start = bytes.writeUInt16LE(numberAt(numbers, index) & 0xffff, start);
    }
  });
  return bytes;
}

export function writePortableBitmap({ words }: BitSet): Uint8Array {
  const containers = containersOf(words);
  const header = Buffer.alloc(HEADER_BYTES + ENTRY_BYTES * containers.length);
  header.writeUInt32LE(COOKIE, 0);
  header.writeUInt32LE(containers.length, 4);
  let start = header.length;
  containers.forEach(({ key, count, content }, index) => {
    header.writeUInt16LE(key, HEADER_BYTES + 4 * index);
    header.writeUInt16LE(count - 1, HEADER_BYTES + 4 * index + 2);
    header.writeUInt32LE(start, HEADER_BYTES + 4 * (containers.length + index));
    start += count > MOST_LISTED ? 4 * WORDS : content.length;
  });
  // Zeros fill the last container up, whose words may end before its range does.
  return Buffer.concat([header, ...containers.map(({ content }) => content)], start);
}

function containersOf(words: Uint32Array): readonly Container[] {
  const containers: Container[] = [];
  for (let key = 0; key * WORDS < words.length; key++) {
    const part = words.subarray(key * WORDS, (key + 1) * WORDS);
    const count = countBits(part);
    if (count === 0) continue;
    const { buffer, byteOffset, byteLength } = count > MOST_LISTED ? part : listBits(part, new Uint16Array(count));
    containers.push({ key, count, content: new Uint8Array(buffer, byteOffset, byteLength) });
  }
  return containers;
}
