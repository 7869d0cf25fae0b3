// A CQL2 expression (OGC 21-065) as a tree in the shape of CQL2 JSON. The same filter gives the same tree as text and
// as JSON. Supports the conformance classes basic-cql2, advanced-comparison-operators, case-insensitive-comparison and
// basic-spatial-functions, with more types of geometry.

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

/** Dates and timestamps stay as texts. */
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
 * Parsers refuse deeper filters while they read, so that no filter overflows the stack. QGIS writes several brackets
 * around each of the up to 100 comparisons (D70).
 */
export const MAX_NESTING = 500;

export const TOO_DEEP = `is nested deeper than ${MAX_NESTING} levels`;

/** What to write instead of functions of other services, or of functions that have another form here. */
const REPLACEMENTS: readonly (readonly [names: RegExp, replacement: string])[] = [
  [/^bbox$/i, 'write S_INTERSECTS(geometry, BBOX(west, south, east, north))'],
  [/^(?:s_(?!intersects$)\w+|st_\w+|within|intersects|dwithin|crosses|overlaps|touches)$/i, 'use S_INTERSECTS'],
  [/^(?:casei|upper|lower|ucase|lcase|toupper|tolower)$/i, "write CASEI(PROPERTY) = CASEI('text')"],
  [/^(?:starts_?with|ends_?with|contains|substringof|ilike|match(?:es)?|regexp?)$/i, "write PROPERTY LIKE '%text%'"],
  [/^(?:t_\w+|anyinteracts|before|after|during|date|timestamp|to_?date)$/i, "write PROPERTY >= DATE('2020-01-31')"],
];

/** The problem with a function or an operator that is not supported in this place. */
export function describeUnknownFunction(name: string): string {
  const replacement = REPLACEMENTS.find(([names]) => names.test(name))?.[1];
  if (replacement !== undefined) return `${name} is not supported; ${replacement}`;
  const operators = 'and, or, not, =, <>, <, >, <=, >=, like, between, in, isNull';
  return `${name} is not supported; functions are S_INTERSECTS (with a geometry or BBOX), CASEI, DATE and TIMESTAMP, operators ${operators}`;
}
