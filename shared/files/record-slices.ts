// The records of a release, read a stretch at a time for a file of them.

import { itemsOf, readSlice, type SliceItems } from '../answer/page-texts';
import type { ReleaseReader } from '../store/port';

/** So many records are parsed at once: some 5 MB of JSON. */
const RECORDS_AT_ONCE = 5000;

/** All records in order, or those with the numbers, in their order; with the lookups that they refer to. */
export async function* recordSlices(reader: ReleaseReader, numbers?: Uint32Array): AsyncIterable<SliceItems> {
  const count = numbers?.length ?? reader.facts.records;
  for (let from = 0; from < count; from += RECORDS_AT_ONCE) {
    const length = Math.min(RECORDS_AT_ONCE, count - from);
    const wanted = numbers?.subarray(from, from + length) ?? Uint32Array.from({ length }, (_, index) => from + index);
    yield itemsOf(await readSlice(sliceOf(reader, wanted), () => undefined));
  }
}

function sliceOf(reader: ReleaseReader, wanted: Uint32Array): Parameters<typeof readSlice>[0] {
  if (wanted.every((number, index) => index === 0 || number > (wanted[index - 1] ?? 0))) {
    return { reader, numbers: wanted };
  }
  const numbers = wanted.toSorted();
  const placeOf = new Map(Array.from(numbers, (number, place) => [number, place]));
  return { reader, numbers, order: wanted.map((number) => placeOf.get(number) ?? NaN) };
}
