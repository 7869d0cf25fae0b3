// Numbers distinct keys in the order in which they come first: a hash table of typed arrays with open addressing. A
// Map takes some five times as long once keys are no small integers.

/** At most half of the slots are taken, so that searches are short. */
const SLOTS_PER_KEY = 2;

const FIRST_KEYS = 64;

export class NumberTable {
  private found = 0;
  private keys = new Float64Array(FIRST_KEYS);
  /** Numbers plus one, by slot; 0 is a free slot. */
  private slots = new Uint32Array(FIRST_KEYS * SLOTS_PER_KEY);

  get count(): number {
    return this.found;
  }

  keyOf(number: number): number {
    return this.keys[number] ?? NaN;
  }

  /** `key` is an integer from 0 to 2^53 - 1. */
  numberOf(key: number): number {
    const { keys, slots } = this;
    const last = slots.length - 1;
    let slot = hashOf(key) & last;
    for (let number = slots[slot] ?? 0; number !== 0; number = slots[slot] ?? 0) {
      if (keys[number - 1] === key) return number - 1;
      slot = (slot + 1) & last;
    }
    if (this.found === keys.length) {
      this.grow();
      return this.numberOf(key);
    }
    keys[this.found] = key;
    slots[slot] = this.found + 1;
    return this.found++;
  }

  private grow(): void {
    const keys = new Float64Array(2 * this.keys.length);
    keys.set(this.keys);
    const slots = new Uint32Array(keys.length * SLOTS_PER_KEY);
    const last = slots.length - 1;
    for (let number = 0; number < this.found; number++) {
      let slot = hashOf(keys[number] ?? 0) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = number + 1;
    }
    this.keys = keys;
    this.slots = slots;
  }
}

/** Mixes both halves of the key; the constants are those of MurmurHash3. */
function hashOf(key: number): number {
  let hash = Math.imul(key >>> 0, 0x85ebca6b) ^ Math.imul(Math.floor(key / 0x100000000), 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}
