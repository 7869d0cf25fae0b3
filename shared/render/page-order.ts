// Writes the records of a page in the order of the page (D69). If the request sets an order, the page takes records
// from several releases in turn.

import { numberAt } from '../values/number-arrays';

/** The part of a page from one release. */
interface OrderedSlice {
  /**
   * The position of each record on the page; set only if the request sets an order. Either all slices of a page have
   * positions, or none do.
   */
  readonly positions?: Uint32Array | undefined;
}

/**
 * Yields what `write` yields for the records of the slices, in the order of the page. `write` must yield once for each
 * record of a slice, in order, and undefined for each step without a record. If the request sets an order, switches
 * between the slices after each record.
 */
export function* inPageOrder<Slice extends OrderedSlice, Written>(
  slices: readonly Slice[],
  write: (slice: Slice) => Iterable<Written | undefined>,
): Generator<Written | undefined> {
  if (slices.every(({ positions }) => positions === undefined)) {
    for (const slice of slices) yield* write(slice);
    return;
  }
  const writers = slices.map((slice) => write(slice)[Symbol.iterator]());
  for (const slice of listSliceByPosition(slices)) {
    const writer = writers[slice];
    let written: Written | undefined;
    while (written === undefined) {
      const step = writer?.next();
      if (step === undefined || step.done === true) throw new Error('a slice of the page lacks a record');
      written = step.value;
      yield written;
    }
  }
}

/** Keyed by position on the page: the index of the slice that contains the record. */
function listSliceByPosition(slices: readonly OrderedSlice[]): Uint32Array {
  const count = slices.reduce((sum, { positions }) => sum + (positions?.length ?? 0), 0);
  const sliceByPosition = new Uint32Array(count);
  for (const [slice, { positions = new Uint32Array() }] of slices.entries()) {
    for (let record = 0; record < positions.length; record++) sliceByPosition[numberAt(positions, record)] = slice;
  }
  return sliceByPosition;
}
