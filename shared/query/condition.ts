// The condition of a query: a tree of AND, OR and NOT over comparisons, independent of parameter names. The parameters
// of operations and CQL2 are both translated into a condition; search/evaluate.ts finds the matching records, and
// search/places the matching places. Conditions follow three-valued logic (D47). A comparison with a member that the
// record does not have is unknown, and so is its negation. Only records for which the condition is true match.

import type { NumberColumn } from '../records/data-sets';
import type { Day } from '../values/dates';
import { digestContent } from '../values/digest';
import type { Geometry } from '../values/geometry';
import type { FilterField, PlaceField } from './filter-fields';
import { toFilterTerm } from './filter-terms';

export type Condition =
  /** All operands are true. True if there are no operands. */
  | { readonly kind: 'all'; readonly operands: readonly Condition[] }
  /** At least one of the operands is true. False if there are no operands. */
  | { readonly kind: 'any'; readonly operands: readonly Condition[] }
  | { readonly kind: 'not'; readonly operand: Condition }
  /** The record has no value for the member. */
  | { readonly kind: 'missing'; readonly member: ComparedMember }
  | Comparison;

type Comparison =
  /** A value of the field equals one of the terms, which `toFilterTerm` creates. Parameters compare this way (D8). */
  | { readonly kind: 'term'; readonly field: FilterField; readonly terms: readonly string[] }
  /** A value of the member passes the test. */
  | { readonly kind: 'text'; readonly member: TextMember; readonly test: TextTest }
  /** Both ends are included. */
  | { readonly kind: 'number'; readonly member: NumberMember; readonly min?: number; readonly max?: number }
  /** In days since 1970; a time of day is a fraction. Both ends are included. */
  | { readonly kind: 'day'; readonly member: DayMember; readonly min?: number; readonly max?: number }
  /** The effective dates (D7), or the day of publication (D34), are within the period. False for a record without dates. */
  | ({ readonly kind: 'within'; readonly dates: DateRange } & Period)
  /** The effective dates (D7) have a day in common with the period. True for a record without dates. */
  | ({ readonly kind: 'during' } & Period)
  | { readonly kind: 'boundary'; readonly boundary: Boundary }
  /**
   * The boundary is the geometry of a place or the outline of a county (D78). The place is looked up before the search
   * (ADR 0036).
   */
  | { readonly kind: 'boundaryOfPlace'; readonly place: PlaceName }
  /** Each word is a prefix of a word in the name, or in an identifier, of a place or a right (D60). */
  | { readonly kind: 'named'; readonly words: readonly string[] }
  /** No record of the data version is equal in every member (D37). */
  | { readonly kind: 'changedSince'; readonly version: string }
  /** A series of the place has matching amounts in at least this many distinct years (D42). Only for places. */
  | { readonly kind: 'minimumYears'; readonly years: number };

/** The dates that a range compares: the effective dates (D7) or the publication date (D34). */
export type DateRange = 'period' | 'published';

/** The first and last day, both included. If an end is missing, the period is open at that end. */
export interface Period {
  readonly from?: Day;
  readonly to?: Day;
}

export interface Boundary {
  readonly geometry: Geometry;
  /** A digest of the coordinates, for cache keys. */
  readonly digest: string;
}

/** A site, a reporting unit, or a county (written as STATE/NAME). Identifiers are compared as in D8. */
export interface PlaceName {
  readonly field: PlaceField | 'placeCounty';
  readonly id: string;
}

export type ComparedMember = TextMember | NumberMember | DayMember | { readonly kind: 'geometry' };

export type TextMember =
  | { readonly kind: 'field'; readonly field: FilterField }
  | { readonly kind: 'owner' }
  | { readonly kind: 'organization' };

interface NumberMember {
  readonly kind: 'number';
  readonly column: NumberColumn;
}

/** A date as shown in the record (D62): the first or last day of the timeframe or priority, or the publication date. */
export interface DayMember {
  readonly kind: 'firstDay' | 'lastDay' | 'published';
}

