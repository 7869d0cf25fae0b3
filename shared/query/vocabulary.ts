// The values of a release, for each field.

import type { FilterField } from './filter-fields';

/** A value in the spelling that came first, the number of its records, and its other spellings if there are any. */
export type VocabularyValue = readonly [value: string, records: number, otherSpellings?: readonly string[]];

/**
 * The `vocabulary` artifact of a release: the values of each field as submitted, in the order of their UTF-8 bytes.
 * Identifiers are left out.
 */
export type Vocabulary = Readonly<Partial<Record<FilterField, readonly VocabularyValue[]>>>;
