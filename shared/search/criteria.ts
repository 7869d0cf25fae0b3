// What a query asks for, free of parameter names: an AND of ORs of filter terms, a time range and a boundary (D16).

import type { Geometry } from '../values/geometry';
import type { Day } from '../values/dates';

export interface Criteria {
  /** Each inner list is an OR of filter terms (repeated values, D3); all lists must hold. */
  readonly terms: readonly (readonly string[])[];
  /** First and last day, both included (D7); missing ends are open. */
  readonly period: Period;
  readonly boundary?: Boundary;
}

export interface Period {
  readonly from?: Day;
  readonly to?: Day;
}

export interface Boundary {
  readonly geometry: Geometry;
  /** Stands for the geometry in cache keys: a digest of its coordinates. */
  readonly digest: string;
}

export function hasPeriod(period: Period): boolean {
  return period.from !== undefined || period.to !== undefined;
}

/** Equal criteria have equal keys, whatever the order in which the query named them. */
export function criteriaKey(criteria: Criteria): string {
  const terms = criteria.terms
    .map((alternatives) => [...new Set(alternatives)].sort())
    .map((list) => JSON.stringify(list));
  const { from, to } = criteria.period;
  return JSON.stringify([[...new Set(terms)].sort(), from ?? null, to ?? null, criteria.boundary?.digest ?? null]);
}
