// Terms of the search index. The loader makes the terms of records and a query makes the terms that it searches for, both
// with these functions.

import { foldText } from '../values/fold-text';
import { type FilterField, filterFields } from './filter-fields';

/** `field:value`, with the value folded as the field compares it (D8). */
export function toFilterTerm(field: FilterField, value: string): string {
  return `${field}:${(filterFields[field].fold ?? foldText)(value)}`;
}

/** The term of one exact spelling, where a release has several spellings that fold alike (D53). */
export function toSpellingTerm(field: FilterField, value: string): string {
  return `=${field}:${value}`;
}

/** The term of all rights that have an identifier in the field. */
export function toPresenceTerm(field: FilterField): string {
  return `?${field}`;
}
