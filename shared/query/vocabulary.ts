// The values that a release has of each filter field: for hints and for the inventory.

import type { FilterField } from './filter-terms';

/** The `vocabulary` artifact: for each field its values by UTF-8 bytes, as submitted, with how many records have each. No identifiers. */
export type Vocabulary = Readonly<Partial<Record<FilterField, readonly (readonly [value: string, records: number])[]>>>;
