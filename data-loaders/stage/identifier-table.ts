// The staged numbers of identifiers in memory: an open-addressing table over texts that lie one behind the other. It
// takes 40 bytes an identifier of 20 characters, where a Map takes three times as much.

import { mostUtf8Bytes } from '../../shared/values/bytes/byte-writer';
import { numberAt } from '../../shared/values/numbers';

/** 120 MB of usual identifiers. */
const MAX_IDENTIFIERS = 3_000_000;

const FIRST_BEYOND_ASCII = 0x80;

export class IdentifierTable {
  /** Place in the columns plus one; 0 marks a free slot. At least half of them are free. */
  private slots = new Uint32Array(2048);
  private hashes = new Uint32Array(1024);
  /** Staged numbers; 0 for an identifier that was removed. */
  private numbers = new Uint32Array(1024);
  private ends = new Uint32Array(1024);
  private texts = Buffer.allocUnsafe(16 * 1024);
  private count = 0;
  /** Rows that follow each other mostly name the same method, variable and site. */
  private last: { readonly id: string; readonly number: number | undefined } | undefined;

  /** Whether no more identifiers are taken: those that are not found may stand elsewhere. */
  get isFull(): boolean {
    return this.count >= MAX_IDENTIFIERS;
  }

  find(id: string): number | undefined {
    if (this.last?.id === id) return this.last.number;
    const index = this.slots[this.slotOf(id, hashOf(id))] ?? 0;
    const number = index === 0 ? 0 : this.numbers[index - 1];
    this.last = { id, number: number === 0 ? undefined : number };
    return this.last.number;
  }

  /** Adds an identifier that is new, or was removed; does nothing when the table is full. */
  add(id: string, number: number): void {
    this.last = undefined;
    if (this.isFull) return;
    if (this.count === this.numbers.length) this.grow();
    const hash = hashOf(id);
    const slot = this.slotOf(id, hash);
    const known = this.slots[slot] ?? 0;
    const index = known === 0 ? this.count++ : known - 1;
    this.numbers[index] = number;
    if (known !== 0) return;
    this.slots[slot] = index + 1;
    this.hashes[index] = hash;
    this.ends[index] = this.addText(id, index === 0 ? 0 : (this.ends[index - 1] ?? 0));
  }

  remove(id: string): void {
    this.last = undefined;
    const index = this.slots[this.slotOf(id, hashOf(id))] ?? 0;
    if (index > 0) this.numbers[index - 1] = 0;
  }

  /** The slot of the identifier, or the free slot where it belongs. */
  private slotOf(id: string, hash: number): number {
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const index = (this.slots[slot] ?? 0) - 1;
      if (index === -1 || (this.hashes[index] === hash && this.isAt(index, id))) return slot;
    }
  }

  private isAt(index: number, id: string): boolean {
    const start = index === 0 ? 0 : numberAt(this.ends, index - 1);
    const end = numberAt(this.ends, index);
    if (end - start < id.length) return false;
    // Most identifiers are ASCII, and are compared without a text for each.
    for (let at = 0; at < id.length; at++) {
      const code = id.charCodeAt(at);
      if (code >= FIRST_BEYOND_ASCII) return this.texts.toString('utf8', start, end) === id;
      if (this.texts[start + at] !== code) return false;
    }
    return end - start === id.length;
  }

  private addText(id: string, start: number): number {
    if (start + mostUtf8Bytes(id) > this.texts.length) {
      const grown = Buffer.allocUnsafe(2 * this.texts.length + mostUtf8Bytes(id));
      this.texts.copy(grown, 0, 0, start);
      this.texts = grown;
    }
    return start + this.texts.write(id, start);
  }

  private grow(): void {
    const length = 2 * this.numbers.length;
    this.hashes = longer(this.hashes, length);
    this.numbers = longer(this.numbers, length);
    this.ends = longer(this.ends, length);
    this.slots = new Uint32Array(2 * length);
    const mask = this.slots.length - 1;
    for (let index = 0; index < this.count; index++) {
      let slot = (this.hashes[index] ?? 0) & mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
      this.slots[slot] = index + 1;
    }
  }
}

function longer(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length);
  grown.set(numbers);
  return grown;
}

/** FNV-1a over UTF-16 units, mixed once more, since neighbouring identifiers differ in their last digits alone. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
