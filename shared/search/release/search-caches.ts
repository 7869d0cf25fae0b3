// What searches have read or found, in memory within one bound of bytes. The least recently used entry goes first,
// whatever its kind, so that the index of two million places may take most of the room, or a thousand small results.
// Every key names a release, which never changes, or a data version.

import { LeastRecentlyUsedCache } from '../../values/least-recently-used-cache';
import type { BitSet } from '../../values/bytes/bit-set';
import type { NarrowNumbers } from '../../values/bytes/sections';
import type { Store } from '../../store/port';
import type { Boundary } from '../../query/criteria';
import type { Vocabulary } from '../../query/filter-terms';
import type { BoundaryMatcher } from '../boundary/boundary-matcher';
import type { ColumnClasses } from '../columns/column-classes';
import type { ColumnDirectory, Ordinals, PlaceColumns } from '../columns/column-format';
import type { PlaceHashes } from '../columns/place-hashes';
import type { PlaceSeries } from '../columns/place-series';
import type { PlaceCodes } from '../columns/place-codes';
import type { OwnerIndex } from '../index/owner-index';
import type { PeriodColumn } from '../index/period-column';
import type { PlaceChunk } from '../index/place-index';
import type { ReleasePoints } from '../points/point-columns';
import type { UnitShapes } from '../points/unit-shapes';
import type { RecordSet, ReleaseChanges } from '../index/record-set';

export type CachePart<Value> = Pick<LeastRecentlyUsedCache<Value>, 'get' | 'set'>;

export interface SearchContext {
  readonly store: Store;
  readonly caches: SearchCaches;
}

export interface SearchCaches {
  /** Posting lists, and the records that criteria and boundaries were resolved to. */
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
  /** The points of maps, by what they are of. */
  readonly points: CachePart<ReleasePoints>;
  /** How names by which totals are grouped divide a release. */
  readonly classes: CachePart<ColumnClasses>;
  /** Ranks of the places that criteria, and parts of them, were resolved to. */
  readonly placeSets: CachePart<RecordSet>;
  /** Where the places of rights stand among those of amounts, by the names of both releases. */
  readonly sharedPlaces: CachePart<Uint32Array>;
  /** The numbers of terms in the vocabulary, by field. */
  readonly termNumbers: CachePart<ReadonlyMap<string, number>>;
  readonly unitShapes: CachePart<UnitShapes>;
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
    points: partOf(cache, 'points'),
    classes: partOf(cache, 'classes'),
    placeSets: partOf(cache, 'placeSets'),
    sharedPlaces: partOf(cache, 'sharedPlaces'),
    termNumbers: partOf(cache, 'termNumbers'),
    unitShapes: partOf(cache, 'unitShapes'),
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
