// A cache bounded by bytes that evicts the least recently used entries. Keys name immutable things (a release, a data
// version), so no entry is ever stale.

/** What an entry costs beside its value and its key: the objects that hold it, about. */
const ENTRY_BYTES = 100;

export class LeastRecentlyUsedCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: what was used last goes to the end.
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** `bytes` is about what the value takes in memory. A value larger than the whole bound is not cached. */
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
