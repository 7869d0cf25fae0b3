// Catalog states that a store has read and parsed. States never change, so each is read only once, as long as it fits
// into memory.

import { LeastRecentlyUsedCache } from '../values/least-recently-used-cache';
import type { CatalogEntry, CatalogState } from './catalog-types';

/** Room for 10,000 states of about 200 data sets. With more states, the oldest ones are read again. */
const MAX_BYTES = 32 * 1024 * 1024;

const BYTES_PER_STATE = 300;

/** The memory of a reference, because states share their entries. */
const BYTES_PER_ENTRY = 8;

export class RememberedStates {
  private readonly states: LeastRecentlyUsedCache<CatalogState>;
  /** The entries of the newest added state, which the next state shares. */
  private sharedEntries: ReadonlyMap<string, CatalogEntry> = new Map();

  constructor(maxBytes = MAX_BYTES) {
    this.states = new LeastRecentlyUsedCache(maxBytes);
  }

  /** Undefined if the state was not read, or was dropped because of the limit. */
  get(sequence: number): CatalogState | undefined {
    return this.states.get(String(sequence));
  }

  add(sequence: number, { version, since, cause, entries }: CatalogState): CatalogState {
    const named = entries.map((entry): readonly [string, CatalogEntry] => {
      const name = JSON.stringify(entry);
      return [name, this.sharedEntries.get(name) ?? entry];
    });
    this.sharedEntries = new Map(named);
    const state: CatalogState = { version, entries: named.map(([, entry]) => entry), since, cause };
    this.states.set(String(sequence), state, BYTES_PER_STATE + BYTES_PER_ENTRY * entries.length);
    return state;
  }
}
