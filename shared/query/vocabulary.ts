// The values of a release, for each field.

import type { FilterField } from './filter-fields';

/** A value in its first spelling, its number of records, and its other spellings if there are any. */
export type VocabularyValue = readonly [value: string, records: number, otherSpellings?: readonly string[]];

/**
 * The `vocabulary` artifact of a release: the values of each field as submitted, sorted by UTF-8 bytes. Identifiers are
 * left out.
 */
export type Vocabulary = Readonly<Partial<Record<FilterField, readonly VocabularyValue[]>>>;
