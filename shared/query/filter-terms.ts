// The terms of the search index. The loader, which indexes records, and queries, which look them up, both create terms
// with these functions.

import { foldText } from '../values/fold-text';
import { type FilterField, filterFields } from './filter-fields';

/** Returns `field:value`, with the value folded in the way in which the field is compared (D8). */
export function toFilterTerm(field: FilterField, value: string): string {
  return `${field}:${(filterFields[field].fold ?? foldText)(value)}`;
}

/** Returns the term of one exact spelling, for releases with several spellings that fold to the same value (D53). */
export function toSpellingTerm(field: FilterField, value: string): string {
  return `=${field}:${value}`;
}

/** Returns the term of all rights that have an identifier in the field. */
export function toPresenceTerm(field: FilterField): string {
  return `?${field}`;
}
