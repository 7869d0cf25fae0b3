// What a query asks for, free of parameter names: an AND of ORs of filter terms, time ranges and a boundary (D16).

import type { Geometry } from '../values/geometry';
import type { Day } from '../values/dates';

export interface Criteria {
  /** Each inner list is an OR of filter terms (repeated values, D3); all lists must hold. */
  readonly terms: readonly (readonly string[])[];
  /** Of the effective dates (D7). */
  readonly period: Period;
  /** Of the publication date (D34). */
  readonly published?: Period;
  readonly boundary?: Boundary;
  /** Folded identifiers of the organizations whose releases are searched; all without it (D34). */
  readonly organizations?: readonly string[];
}

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

export function hasPeriod(period: Period | undefined): period is Period {
  return period?.from !== undefined || period?.to !== undefined;
}

/** Equal criteria have equal keys, whatever the order in which the query named them. */
export function criteriaKey(criteria: Criteria): string {
  const terms = criteria.terms.map((alternatives) => JSON.stringify(distinct(alternatives)));
  const days = [criteria.period, criteria.published ?? {}].flatMap(({ from, to }) => [from ?? null, to ?? null]);
  const organizations = criteria.organizations === undefined ? null : distinct(criteria.organizations);
  return JSON.stringify([distinct(terms), ...days, criteria.boundary?.digest ?? null, organizations]);
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
