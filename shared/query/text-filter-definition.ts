// The declaration of one text filter.

import type { DataSetKind } from '../records/data-sets';
import type { Result } from '../values/result';

/**
 * Constraints on a value as JSON Schema. They are for documentation and for tests that generate values; `read` decides
 * which values are accepted.
 */
export interface ValueLimits {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly minLength?: number;
  /** In one letter case, even if any case is accepted. */
  readonly enum?: readonly string[];
}

/**
 * What follows from the kind of a field's values: whether totals group by them (D38), whether facets count them (D41),
 * and whether a misspelled value gets a suggestion (ADR 0038).
 */
export const VALUE_KINDS = {
  text: { isGrouped: true, isFaceted: true, isSuggested: true },
  /** Codes are too short for spelling suggestions. */
  code: { isGrouped: true, isFaceted: true, isSuggested: false },
  /** Identifies a site or a reporting unit. Has no facets, because nearly every record has its own place. */
  placeIdentifier: { isGrouped: true, isFaceted: false, isSuggested: true },
  /** Identifies a single water right (D52). */
  recordIdentifier: { isGrouped: false, isFaceted: false, isSuggested: true },
  /** Identifies a water source: there are tens of thousands, and a right can have several. */
  sourceIdentifier: { isGrouped: false, isFaceted: false, isSuggested: true },
  boolean: { isGrouped: false, isFaceted: false, isSuggested: false },
} as const;

/** A field that records are searched by, with or without a parameter of its own. */
export interface FilterFieldDefinition {
  /**
   * The object that has the value: the place, any of the uses (a record can have several), or the record itself (D42).
   */
  readonly scope: 'place' | 'use' | 'record';
  /** Defaults to `text`. */
  readonly valueKind?: keyof typeof VALUE_KINDS;
  /** Replaces the standard folding of texts before values are compared. */
  readonly fold?: (value: string) => string;
  /** The member of records, places or other lookups that has the values. */
  readonly member?: string;
  /** Other names of the queryable by data set, where a feature has a different property with the parameter's name (D62). */
  readonly queryableNames?: Readonly<Partial<Record<DataSetKind, string>>>;
}

export interface TextFilterDefinition extends FilterFieldDefinition {
  /** Name of the parameter, as documentation and errors spell it. */
  readonly name: string;
  /** Names in the operations that spell it differently; `name` is a synonym there. */
  readonly namesByDataSet?: Readonly<Partial<Record<DataSetKind, string>>>;
  readonly synonyms?: readonly string[];
  /** The data sets whose operations have the filter. */
  readonly dataSets: readonly DataSetKind[];
  /** One sentence for documentation. */
  readonly meaning: string;
  readonly example: string;
  readonly limits?: ValueLimits;
  /** Reads one value. Needed only if some texts are invalid. */
  readonly read?: (text: string) => Result<string>;
  /** A record has at most one value, so the parameter may not be repeated. */
  readonly isSingle?: true;
  /** The reason why the inventory does not list the values. */
  readonly unlistedReason?: string;
  /** The member of tile features that contains the value, and its meaning. */
  readonly tile?: { readonly name: string; readonly meaning: string };
}
