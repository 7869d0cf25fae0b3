// The events of a release build, for observers such as the comparison with the previous release.

import type { Box } from '../../shared/values/geometry';
import { type Point } from '../../shared/values/site-point';
import type { CommonAmountRow } from '../format/amount-definitions';
import { type IndexedRecord } from './index-writer';

/** A place that records refer to. */
export interface ObservedPlace {
  readonly id: string;
  /** The place's point, or else the box around its geometry; undefined without either. */
  readonly box: Box | undefined;
  /** The place's point; undefined without valid coordinates. */
  readonly point: Point | undefined;
  /** The cells of the place's row. Null for empty cells and for reporting units. */
  readonly coordinates: readonly [longitude: string | null, latitude: string | null];
  /** Whether the row has a geometry text, and whether the geometry is usable. */
  readonly geometry: 'none' | 'usable' | 'unusable';
  /** The number of the place's relations to other sites, as a point of diversion or as a place of use. */
  readonly relations: number;
}

/** A built record. */
export interface ObservedRecord extends Pick<IndexedRecord, 'variable' | 'uses' | 'measures' | 'period' | 'places'> {
  /** The result of `keyFingerprint` for the record's key. */
  readonly key: number;
  /** The record's JSON text in UTF-8. */
  readonly json: Uint8Array;
  /** The row from which the record was built. */
  readonly row: CommonAmountRow;
  /** The result of `contentFingerprint` for `json`. */
  readonly fingerprint: number;
  /** Whether the timeframe starts after it ends; undefined without both dates. */
  readonly isReversed: boolean | undefined;
}

/** Is notified while a release is built, for example to compare the release with the previous one. */
export interface ReleaseObserver {
  addPlace(place: ObservedPlace): void;
  /** Called in record order. */
  addRecord(record: ObservedRecord): void;
  /** Called for the key of a previous record that a merge deletes. */
  addDeletion(key: number): void;
}