/** If `isFolded` is true, values are compared as in D8; otherwise letter case matters (D53). */
export type TextTest = { readonly isFolded: boolean } & (
  | { readonly kind: 'one of'; readonly values: readonly string[] }
  /** The value contains at least one of the strings (D35). */
  | { readonly kind: 'contains'; readonly values: readonly string[] }
  /** `%` matches any string, `_` matches one character, and a backslash makes the next character literal. */
  | { readonly kind: 'like'; readonly pattern: string }
  /** Compares in the order of UTF-8 bytes. */
  | { readonly kind: 'between'; readonly min?: TextBound; readonly max?: TextBound }
);

interface TextBound {
  readonly value: string;
  readonly isIncluded: boolean;
}

/** Maximum number of comparisons in a condition. Each value of a list counts as one comparison. */
export const MAX_COMPARISONS = 100;

/** Maximum nesting depth of a condition. */
export const MAX_DEPTH = 10;

export function countComparisons(condition: Condition): number {
  if (condition.kind === 'all' || condition.kind === 'any') {
    return condition.operands.reduce((sum, operand) => sum + countComparisons(operand), 0);
  }
  if (condition.kind === 'not') return countComparisons(condition.operand);
  const isList = condition.kind === 'text' && condition.test.kind === 'one of';
  return isList ? Math.max(1, condition.test.values.length) : 1;
}

export function measureDepth(condition: Condition): number {
  if (condition.kind === 'all' || condition.kind === 'any')
    return 1 + Math.max(0, ...condition.operands.map(measureDepth));
  return condition.kind === 'not' ? 1 + measureDepth(condition.operand) : 1;
}

/**
 * Builds the canonical form of a condition, used as a cache key. Conditions that differ only in the order or repetition
 * of operands have the same key. Geometries are represented by their digests.
 */
export function buildConditionKey(condition: Condition): string {
  if (condition.kind === 'not') return JSON.stringify(['not', buildConditionKey(condition.operand)]);
  if (condition.kind !== 'all' && condition.kind !== 'any') return JSON.stringify(condition, canonicalMember);
  const keys = flattenOperands(condition.kind, condition.operands).map(buildConditionKey);
  const [first, ...others] = [...new Set(keys)].sort();
  return first !== undefined && others.length === 0 ? first : JSON.stringify([condition.kind, first, ...others]);
}

/** Sorts members by name. Sorts lists and removes duplicates from them. */
function canonicalMember(name: string, value: unknown): unknown {
  if (name === 'geometry') return undefined;
  if (Array.isArray(value)) return [...new Set(value)].sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the operands of the top-level AND of a condition, or else the condition itself. */
export function listConjuncts(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? flattenOperands('all', condition.operands) : [condition];
}

function flattenOperands(kind: 'all' | 'any', conditions: readonly Condition[]): readonly Condition[] {
  return conditions.flatMap((condition) => {
    return condition.kind === kind ? flattenOperands(kind, condition.operands) : [condition];
  });
}

/** Joins conditions with AND. Returns a single condition unchanged. */
export function joinAll(conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions;
  return first !== undefined && others.length === 0 ? first : { kind: 'all', operands: conditions };
}

export const EVERYTHING: Condition = { kind: 'all', operands: [] };

/** Whether the condition is empty, so that all records match. */
export function matchesEverything(condition: Condition): boolean {
  return listConjuncts(condition).length === 0;
}

/** Returns the conjuncts of one kind. */
export function findConjuncts<Kind extends Condition['kind']>(
  condition: Condition,
  kind: Kind,
): readonly Extract<Condition, { readonly kind: Kind }>[] {
  const isOfKind = (one: Condition): one is Extract<Condition, { readonly kind: Kind }> => one.kind === kind;
  return listConjuncts(condition).filter(isOfKind);
}

/** Matches if the field has one of these values, compared as parameters compare them (D8). */
export function buildTermCondition(field: FilterField, values: readonly string[]): Condition {
  return { kind: 'term', field, terms: values.map((value) => toFilterTerm(field, value)) };
}

/** Matches if one of these organizations submitted the release (D34). */
export function buildOrganizationCondition(ids: readonly string[]): Condition {
  return { kind: 'text', member: { kind: 'organization' }, test: { kind: 'one of', isFolded: true, values: ids } };
}

export function toBoundary(geometry: Geometry): Boundary {
  return { geometry, digest: digestContent(JSON.stringify(geometry)) };
}

/** Returns the next greater double, which turns an excluded bound into an included one. */
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
