// Fingerprints of each record's key and content, with its measures, by record number. Comparing two releases of a data
// set needs only these, not the records (ADR 0066, D37). Keys have 53 bits and contents 52, which a double holds
// exactly. If a million records changed, the chance that one of them seems unchanged is about one in four billion.

import { Sections } from '../values/bytes/sections';
import { numberAt } from '../values/number-arrays';

/** The columns of a release, by record number. */
export interface Fingerprints {
  readonly keys: Float64Array;
  readonly contents: Float64Array;
  /** A column per measure (an amount, a flow, a volume), rounded to 32 bits; NaN where a record has no value. */
  readonly measures: readonly Float32Array[];
}

/** A release that was written without measures gets empty columns for them. */
export function readFingerprints(content: Uint8Array, measureCount: number): Fingerprints {
  const sections = new Sections(content);
  const measures = Array.from({ length: measureCount }, (_, index) => sections.numbers(Float32Array, 2 + index));
  return { keys: sections.numbers(Float64Array, 0), contents: sections.numbers(Float64Array, 1), measures };
}

/** Reads the number of places of each record. Empty if the release was written before they were stored. */
export function readPlaceCounts(content: Uint8Array, measureCount: number): Uint32Array {
  return new Sections(content).numbers(Uint32Array, 2 + measureCount);
}

/** An open-addressing hash table from key to index. A Map of millions of numbers takes ten times the memory. */
export class KeyTable {
  /** The index of a key plus one; 0 marks a free slot. */
  private readonly slots: Uint32Array;
  private readonly mask: number;

  /** The table is empty and has room for all keys. */
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

  /** Adds the keys at the indices from `first` to before `end`. */
  add(first: number, end: number): void {
    for (let index = first; index < end; index++) this.slots[this.findSlot(numberAt(this.keys, index))] = index + 1;
  }

  indexOf(key: number): number | undefined {
    const entry = this.slots[this.findSlot(key)];
    return entry === undefined || entry === 0 ? undefined : entry - 1;
  }

  /**
   * Finds the slot that contains the key, or the free slot where it belongs. The mask keeps the index within the table.
   */
  private findSlot(key: number): number {
    let slot = key & this.mask;
    for (;;) {
      const entry = this.slots[slot];
      if (entry === undefined || entry === 0 || this.keys[entry - 1] === key) return slot;
      slot = (slot + 1) & this.mask;
    }
  }
}
