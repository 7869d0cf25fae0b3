// A condition on records beyond the AND of terms: NOT, OR over different members, patterns and intervals (D47). What is
// true, false or unknown of a record follows the logic of three values: a comparison with a member that the record
// has not is unknown, so is its negation, and only what is true is found.

import type { NumberColumn } from '../records/data-sets';
import type { Day } from '../values/dates';
import type { Geometry } from '../values/geometry';
import type { FilterField } from './filter-terms';

export type Condition =
  /** Each is true; with none, always. */
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  /** One is true; with none, never. */
  | { readonly kind: 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  /** The record has no value of the member. */
  | { readonly kind: 'missing'; readonly member: ComparedMember }
  | MemberComparison;

export type MemberComparison =
  /** One at least of the member's values meets the test. */
  | { readonly kind: 'text'; readonly member: TextMember; readonly test: TextTest }
  /** Both ends are included. */
  | { readonly kind: 'number'; readonly member: NumberMember; readonly least?: number; readonly most?: number }
  /** Days since 1970, whole or not: a time of day is a part of a day. Both ends are included. */
  | { readonly kind: 'day'; readonly member: DayMember; readonly least?: number; readonly most?: number }
  /** The effective dates (D7) have a day in common with the period, or there are none. */
  | { readonly kind: 'during'; readonly from?: Day; readonly to?: Day }
  | { readonly kind: 'boundary'; readonly boundary: { readonly geometry: Geometry; readonly digest: string } };

export type ComparedMember = TextMember | NumberMember | DayMember | { readonly kind: 'geometry' };

export type TextMember =
  | { readonly kind: 'field'; readonly field: FilterField }
  | { readonly kind: 'owner' }
  | { readonly kind: 'organization' };

export interface NumberMember {
  readonly kind: 'number';
  readonly column: NumberColumn;
}

/** The first or last date as a record shows it (D62): of its timeframe, or of its priority; or that of publication. */
export interface DayMember {
  readonly kind: 'firstDay' | 'lastDay' | 'published';
}

/** With `isFolded`, the values and those of records are compared as D8 says, else letter case counts (D53). */
export type TextTest = { readonly isFolded: boolean } & (
  | { readonly kind: 'one of'; readonly values: readonly string[] }
  /** `%` stands for any text, `_` for one character, and a backslash stands before one that means itself. */
  | { readonly kind: 'like'; readonly pattern: string }
  /** By UTF-8 bytes. */
  | { readonly kind: 'between'; readonly least?: TextEnd; readonly most?: TextEnd }
);

export interface TextEnd {
  readonly value: string;
  readonly isIncluded: boolean;
}

/** How many comparisons a condition may have, each value of a list being one, and how deep they may be nested. */
export const MAX_COMPARISONS = 100;
export const MAX_DEPTH = 10;

export function comparisonsIn(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.reduce((sum, one) => sum + comparisonsIn(one), 0);
    case 'not':
      return comparisonsIn(condition.of);
    case 'text':
      return condition.test.kind === 'one of' ? Math.max(1, condition.test.values.length) : 1;
    case 'missing':
    case 'number':
    case 'day':
    case 'during':
    case 'boundary':
      return 1;
  }
}

export function depthOf(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return 1 + Math.max(0, ...condition.of.map(depthOf));
    case 'not':
      return 1 + depthOf(condition.of);
    case 'missing':
    case 'text':
    case 'number':
    case 'day':
    case 'during':
    case 'boundary':
      return 1;
  }
}

/** Stands for the condition in cache keys. A geometry may have thousands of positions; its digest stands beside it. */
export function conditionKey(condition: Condition): string {
  return JSON.stringify(condition, (name, value: unknown) => (name === 'geometry' ? undefined : value));
}

/** The conditions as one; the only one is that one itself. */
export function allOf(conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions;
  return first !== undefined && others.length === 0 ? first : { kind: 'all', of: conditions };
}

/** The least number that is greater: with it, an end that is left out is one that is included. */
export function nextAbove(number: number): number {
  if (!Number.isFinite(number)) return number;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number === 0 ? 0 : number);
  view.setBigInt64(0, view.getBigInt64(0) + (number < 0 ? -1n : 1n));
  return view.getFloat64(0);
}

export function nextBelow(number: number): number {
  return -nextAbove(-number);
}
