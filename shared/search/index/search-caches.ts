// What searches have read or found, in memory within one bound of bytes. The least recently used entry goes first,
// whatever its kind, so that the index of two million places may take most of the room, or a thousand small results.
// Every key names a release, which never changes, or a data version.

import type { ReleaseReader, Store } from '../../store/port';
import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';

export interface SearchContext {
  readonly store: Store;
  readonly caches: SearchCaches;
}

/** A release as searches read it. */
export interface SearchableRelease {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
}

export interface SearchCaches {
  /** The values of one kind; who names the kind says of what type they are. */
  readonly getCache: <Value>(kind: string) => TypedCache<Value>;
}

/** `bytes` bounds all parts together. */
export function createSearchCaches(bytes: number): SearchCaches {
  const cache = new LeastRecentlyUsedCache<unknown>(bytes);
  return { getCache: <Value>(kind: string) => new TypedCache<Value>(cache, kind) };
}

class TypedCache<Value> {
  constructor(
    private readonly cache: LeastRecentlyUsedCache<unknown>,
    private readonly kind: string,
  ) {}

  get(key: string): Value | undefined {
    return this.cache.get(`${this.kind} ${key}`) as Value | undefined; // Only `set` writes under such a key.
  }

  /** `bytes` is about what the value takes in memory. */
  set(key: string, value: Value, bytes: number): void {
    this.cache.set(`${this.kind} ${key}`, value, bytes);
  }

  /** The value of the key, made where it is not in memory. */
  async getOrCompute(key: string, make: () => Promise<Value>, bytesOf: (value: Value) => number): Promise<Value> {
    const known = this.get(key);
    if (known !== undefined) return known;
    const value = await make();
    this.set(key, value, bytesOf(value));
    return value;
  }

  /** The values of the keys; those that are not in memory are made together, by their places among the keys. */
  async getOrComputeAll(
    keys: readonly string[],
    make: (missing: readonly number[]) => Promise<readonly Value[]>,
    bytesOf: (value: Value) => number,
  ): Promise<readonly Value[]> {
    const known = keys.map((key) => this.get(key));
    const missing = [...known.keys()].filter((at) => known[at] === undefined);
    const made = missing.length === 0 ? [] : await make(missing);
    missing.forEach((at, index) => {
      const value = made[index];
      if (value === undefined) throw new Error(`nothing was made for ${keys[at] ?? ''}`);
      known[at] = value;
      this.set(keys[at] ?? '', value, bytesOf(value));
    });
    return known.filter((value) => value !== undefined);
  }
}

/** What bytes and sets say of themselves. */
export function getByteLength({ byteLength }: { readonly byteLength: number }): number {
  return byteLength;
}
