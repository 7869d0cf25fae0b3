// The declaration of one text filter.

import type { DataSetKind } from '../records/data-sets';
import type { Result } from '../values/result';

/**
 * JSON Schema constraints on a value, for documentation and for tests that generate values. `read` decides which values
 * are accepted.
 */
export interface ValueLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  /** The allowed values, each in one spelling, even if letter case is ignored. */
  readonly enum?: readonly string[];
}

/**
 * Kinds of field values. The kind determines whether totals group by the field (D38), whether facets count its values
 * (D41), and whether a misspelled value gets a suggestion (ADR 0038).
 */
export const VALUE_KINDS = {
  text: { isGrouped: true, isFaceted: true, isSuggested: true },
  /** Codes are too short for spelling suggestions. */
  code: { isGrouped: true, isFaceted: true, isSuggested: false },
  /** Identifies a site or a reporting unit. Has no facets, because there are nearly as many values as records. */
  placeIdentifier: { isGrouped: true, isFaceted: false, isSuggested: true },
  /** Identifies a single water right (D52). */
  recordIdentifier: { isGrouped: false, isFaceted: false, isSuggested: true },
  /**
   * Identifies a water source. Has no groups or facets, because there are tens of thousands, and a right can have
   * several.
   */
  sourceIdentifier: { isGrouped: false, isFaceted: false, isSuggested: true },
  boolean: { isGrouped: false, isFaceted: false, isSuggested: false },
} as const;

/** A field that records are searched by, whether or not it is also a parameter. */
export interface FilterFieldDefinition {
  /** What the value describes: the place, one of the uses (a record can have several), or the record itself (D42). */
  readonly scope: 'place' | 'use' | 'record';
  /** Defaults to `text`. */
  readonly valueKind?: keyof typeof VALUE_KINDS;
  /** Replaces the standard folding of values before they are compared. */
  readonly fold?: (value: string) => string;
  /** The member of records, places or other lookups that contains the values. */
  readonly member?: string;
  /**
   * Other names for the queryable, by data set, where features have a different property with the name of the parameter
   * (D62).
   */
  readonly queryableNames?: Readonly<Partial<Record<DataSetKind, string>>>;
}

export interface TextFilterDefinition extends FilterFieldDefinition {
  /** The name of the parameter, as spelled in documentation and errors. */
  readonly name: string;
  /** Names in operations that spell the parameter differently; `name` is a synonym there. */
  readonly namesByDataSet?: Readonly<Partial<Record<DataSetKind, string>>>;
  readonly synonyms?: readonly string[];
  /** The data sets whose operations have the filter. */
  readonly dataSets: readonly DataSetKind[];
  /** One sentence for documentation. */
  readonly meaning: string;
  readonly example: string;
  readonly limits?: ValueLimits;
  /** Reads one value. Needed only if some strings are invalid. */
  readonly read?: (text: string) => Result<string>;
  /** Set if a record has at most one value. The parameter may then not be repeated. */
  readonly isSingle?: true;
  /** Why the inventory does not list the values. */
  readonly unlistedReason?: string;
  /** The member of tile features that contains the value, and what it means. */
  readonly tile?: { readonly name: string; readonly meaning: string };
}
