// The answer of a search for names (D60).

import {
  described,
  listOf,
  type Member,
  type ObjectOf,
  objectOf,
  requiredNumber,
  requiredText,
  text,
} from './object-definition';

/** The kinds of things that have names, in the order of answers. */
export const FOUND_KINDS = [
  'Site',
  'ReportingUnit',
  'Right',
  'Owner',
  'County',
  'HUC8',
  'HUC12',
  'Use',
  'Variable',
  'Organization',
] as const;

export type FoundKind = (typeof FOUND_KINDS)[number];

const kind: Member<FoundKind> = { schema: { type: 'string', enum: FOUND_KINDS } };

const countMembers = {
  SiteVariableAmounts: requiredNumber,
  AggregatedAmounts: requiredNumber,
  SiteAllocationAmounts: requiredNumber,
};

const foundMembers = {
  Kind: described(kind, 'What it is.'),
  OrganizationUUID: described(text, 'Whose it is; null for what is found over all organizations.'),
  Identifier: described(
    text,
    'Universal identifier; `STATE/NAME` of a county, the code of a watershed, a term itself; null for owners.',
  ),
  Name: described(text, 'Its name; null for rights and watersheds, and for what was submitted without one.'),
  State: described(text, 'Two-letter state in which it lies, or of the organization of a right.'),
  County: described(text, 'County in which it lies.'),
  RecordsCounts: described(objectOf(countMembers), 'How many records `Filter` finds with each operation.'),
  Filter: described(requiredText, 'The query string that finds its records with the operations.'),
};

export const findMembers = {
  TotalFoundCount: described(requiredNumber, 'How many are found, over all pages.'),
  Found: described(listOf(objectOf(foundMembers)), 'The page, best first.'),
};

export type FoundItem = ObjectOf<typeof foundMembers>;

export type RecordsCounts = ObjectOf<typeof countMembers>;

export const NO_COUNTS: RecordsCounts = { SiteVariableAmounts: 0, AggregatedAmounts: 0, SiteAllocationAmounts: 0 };
