// What searches have read or found, in memory within one bound of bytes. The least recently used entry goes first,
// whatever its kind, so that the index of two million places may take most of the room, or a thousand small results.
// Every key names a release, which never changes, or a data version.

import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { BitSet } from '../../values/bytes/bit-set';
import type { NarrowNumbers } from '../../values/bytes/sections';
import type { ReleaseReader, Store } from '../../store/port';
import type { Boundary } from '../../query/condition';
import type { Vocabulary } from '../../query/text-filters';
import type { BoundaryMatcher } from './boundary-matcher';
import type { ColumnDirectory, Ordinals, PeriodColumn, PlaceColumns } from './column-format';
import type { PlaceHashes } from './hashes';
import type { PlaceSeries } from './place-series';
import type { PlaceChunk, PlaceCodes } from './place-index';
import type { OwnerIndex } from './owner-index';
import type { RecordSet, ReleaseChanges } from './record-set';

export type CachePart<Value> = Pick<LeastRecentlyUsedCache<Value>, 'get' | 'set'>;

export interface SearchContext {
  readonly store: Store;
  readonly caches: SearchCaches;
}

/** A release as searches read it. */
export interface Searched {
  readonly reader: ReleaseReader;
  readonly caches: SearchCaches;
}

export interface SearchCaches {
  /** Posting lists, and the records of which conditions are true. */
  readonly records: CachePart<RecordSet>;
  /** The geometries of places that are boundaries, by data version. */
  readonly boundaries: CachePart<Boundary>;
  readonly vocabularies: CachePart<Vocabulary>;
  /** By the names of both releases. */
  readonly changes: CachePart<ReleaseChanges>;
  readonly periods: CachePart<PeriodColumn>;
  readonly owners: CachePart<OwnerIndex>;
  readonly siteDetails: CachePart<BitSet>;
  /** Columns (ADR 0059): what their ordinals mean, chunks of both kinds, and what the places have. */
  readonly directories: CachePart<ColumnDirectory>;
  readonly numbers: CachePart<Float64Array>;
  readonly ordinals: CachePart<Ordinals>;
  readonly placeColumns: CachePart<PlaceColumns>;
  readonly placeNames: CachePart<readonly string[]>;
  readonly placeCodes: CachePart<PlaceCodes>;
  readonly placeRecords: CachePart<NarrowNumbers>;
  readonly placeSeries: CachePart<PlaceSeries>;
  readonly placeHashes: CachePart<PlaceHashes>;
  /** Ranks of the places of which conditions are true. */
  readonly placeSets: CachePart<RecordSet>;
  /** Where the places of rights stand among those of amounts, by the names of both releases. */
  readonly sharedPlaces: CachePart<Uint32Array>;
  /** The boxes of the chunks of places, and the chunks. */
  readonly places: CachePart<Float64Array>;
  readonly placeChunks: CachePart<PlaceChunk>;
  /** A part for what is made of releases elsewhere; who names it says of what. */
  readonly partOf: <Value>(name: string) => CachePart<Value>;
  /** Their memory is counted with the boundaries, and freed with them. */
  readonly matchers: WeakMap<Boundary, BoundaryMatcher>;
}

/** `bytes` bounds all of them together. */
export function createSearchCaches(bytes: number): SearchCaches {
  const cache = new LeastRecentlyUsedCache<unknown>(bytes);
  return {
    records: partOf(cache, 'records'),
    boundaries: partOf(cache, 'boundaries'),
    vocabularies: partOf(cache, 'vocabularies'),
    changes: partOf(cache, 'changes'),
    periods: partOf(cache, 'periods'),
    owners: partOf(cache, 'owners'),
    siteDetails: partOf(cache, 'siteDetails'),
    directories: partOf(cache, 'directories'),
    numbers: partOf(cache, 'numbers'),
    ordinals: partOf(cache, 'ordinals'),
    placeColumns: partOf(cache, 'placeColumns'),
    placeNames: partOf(cache, 'placeNames'),
    placeCodes: partOf(cache, 'placeCodes'),
    placeRecords: partOf(cache, 'placeRecords'),
    placeSeries: partOf(cache, 'placeSeries'),
    placeHashes: partOf(cache, 'placeHashes'),
    placeSets: partOf(cache, 'placeSets'),
    sharedPlaces: partOf(cache, 'sharedPlaces'),
    places: partOf(cache, 'places'),
    placeChunks: partOf(cache, 'placeChunks'),
    partOf: <Value>(name: string) => partOf<Value>(cache, name),
    matchers: new WeakMap(),
  };
}

function partOf<Value>(cache: LeastRecentlyUsedCache<unknown>, name: string): CachePart<Value> {
  return {
    get: (key) => cache.get(`${name} ${key}`) as Value | undefined, // Only `set` below writes under such a key.
    set: (key, value, bytes) => {
      cache.set(`${name} ${key}`, value, bytes);
    },
  };
}
