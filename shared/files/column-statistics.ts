// The least and the greatest value of a column, of its pages and of the whole, by which readers skip what they do not
// need.

import type { Statistics } from 'hyparquet';
import { unconvertMinMax } from 'hyparquet-writer/src/unconvert.js';
import { compareUtf8 } from '../values/text';
import type { EncodedCell } from './column-values';
import type { LeafColumn, PhysicalValue } from './parquet-column';

/** Whole identifiers fit, so that a reader that looks for one skips every group without it. */
export const STATISTICS_BYTES = 128;

/** Codes; 0 where there is no value. */
export interface ValueBounds {
  readonly least: number;
  readonly greatest: number;
  readonly nulls: number;
  readonly slots: number;
}

/** A column with the values that codes stand for. */
interface BoundedColumn {
  readonly leaf: LeafColumn;
  readonly dictionary: readonly EncodedCell[];
  readonly physical: readonly PhysicalValue[];
}

export interface PageIndex {
  readonly null_pages: boolean[];
  readonly min_values: Uint8Array[];
  readonly max_values: Uint8Array[];
  readonly boundary_order: 'UNORDERED';
  readonly null_counts: bigint[];
}

/** Each value is compared once. */
export function boundsOf(dictionary: readonly EncodedCell[], codes: Uint32Array): ValueBounds {
  const isSeen = new Uint8Array(dictionary.length + 1);
  let [least, greatest, nulls] = [0, 0, 0];
  for (const code of codes) {
    if (code === 0) nulls++;
    if (isSeen[code] === 1) continue;
    isSeen[code] = 1;
    if (code === 0) continue;
    least = least === 0 || isBefore(dictionary, code, least) ? code : least;
    greatest = greatest === 0 || isBefore(dictionary, greatest, code) ? code : greatest;
  }
  return { least, greatest, nulls, slots: codes.length };
}

export function statisticsOf(column: BoundedColumn, pages: readonly ValueBounds[]): Statistics {
  const nulls = pages.reduce((sum, page) => sum + page.nulls, 0);
  const codes = Uint32Array.from(pages.flatMap(({ least, greatest }) => [least, greatest]));
  const { least, greatest } = boundsOf(column.dictionary, codes);
  const counts = { null_count: BigInt(nulls) };
  // Nobody asks for geometries by the order of their bytes.
  if (least === 0 || isGeometry(column)) return counts;
  return { ...counts, min_value: boundOf(column, least, -0), max_value: boundOf(column, greatest, 0) };
}

export function pageIndexOf(column: BoundedColumn, pages: readonly ValueBounds[]): PageIndex | undefined {
  if (isGeometry(column)) return undefined;
  const bytesOf = (code: number, isMost: boolean): Uint8Array =>
    (code === 0
      ? undefined
      : unconvertMinMax(boundOf(column, code, isMost ? 0 : -0), column.leaf.element, isMost, STATISTICS_BYTES)) ??
    new Uint8Array();
  return {
    null_pages: pages.map(({ nulls, slots }) => nulls === slots),
    min_values: pages.map(({ least }) => bytesOf(least, false)),
    max_values: pages.map(({ greatest }) => bytesOf(greatest, true)),
    boundary_order: 'UNORDERED',
    null_counts: pages.map(({ nulls }) => BigInt(nulls)),
  };
}

function isGeometry({ leaf: { element } }: BoundedColumn): boolean {
  return element.type === 'BYTE_ARRAY' && element.logical_type === undefined;
}

/** The format wants a zero to be negative where it is the least value, and positive where it is the greatest. */
function boundOf({ physical }: BoundedColumn, code: number, zero: number): PhysicalValue {
  const value = physical[code - 1];
  if (value === undefined) throw new RangeError(`no value has the code ${code}`);
  return value === 0 ? zero : value;
}

/** Whether the value of a code comes before that of another. */
function isBefore(dictionary: readonly EncodedCell[], code: number, other: number): boolean {
  const [a, b] = [dictionary[code - 1], dictionary[other - 1]];
  if (typeof a === 'string' && typeof b === 'string') return compareUtf8(a, b) < 0;
  return a !== undefined && b !== undefined && a < b;
}
