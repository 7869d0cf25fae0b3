// A CQL2 expression (OGC 21-065) as a tree in the shape of CQL2 JSON. A filter gives the same tree whether it is
// written as text or as JSON. Supports the conformance classes basic-cql2, advanced-comparison-operators,
// case-insensitive-comparison and basic-spatial-functions, with additional geometry types.

import type { Geometry } from '../../values/geometry';

export type Expression =
  | boolean
  | { readonly op: 'and' | 'or'; readonly args: readonly Expression[] }
  | { readonly op: 'not'; readonly args: readonly [Expression] }
  | { readonly op: ComparisonOperator | 'like'; readonly args: readonly [Operand, Operand] }
  | { readonly op: 'between'; readonly args: readonly [Operand, Operand, Operand] }
  | { readonly op: 'in'; readonly args: readonly [Operand, readonly Operand[]] }
  | { readonly op: 'isNull'; readonly args: readonly [Operand] }
  | { readonly op: 's_intersects'; readonly args: readonly [SpatialOperand, SpatialOperand] };

export const COMPARISON_OPERATORS = ['=', '<>', '<', '>', '<=', '>='] as const;

export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

export interface PropertyName {
  readonly property: string;
}

/** Dates and timestamps remain strings. */
export type Operand =
  | PropertyName
  | string
  | number
  | boolean
  | { readonly date: string }
  | { readonly timestamp: string }
  | { readonly op: 'casei'; readonly args: readonly [Operand] };

export type SpatialOperand = PropertyName | Geometry | { readonly bbox: readonly number[] };

/**
 * Parsers reject deeper filters while reading them, so that no filter overflows the stack. QGIS writes several brackets
 * around each of up to 100 comparisons (D70).
 */
export const MAX_NESTING = 500;

export const TOO_DEEP = `is nested deeper than ${MAX_NESTING} levels`;

/** What to write instead of functions that other services have, or that are written differently here. */
const REPLACEMENTS: readonly (readonly [names: RegExp, replacement: string])[] = [
  [/^bbox$/i, 'write S_INTERSECTS(geometry, BBOX(west, south, east, north))'],
  [/^(?:s_(?!intersects$)\w+|st_\w+|within|intersects|dwithin|crosses|overlaps|touches)$/i, 'use S_INTERSECTS'],
  [/^(?:casei|upper|lower|ucase|lcase|toupper|tolower)$/i, "write CASEI(PROPERTY) = CASEI('text')"],
  [/^(?:starts_?with|ends_?with|contains|substringof|ilike|match(?:es)?|regexp?)$/i, "write PROPERTY LIKE '%text%'"],
  [/^(?:t_\w+|anyinteracts|before|after|during|date|timestamp|to_?date)$/i, "write PROPERTY >= DATE('2020-01-31')"],
];

/** Describes the use of a function or operator that is not supported at this point in a filter. */
export function describeUnknownFunction(name: string): string {
  const replacement = REPLACEMENTS.find(([names]) => names.test(name))?.[1];
  if (replacement !== undefined) return `${name} is not supported; ${replacement}`;
  const operators = 'and, or, not, =, <>, <, >, <=, >=, like, between, in, isNull';
  return `${name} is not supported; functions are S_INTERSECTS (with a geometry or BBOX), CASEI, DATE and TIMESTAMP, operators ${operators}`;
}
