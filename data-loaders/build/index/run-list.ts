// The record numbers of one filter term while a release is indexed, as runs of first and last number: most terms hold for
// whole series, so a list of runs is far shorter than a list of numbers.

export class RunList {
  private runs = new Uint32Array(4);
  private length = 0;

  /** Numbers come in ascending order; the same number again changes nothing. */
  add(number: number): void {
    const last = this.length - 1;
    const end = this.runs[last];
    if (last > 0 && end !== undefined && number <= end + 1) {
      if (number === end + 1) this.runs[last] = number;
      return;
    }
    if (this.length === this.runs.length) {
      const grown = new Uint32Array(this.runs.length * 2);
      grown.set(this.runs);
      this.runs = grown;
    }
    this.runs[this.length] = number;
    this.runs[this.length + 1] = number;
    this.length += 2;
  }

  /** Pairs of first and last number. */
  pairs(): Uint32Array {
    return this.runs.subarray(0, this.length);
  }

  /** How many numbers it holds. */
  size(): number {
    let size = 0;
    for (let index = 0; index < this.length; index += 2)
      size += (this.runs[index + 1] ?? 0) - (this.runs[index] ?? 0) + 1;
    return size;
  }
}
