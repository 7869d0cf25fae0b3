// A fingerprint of each record's key and content, so that two releases of a data set can be compared without reading their
// records: what was added, removed, changed. 53 bits of key: two of a million keys collide once in 18,000 releases, and the
// comparison is a report, not a decision.

import { crc32 } from 'node:zlib';
import { Sections, writeSections } from '../../shared/search/sections';
import type { DataSetChange } from '../report/report';

export interface Fingerprints {
  readonly keys: Float64Array;
  readonly contents: Uint32Array;
}

export class FingerprintBuilder {
  private keys = new Float64Array(1024);
  private contents = new Uint32Array(1024);
  private count = 0;

  /** `content` is the record's JSON text. */
  add(key: string, content: string): void {
    if (this.count === this.keys.length) {
      const keys = new Float64Array(this.count * 2);
      const contents = new Uint32Array(this.count * 2);
      keys.set(this.keys);
      contents.set(this.contents);
      this.keys = keys;
      this.contents = contents;
    }
    this.keys[this.count] = keyFingerprint(key);
    this.contents[this.count] = crc32(content);
    this.count++;
  }

  build(): Fingerprints {
    return { keys: this.keys.subarray(0, this.count), contents: this.contents.subarray(0, this.count) };
  }
}

export function writeFingerprints({ keys, contents }: Fingerprints): Uint8Array {
  return writeSections([keys, contents]);
}

export function readFingerprints(content: Uint8Array): Fingerprints {
  const sections = new Sections(content);
  return { keys: sections.float64(0), contents: sections.uint32(1) };
}

export function compareFingerprints(former: Fingerprints, next: Fingerprints): DataSetChange {
  const table = new KeyTable(former);
  let added = 0;
  let changed = 0;
  let same = 0;
  for (let index = 0; index < next.keys.length; index++) {
    const content = table.contentOf(next.keys[index] ?? 0);
    if (content === undefined) added++;
    else if (content !== next.contents[index]) changed++;
    else same++;
  }
  return { added, removed: former.keys.length - same - changed, changed };
}

/** Open addressing in typed arrays: a Map of millions of numbers would need ten times the memory. */
class KeyTable {
  private readonly slots: Uint32Array;
  private readonly mask: number;

  constructor(private readonly fingerprints: Fingerprints) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(2, fingerprints.keys.length * 2)));
    this.slots = new Uint32Array(size);
    this.mask = size - 1;
    fingerprints.keys.forEach((key, index) => {
      this.slots[this.slotOf(key)] = index + 1;
    });
  }

  contentOf(key: number): number | undefined {
    const index = this.slots[this.slotOf(key)] ?? 0;
    return index === 0 ? undefined : this.fingerprints.contents[index - 1];
  }

  /** The slot that holds the key, or the free one where it would stand. */
  private slotOf(key: number): number {
    let slot = key & this.mask;
    for (;;) {
      const index = this.slots[slot] ?? 0;
      if (index === 0 || this.fingerprints.keys[index - 1] === key) return slot;
      slot = (slot + 1) & this.mask;
    }
  }
}

/** 32 bits, by the multiplicative scheme of murmur3, whose constants these are. */
function lane32(text: string, seed: number): number {
  let lane = seed ^ 0x9e3779b9;
  for (let index = 0; index < text.length; index++) {
    lane = Math.imul(lane ^ text.charCodeAt(index), 0x85ebca6b);
    lane ^= lane >>> 15;
  }
  return Math.imul(lane ^ (lane >>> 16), 0xc2b2ae35);
}

/** 53 bits as one exact number: two lanes of different seeds. */
function keyFingerprint(text: string): number {
  const low = lane32(text, 0) >>> 0;
  const high = lane32(text, 0x5bd1e995) & 0x1fffff;
  return 0x100000000 * high + low;
}
