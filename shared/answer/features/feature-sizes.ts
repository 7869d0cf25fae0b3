// How much memory features take, by what those before them took: an answer that is sent from where its features were
// written should leave little of that memory idle, and memory that is too small is written twice (ADR 0146).

/** For each byte of the texts that they are made of, where none were made before: more than amounts take. */
const FIRST_RATIO = 3;

/** Pages of one collection differ by some hundredths. */
const MARGIN = 1.04;

/** By page, so that one page with long features does not count for ever. */
const FORGETTING = 0.99;

/** Fewer bytes say little of others. */
const LEAST_BYTES = 64 * 1024;

export class FeatureSizes {
  /** The most that recent features of a name took for each byte of their texts. */
  private readonly ratios = new Map<string, number>();

  /** The bytes that features of texts of so many bytes will take, rather more than less. */
  expected(name: string, bytes: number): number {
    return Math.ceil(MARGIN * bytes * (this.ratios.get(name) ?? FIRST_RATIO)) + 1024;
  }

  /** Hears how many bytes they took. */
  became(name: string, bytes: number, written: number): void {
    if (bytes < LEAST_BYTES) return;
    this.ratios.set(name, Math.max(written / bytes, FORGETTING * (this.ratios.get(name) ?? 0)));
  }
}
