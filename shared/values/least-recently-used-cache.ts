// A cache bounded by bytes that evicts the least recently used entries. Keys identify immutable things (a release, a
// data version), so no entry is ever stale.

/** The approximate overhead of an entry, in addition to its value and key. */
const ENTRY_BYTES = 100;

export class LeastRecentlyUsedCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion, so the most recently used entry moves to the end.
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** `bytes` is the approximate size of the value in memory. A value larger than the whole cache is not cached. */
  set(key: string, value: Value, bytes: number): void {
    if (bytes > this.maxBytes) return;
    this.delete(key);
    const cost = bytes + key.length * 2 + ENTRY_BYTES;
    this.entries.set(key, { value, bytes: cost });
    this.bytes += cost;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.bytes -= entry.bytes;
    this.entries.delete(key);
  }
}
