// Which records of a release are new or different from a former release of the same data set, and which of the former
// one's it lacks (D37), by the fingerprints of both: no record is read.

import { runInSteps } from '../store/deadline';
import type { ReleaseReader } from '../store/port';
import { BitSet } from '../values/bytes/bit-set';
import { Sections } from '../values/bytes/sections';
import { numberAt } from '../values/numbers';
import { toRecordSet, type ReleaseChanges } from './index/record-set';
import type { SearchCaches } from './index/search-caches';

/** So many records take a millisecond or two, after which other requests may come first. */
const STEP = 8_192;

/** Kept for both releases, which never change. Throws ReleaseGoneError and DeadlinePassedError. */
export async function findChanges(
  former: ReleaseReader,
  later: ReleaseReader,
  caches: SearchCaches,
): Promise<ReleaseChanges> {
  return caches.getCache<ReleaseChanges>('changes').getOrCompute(
    `${former.facts.releaseId} ${later.facts.releaseId}`,
    async () => compareFingerprints(await loadFingerprints(former), await loadFingerprints(later)),
    ({ changed, removed }) => changed.byteLength + removed.byteLength,
  );
}

async function loadFingerprints(reader: ReleaseReader): Promise<Fingerprints> {
  const content = await reader.artifact('fingerprints');
  if (content === undefined) throw new Error('a release without fingerprints');
  return readFingerprints(content, 0);
}

async function compareFingerprints(former: Fingerprints, later: Fingerprints): Promise<ReleaseChanges> {
  const table = new KeyTable(former.keys);
  await runInSteps(former.keys.length, STEP, (first, end) => {
    table.add(first, end);
  });
  const changed = new BitSet(later.keys.length);
  const removed = new BitSet(former.keys.length);
  if (former.keys.length > 0) removed.addRange(0, former.keys.length - 1);
  await runInSteps(later.keys.length, STEP, (first, end) => {
    for (let number = first; number < end; number++) {
      const formerNumber = table.indexOf(numberAt(later.keys, number));
      if (formerNumber !== undefined) removed.delete(formerNumber);
      if (formerNumber === undefined || former.contents[formerNumber] !== later.contents[number]) changed.add(number);
    }
  });
  return { changed: toRecordSet(changed), removed: toRecordSet(removed) };
}

// Fingerprints of the key and the content of each record, and its measures, by record number, so that two releases of
// a data set are compared without reading their records (ADR 0066, D37). Keys have 53 bits and contents 52, which a
// double holds exactly: of a million records that changed, one counts as unchanged once in four thousand million times.

export interface Fingerprints {
  /** By record number, as are the other columns. */
  readonly keys: Float64Array;
  readonly contents: Float64Array;
  /** A column for each measure (an amount, a flow, a volume), rounded to 32 bits; NaN where a record has none. */
  readonly measures: readonly Float32Array[];
}

/** A release that was written without measures has empty columns of them. */
export function readFingerprints(content: Uint8Array, measureCount: number): Fingerprints {
  const sections = new Sections(content);
  const measures = Array.from({ length: measureCount }, (_, index) => sections.numbers(Float32Array, 2 + index));
  return { keys: sections.numbers(Float64Array, 0), contents: sections.numbers(Float64Array, 1), measures };
}

/** An open-addressing table from key to index: a Map of millions of numbers takes ten times the memory. */
export class KeyTable {
  /** Index of a key plus one; 0 marks a free slot. */
  private readonly slots: Uint32Array;
  private readonly mask: number;

  /** Has none of the keys yet, and room for all. */
  constructor(private readonly keys: Float64Array) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, keys.length * 2)));
    this.slots = new Uint32Array(size);
    this.mask = size - 1;
  }

  static from(keys: Float64Array): KeyTable {
    const table = new KeyTable(keys);
    table.add(0, keys.length);
    return table;
  }

  /** Adds the keys at the indexes from `first` on, up to `end`, which is excluded. */
  add(first: number, end: number): void {
    for (let index = first; index < end; index++) this.slots[this.findSlot(numberAt(this.keys, index))] = index + 1;
  }

  indexOf(key: number): number | undefined {
    const found = this.slots[this.findSlot(key)];
    return found === undefined || found === 0 ? undefined : found - 1;
  }

  /** The slot that holds the key, or the free slot where it belongs. The mask keeps it within the table. */
  private findSlot(key: number): number {
    let slot = key & this.mask;
    for (;;) {
      const index = this.slots[slot];
      if (index === undefined || index === 0 || this.keys[index - 1] === key) return slot;
      slot = (slot + 1) & this.mask;
    }
  }
}
