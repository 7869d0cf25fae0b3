// What a query asks for, free of parameter names: an AND of ORs of filter terms, time ranges and a boundary (D16).

import { digestNameOf } from '../values/digest';
import type { Geometry } from '../values/geometry';
import type { Day } from '../values/dates';
import { filterTerm, type PlaceField } from './filter-terms';

export interface Criteria {
  /** Each inner list is an OR of filter terms (repeated values, D3); all lists must hold. */
  readonly terms: readonly (readonly string[])[];
  /** Of the effective dates (D7). */
  readonly period: Period;
  /** Of the publication date (D34). */
  readonly published?: Period;
  readonly boundary?: Boundary;
  /** A place whose geometry is the boundary, until it is looked up (ADR 0036). */
  readonly boundaryPlace?: PlaceName;
  /** Folded identifiers of the organizations whose releases are searched; all without it (D34). */
  readonly organizations?: readonly string[];
}

/** A site or a reporting unit. */
export interface PlaceName {
  readonly field: PlaceField;
  /** Compared as D8 says. */
  readonly id: string;
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

/** A geometry may be remembered from one request to the next; what is made of its boundary ends with the request. */
const digests = new WeakMap<Geometry, string>();

export function boundaryOf(geometry: Geometry): Boundary {
  const digest = digests.get(geometry) ?? digestNameOf(JSON.stringify(geometry));
  digests.set(geometry, digest);
  return { geometry, digest };
}

/** Equal criteria have equal keys, whatever the order in which the query named them. */
export function criteriaKey(criteria: Criteria): string {
  const terms = criteria.terms.map((alternatives) => JSON.stringify(distinct(alternatives)));
  const days = [criteria.period, criteria.published ?? {}].flatMap(({ from, to }) => [from ?? null, to ?? null]);
  const { boundaryPlace } = criteria;
  const place = boundaryPlace === undefined ? null : filterTerm(boundaryPlace.field, boundaryPlace.id);
  const organizations = criteria.organizations === undefined ? null : distinct(criteria.organizations);
  return JSON.stringify([distinct(terms), ...days, criteria.boundary?.digest ?? null, place, organizations]);
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
