// A list of unsigned 32-bit numbers that grows.

export class NumberList {
  /** Longer than the list. */
  all = new Uint32Array(64);
  length = 0;

  add(number: number): void {
    if (this.length === this.all.length) this.grow(this.length + 1);
    this.all[this.length++] = number;
  }

  /** Makes the list longer by `count` numbers, which the caller sets. */
  reserve(count: number): Uint32Array {
    this.length += count;
    if (this.length > this.all.length) this.grow(this.length);
    return this.all;
  }

  numbers(): Uint32Array {
    return this.all.slice(0, this.length);
  }

  private grow(least: number): void {
    const grown = new Uint32Array(Math.max(2 * this.all.length, least));
    grown.set(this.all);
    this.all = grown;
  }
}
