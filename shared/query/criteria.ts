// What a query asks for, free of parameter names: an AND of ORs of filter terms, time ranges, a boundary (D16) and a
// condition (D47).

import type { NumberColumn } from '../records/data-sets';
import type { Day } from '../values/dates';
import { digestNameOf } from '../values/digest';
import type { Geometry } from '../values/geometry';
import { conditionKey, type Condition } from './condition';
import { filterTerm, type FilterField, type PlaceField } from './filter-terms';

export interface Criteria {
  /** Each inner list is an OR of filter terms (repeated values, D3); all lists must hold. */
  readonly terms: readonly (readonly string[])[];
  /** The range of the effective dates (D7). */
  readonly period: Period;
  /** The range of the publication date (D34). */
  readonly published?: Period;
  readonly boundary?: Boundary;
  /** A place whose geometry is the boundary, until the search has looked it up (ADR 0036). */
  readonly boundaryPlace?: PlaceName;
  /** Only records that are not, equal in every member, in this data version (D37). */
  readonly changedSince?: string;
  /** Folded identifiers of the organizations whose releases are searched; without it, all are (D34). */
  readonly organizations?: readonly string[];
  /** Folded texts; the owner of a right must contain one of them (D35). */
  readonly owners?: readonly string[];
  /** Each column once, in the order of the operation's parameters. */
  readonly numbers?: readonly NumberRange[];
  /** What else must be true of a record (D47). */
  readonly condition?: Condition;
  /** In how many distinct years a series of a place must have amounts (D42); searches of records do not see it. */
  readonly minimumYears?: number;
}

/** Both ends included, at least one of them given; a record without the number is not within (D35). */
export interface NumberRange {
  readonly column: NumberColumn;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A site or a reporting unit; the identifier is compared as D8 says. */
export interface PlaceName {
  readonly field: PlaceField;
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

/** What the boundary of a request is: a geometry, the geometry of a place, or the places with a term (ADR 0036). */
export type RequestedBoundary =
  | { readonly kind: 'geometry'; readonly boundary: Boundary }
  | { readonly kind: 'place'; readonly place: PlaceName }
  | { readonly kind: 'term'; readonly field: FilterField; readonly value: string };

export function hasPeriod(period: Period | undefined): period is Period {
  return period?.from !== undefined || period?.to !== undefined;
}

export function boundaryOf(geometry: Geometry): Boundary {
  return { geometry, digest: digestNameOf(JSON.stringify(geometry)) };
}

/** Equal criteria have equal keys, whatever the order in which the query named them. */
export function criteriaKey(criteria: Criteria): string {
  const terms = criteria.terms.map((alternatives) => JSON.stringify(sortedUnique(alternatives)));
  const days = [criteria.period, criteria.published ?? {}].flatMap(({ from, to }) => [from, to]);
  const { boundary, boundaryPlace, organizations, owners, numbers, changedSince, condition, minimumYears } = criteria;
  const place = boundaryPlace && filterTerm(boundaryPlace.field, boundaryPlace.id);
  // JSON has null for what is undefined.
  return JSON.stringify([
    sortedUnique(terms),
    ...days,
    boundary?.digest,
    place,
    organizations && sortedUnique(organizations),
    owners && sortedUnique(owners),
    numbers?.map(({ column, minimum, maximum }) => [column, minimum, maximum]),
    changedSince,
    // Without them the key is as it always was.
    ...(condition === undefined ? [] : [conditionKey(condition)]),
    ...(minimumYears === undefined ? [] : [minimumYears]),
  ]);
}

function sortedUnique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
