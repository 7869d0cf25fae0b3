// Numbers by texts that stand in bytes, such as identifiers in a page of records: an open-addressing table that makes
// no string for a text, which would take longer than to compare it. The bytes must stay as they are.

const FIRST_SLOTS = 1024;

/** Its loops run for each text of a page, and so read lists directly: what is read is always there. */
export class TextTable {
  /** The place of an entry plus one; 0 marks a free slot. At least half of them are free. */
  private slots = new Uint32Array(FIRST_SLOTS);
  private readonly hashes: number[] = [];
  private readonly sources: Uint8Array[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly numbers: number[] = [];

  /** The number of the text from `start` to before `end`; undefined for one that was never set. */
  get(bytes: Uint8Array, start: number, end: number): number | undefined {
    return this.numbers[(this.slots[this.slotOf(bytes, start, end, hashOf(bytes, start, end))] ?? 0) - 1];
  }

  set(bytes: Uint8Array, start: number, end: number, number: number): void {
    if (this.getOrSet(bytes, start, end, number) === number) return;
    const slot = this.slotOf(bytes, start, end, hashOf(bytes, start, end));
    this.numbers[(this.slots[slot] ?? 0) - 1] = number;
  }

  /** The number of the text, which is `number` from now on if it was never set. */
  getOrSet(bytes: Uint8Array, start: number, end: number, number: number): number {
    const hash = hashOf(bytes, start, end);
    const slot = this.slotOf(bytes, start, end, hash);
    const known = this.slots[slot] ?? 0;
    if (known > 0) return this.numbers[known - 1] ?? number;
    this.sources.push(bytes);
    this.starts.push(start);
    this.ends.push(end);
    this.numbers.push(number);
    this.slots[slot] = this.hashes.push(hash);
    if (2 * this.hashes.length > this.slots.length) this.grow();
    return number;
  }

  /** The slot of the text, or the free slot where it belongs. */
  private slotOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { slots, hashes } = this;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = (slots[slot] ?? 0) - 1;
      if (entry === -1 || (hashes[entry] === hash && this.isAt(entry, bytes, start, end))) return slot;
    }
  }

  private isAt(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    const source = this.sources[entry] ?? bytes;
    const first = this.starts[entry] ?? 0;
    const length = end - start;
    if ((this.ends[entry] ?? 0) - first !== length) return false;
    for (let at = 0; at < length; at++) if (source[first + at] !== bytes[start + at]) return false;
    return true;
  }

  private grow(): void {
    this.slots = new Uint32Array(2 * this.slots.length);
    const mask = this.slots.length - 1;
    this.hashes.forEach((hash, entry) => {
      let slot = hash & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = entry + 1;
    });
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) & 0x7fffffff;
}
