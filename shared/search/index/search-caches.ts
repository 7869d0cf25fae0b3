// The cache of searches: everything that they have read or computed, up to one limit in bytes. The least recently used
// entry is evicted first, whatever its kind, because either the index of two million places or a thousand small results
// may take most of the room. Every key contains a release id or a data version, whose content never changes.

import type { ReleaseReader, Store } from '../../store/port';
import type { CountyOutlines } from '../../values/county-outlines';
import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';

export interface SearchContext {
  readonly store: Store;
  readonly caches: SearchCaches;
  readonly countyOutlines: CountyOutlines;
}

/** A release as searches read it. */
export interface SearchableRelease {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
}

export interface SearchCaches {
  /** Returns the cache for one kind of value. All callers that use a kind must agree on its type. */
  readonly getCache: <Value>(kind: string) => TypedCache<Value>;
  /**
   * Computes a value from an object that never changes, such as a catalog state, once. Keeps it as long as the object
   * lives. All callers that use a kind must agree on its types.
   */
  readonly derive: <Source extends object, Value>(
    kind: string,
    source: Source,
    compute: (source: Source) => Value,
  ) => Value;
}

/** `bytes` limits all kinds together. */
export function createSearchCaches(bytes: number): SearchCaches {
  const cache = new LeastRecentlyUsedCache<unknown>(bytes);
  const derivedByKind = new Map<string, WeakMap<object, unknown>>();
  return {
    getCache: <Value>(kind: string) => new TypedCache<Value>(cache, kind),
    derive: <Source extends object, Value>(kind: string, source: Source, compute: (source: Source) => Value): Value => {
      const derived = derivedByKind.get(kind) ?? new WeakMap<object, unknown>();
      derivedByKind.set(kind, derived);
      if (!derived.has(source)) derived.set(source, compute(source));
      return derived.get(source) as Value; // The value that `compute` returned for this kind.
    },
  };
}

class TypedCache<Value> {
  constructor(
    private readonly cache: LeastRecentlyUsedCache<unknown>,
    private readonly kind: string,
  ) {}

  get(key: string): Value | undefined {
    return this.cache.get(`${this.kind} ${key}`) as Value | undefined; // The value that `set` stored for this kind.
  }

  /** `bytes` is the approximate memory of the value. */
  set(key: string, value: Value, bytes: number): void {
    this.cache.set(`${this.kind} ${key}`, value, bytes);
  }

  async getOrCompute(
    key: string,
    compute: () => Promise<Value>,
    measureBytes: (value: Value) => number,
  ): Promise<Value> {
    const cached = this.get(key);
    if (cached !== undefined) return cached;
    const value = await compute();
    this.set(key, value, measureBytes(value));
    return value;
  }

  /** Computes all values that are not in memory with one call. `missing` lists their indices in `keys`. */
  async getOrComputeAll(
    keys: readonly string[],
    compute: (missing: readonly number[]) => Promise<readonly Value[]>,
    measureBytes: (value: Value) => number,
  ): Promise<readonly Value[]> {
    const values = keys.map((key) => this.get(key));
    const missing = [...values.keys()].filter((index) => values[index] === undefined);
    const computed = missing.length === 0 ? [] : await compute(missing);
    missing.forEach((keyIndex, index) => {
      const value = computed[index];
      if (value === undefined) throw new Error(`nothing was created for ${keys[keyIndex] ?? ''}`);
      values[keyIndex] = value;
      this.set(keys[keyIndex] ?? '', value, measureBytes(value));
    });
    return values.filter((value) => value !== undefined);
  }
}

/** Returns the memory of a cached value that states its own size. */
export function getByteLength({ byteLength }: { readonly byteLength: number }): number {
  return byteLength;
}
