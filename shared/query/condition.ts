// The condition of a query: a tree of AND, OR and NOT over comparisons, without names of parameters. The parameters of
// operations and CQL2 are both translated into it; search/evaluate.ts finds its records, and search/places its places.
//
// Conditions follow three-valued logic (D47). A comparison with a member that the record does not have is unknown, and
// so is its negation. Only records for which the condition is true match.

import type { NumberColumn } from '../records/data-sets';
import type { Day } from '../values/dates';
import { digestContent } from '../values/digest';
import type { Geometry } from '../values/geometry';
import type { FilterField, PlaceField } from './filter-fields';
import { toFilterTerm } from './filter-terms';

export type Condition =
  /** All operands are true. True without operands. */
  | { readonly kind: 'all'; readonly operands: readonly Condition[] }
  /** At least one operand is true. False without operands. */
  | { readonly kind: 'any'; readonly operands: readonly Condition[] }
  | { readonly kind: 'not'; readonly operand: Condition }
  /** The record has no value of the member. */
  | { readonly kind: 'missing'; readonly member: ComparedMember }
  | Comparison;

type Comparison =
  /** A value of the field has one of the terms, which `toFilterTerm` makes. Parameters compare this way (D8). */
  | { readonly kind: 'term'; readonly field: FilterField; readonly terms: readonly string[] }
  /** A value of the member passes the test. */
  | { readonly kind: 'text'; readonly member: TextMember; readonly test: TextTest }
  /** Both ends are included. */
  | { readonly kind: 'number'; readonly member: NumberMember; readonly min?: number; readonly max?: number }
  /** Days since 1970; a time of day is a fraction. Both ends are included. */
  | { readonly kind: 'day'; readonly member: DayMember; readonly min?: number; readonly max?: number }
  /** The effective dates (D7), or the day of publication (D34), are within the period. False for a record without dates. */
  | ({ readonly kind: 'within'; readonly dates: DateRange } & Period)
  /** The effective dates (D7) have a day in common with the period. True for a record without dates. */
  | ({ readonly kind: 'during' } & Period)
  | { readonly kind: 'boundary'; readonly boundary: Boundary }
  /** The geometry of a place or the outline of a county (D78). The place is looked up before the search (ADR 0036). */
  | { readonly kind: 'boundaryOfPlace'; readonly place: PlaceName }
  /** Each word is the beginning of a word in the name or an identifier of a place or a right (D60). */
  | { readonly kind: 'named'; readonly words: readonly string[] }
  /** The data version has no record that is equal in every member (D37). */
  | { readonly kind: 'changedSince'; readonly version: string }
  /** A series of the place has matching amounts in this many distinct years (D42). Only for places. */
  | { readonly kind: 'minimumYears'; readonly years: number };

/** The dates that a range compares: the effective dates (D7) or the publication date (D34). */
export type DateRange = 'period' | 'published';

/** First and last day, both included. A missing end is open. */
export interface Period {
  readonly from?: Day;
  readonly to?: Day;
}

export interface Boundary {
  readonly geometry: Geometry;
  /** A digest of the coordinates, for cache keys. */
  readonly digest: string;
}

/** A site, a reporting unit, or a county as STATE/NAME. Identifiers are compared as D8 says. */
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

/** A date as the record shows it (D62): the first or last day of the timeframe or priority, or the publication date. */
export interface DayMember {
  readonly kind: 'firstDay' | 'lastDay' | 'published';
}

/** With `isFolded`, values are compared as D8 says; otherwise letter case counts (D53). */
export type TextTest = { readonly isFolded: boolean } & (
  | { readonly kind: 'one of'; readonly values: readonly string[] }
  /** The value contains one of the texts (D35). */
  | { readonly kind: 'contains'; readonly values: readonly string[] }
  /** `%` matches any text, `_` matches one character, and a backslash makes the next character literal. */
  | { readonly kind: 'like'; readonly pattern: string }
  /** Compares in the order of UTF-8 bytes. */
  | { readonly kind: 'between'; readonly min?: TextBound; readonly max?: TextBound }
);

interface TextBound {
  readonly value: string;
  readonly isIncluded: boolean;
}

/** Maximum comparisons of a condition. Each value of a list counts as one. */
export const MAX_COMPARISONS = 100;

/** Maximum nesting of a condition. */
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
 * The canonical text of a condition, used as a cache key. Conditions that differ only in the order or the repetition of
 * their operands have the same key. The digest of a geometry replaces its positions.
 */
export function buildConditionKey(condition: Condition): string {
  if (condition.kind === 'not') return JSON.stringify(['not', buildConditionKey(condition.operand)]);
  if (condition.kind !== 'all' && condition.kind !== 'any') return JSON.stringify(condition, canonicalMember);
  const keys = flattenOperands(condition.kind, condition.operands).map(buildConditionKey);
  const [first, ...others] = [...new Set(keys)].sort();
  return first !== undefined && others.length === 0 ? first : JSON.stringify([condition.kind, first, ...others]);
}

/** Sorts members by name; sorts lists and removes repeated values. */
function canonicalMember(name: string, value: unknown): unknown {
  if (name === 'geometry') return undefined;
  if (Array.isArray(value)) return [...new Set(value)].sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The operands of the AND at the top of a condition, or the condition itself. */
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

/** The conjuncts of one kind. */
export function findConjuncts<Kind extends Condition['kind']>(
  condition: Condition,
  kind: Kind,
): readonly Extract<Condition, { readonly kind: Kind }>[] {
  const isOfKind = (one: Condition): one is Extract<Condition, { readonly kind: Kind }> => one.kind === kind;
  return listConjuncts(condition).filter(isOfKind);
}

/** Matches if a value of the field is one of these, compared as parameters compare (D8). */
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

/** The next greater double. It turns an excluded bound into an included one. */
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
