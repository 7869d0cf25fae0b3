// What a query asks for, free of parameter names: a tree of AND, OR and NOT over comparisons. The parameters of
// operations and CQL2 are two readers that make it; one evaluation finds its records (search/evaluate.ts), and one its
// places. What is true, false or unknown of a record follows the logic of three values: a comparison with a member that
// the record has not is unknown, so is its negation, and only what is true is found (D47).

import type { NumberColumn } from '../records/data-sets';
import type { Day } from '../values/dates';
import { digestContent } from '../values/digest';
import type { Geometry } from '../values/geometry';
import { toFilterTerm } from './filter-terms';
import type { FilterField, PlaceField } from './filter-fields';

export type Condition =
  /** Each is true; with none, always. */
  | { readonly kind: 'all'; readonly operands: readonly Condition[] }
  /** One is true; with none, never. */
  | { readonly kind: 'any'; readonly operands: readonly Condition[] }
  | { readonly kind: 'not'; readonly operand: Condition }
  /** The record has no value of the member. */
  | { readonly kind: 'missing'; readonly member: ComparedMember }
  | Comparison;

type Comparison =
  /** One at least of the field's values is one of the terms, which `filterTerm` made: as parameters compare (D8). */
  | { readonly kind: 'term'; readonly field: FilterField; readonly terms: readonly string[] }
  /** One at least of the member's values meets the test. */
  | { readonly kind: 'text'; readonly member: TextMember; readonly test: TextTest }
  /** Both ends are included. */
  | { readonly kind: 'number'; readonly member: NumberMember; readonly min?: number; readonly max?: number }
  /** Days since 1970, whole or not: a time of day is a part of a day. Both ends are included. */
  | { readonly kind: 'day'; readonly member: DayMember; readonly min?: number; readonly max?: number }
  /** The effective dates (D7), or the day of publication (D34), lie within the period; a record without does not. */
  | ({ readonly kind: 'within'; readonly dates: DateRange } & Period)
  /** The effective dates (D7) have a day in common with the period, or there are none. */
  | ({ readonly kind: 'during' } & Period)
  | { readonly kind: 'boundary'; readonly boundary: Boundary }
  /** The boundary is the geometry of a place, which is looked up before anything is searched (ADR 0036). */
  | { readonly kind: 'boundaryOfPlace'; readonly place: PlaceName }
  /** Each word begins a word of the name or of an identifier, of a place or a right (D60). */
  | { readonly kind: 'named'; readonly words: readonly string[] }
  /** The record is not, equal in every member, in this data version (D37). */
  | { readonly kind: 'changedSince'; readonly version: string }
  /** A series of the place has amounts that meet all else in so many distinct years (D42); records have no years. */
  | { readonly kind: 'minimumYears'; readonly years: number };

/** Which dates a range goes by: the effective ones (D7) or the publication date (D34). */
export type DateRange = 'period' | 'published';

/** First and last day, both included; missing ends are open. */
export interface Period {
  readonly from?: Day;
  readonly to?: Day;
}

export interface Boundary {
  readonly geometry: Geometry;
  /** Stands for the geometry in cache keys: a digest of its coordinates. */
  readonly digest: string;
}

/** A site or a reporting unit; the identifier is compared as D8 says. */
export interface PlaceName {
  readonly field: PlaceField;
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

/** The first or last date as a record shows it (D62): of its timeframe, or of its priority; or that of publication. */
export interface DayMember {
  readonly kind: 'firstDay' | 'lastDay' | 'published';
}

/** With `isFolded`, the values and those of records are compared as D8 says, else letter case counts (D53). */
export type TextTest = { readonly isFolded: boolean } & (
  | { readonly kind: 'one of'; readonly values: readonly string[] }
  /** One of the texts is a part of the value (D35). */
  | { readonly kind: 'contains'; readonly values: readonly string[] }
  /** `%` stands for any text, `_` for one character, and a backslash stands before one that means itself. */
  | { readonly kind: 'like'; readonly pattern: string }
  /** By UTF-8 bytes. */
  | { readonly kind: 'between'; readonly min?: TextBound; readonly max?: TextBound }
);

interface TextBound {
  readonly value: string;
  readonly isIncluded: boolean;
}

/** How many comparisons a condition may have, each value of a list being one, and how deep they may be nested. */
export const MAX_COMPARISONS = 100;
export const MAX_DEPTH = 10;

export function countComparisons(condition: Condition): number {
  if (condition.kind === 'all' || condition.kind === 'any') {
    return condition.operands.reduce((sum, one) => sum + countComparisons(one), 0);
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
 * The canonical text of a condition, by which caches know it: conditions that differ in the order or the repetition of
 * what they join have the same. The digest of a geometry stands for its thousands of positions.
 */
export function buildConditionKey(condition: Condition): string {
  if (condition.kind === 'not') return JSON.stringify(['not', buildConditionKey(condition.operand)]);
  if (condition.kind !== 'all' && condition.kind !== 'any') return JSON.stringify(condition, canonicalMember);
  const keys = flattenOperands(condition.kind, condition.operands).map(buildConditionKey);
  const [first, ...others] = [...new Set(keys)].sort();
  return first !== undefined && others.length === 0 ? first : JSON.stringify([condition.kind, first, ...others]);
}

/** Members by name, lists as sets of texts. */
function canonicalMember(name: string, value: unknown): unknown {
  if (name === 'geometry') return undefined;
  if (Array.isArray(value)) return [...new Set(value)].sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** What AND joins at the top of a condition; the condition itself where none does. */
export function listConjuncts(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? flattenOperands('all', condition.operands) : [condition];
}

function flattenOperands(kind: 'all' | 'any', conditions: readonly Condition[]): readonly Condition[] {
  return conditions.flatMap((one) => (one.kind === kind ? flattenOperands(kind, one.operands) : [one]));
}

/** The conditions as one; the only one is that one itself. */
export function joinAll(conditions: readonly Condition[]): Condition {
  const [first, ...others] = conditions;
  return first !== undefined && others.length === 0 ? first : { kind: 'all', operands: conditions };
}

export const EVERYTHING: Condition = { kind: 'all', operands: [] };

/** Whether nothing is asked, so that all records meet it. */
export function matchesEverything(condition: Condition): boolean {
  return listConjuncts(condition).length === 0;
}

/** The conjuncts of a kind. */
export function findConjuncts<Kind extends Condition['kind']>(
  condition: Condition,
  kind: Kind,
): readonly Extract<Condition, { readonly kind: Kind }>[] {
  const isOfKind = (one: Condition): one is Extract<Condition, { readonly kind: Kind }> => one.kind === kind;
  return listConjuncts(condition).filter(isOfKind);
}

/** One of the values of the field is one of these, as parameters compare them (D8). */
export function buildTermCondition(field: FilterField, values: readonly string[]): Condition {
  return { kind: 'term', field, terms: values.map((value) => toFilterTerm(field, value)) };
}

/** The release is one of these organizations' (D34). */
export function buildOrganizationCondition(ids: readonly string[]): Condition {
  return { kind: 'text', member: { kind: 'organization' }, test: { kind: 'one of', isFolded: true, values: ids } };
}

export function toBoundary(geometry: Geometry): Boundary {
  return { geometry, digest: digestContent(JSON.stringify(geometry)) };
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
