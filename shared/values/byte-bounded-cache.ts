// A cache bounded by bytes that forgets what was not asked for longest. Keys name immutable things (a release, a data
// version), so nothing in it is ever stale.

export class ByteBoundedCache<Value> {
  private readonly entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): Value | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps insertion order: the most recently used go to the end.
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  /** `bytes` is what the value holds in memory, about. A value larger than the whole bound is not kept. */
  set(key: string, value: Value, bytes: number): void {
    if (bytes > this.maxBytes) return;
    this.delete(key);
    // The key and the entry cost memory too.
    const cost = bytes + key.length * 2 + 100;
    this.entries.set(key, { value, bytes: cost });
    this.bytes += cost;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) break;
      this.delete(oldest);
    }
  }

  private delete(key: string): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.bytes -= entry.bytes;
    this.entries.delete(key);
  }
}
