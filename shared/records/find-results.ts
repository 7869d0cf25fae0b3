// The members of the answer to a search for names (D60).

import {
  listMember,
  type Member,
  objectMember,
  type ObjectValue,
  requiredNumber,
  requiredText,
  text,
  withDescription,
} from './object-definition';

/** The kinds of things that have names, in the order of answers. */
export const NAMED_KINDS = [
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

export type NamedKind = (typeof NAMED_KINDS)[number];

const kind: Member<NamedKind> = { schema: { type: 'string', enum: NAMED_KINDS } };

const countMembers = {
  SiteVariableAmounts: requiredNumber,
  AggregatedAmounts: requiredNumber,
  SiteAllocationAmounts: requiredNumber,
};

const findResultMembers = {
  Kind: withDescription(kind, 'What it is.'),
  OrganizationUUID: withDescription(text, 'Whose it is; null for what is found over all organizations.'),
  Identifier: withDescription(
    text,
    'Universal identifier; `STATE/NAME` of a county, the code of a watershed, a term itself; null for owners.',
  ),
  Name: withDescription(text, 'Its name; null for rights and watersheds, and for what was submitted without one.'),
  State: withDescription(text, 'Two-letter state in which it lies, or of the organization of a right.'),
  County: withDescription(text, 'County in which it lies.'),
  RecordsCounts: withDescription(objectMember(countMembers), 'How many records `Filter` finds with each operation.'),
  Filter: withDescription(requiredText, 'The query string that finds its records with the operations.'),
};

export const findMembers = {
  TotalFoundCount: withDescription(requiredNumber, 'How many are found, over all pages.'),
  Found: withDescription(listMember(objectMember(findResultMembers)), 'The page, best first.'),
};

export type FindResult = ObjectValue<typeof findResultMembers>;

export type RecordsCounts = ObjectValue<typeof countMembers>;

export const ZERO_COUNTS: RecordsCounts = { SiteVariableAmounts: 0, AggregatedAmounts: 0, SiteAllocationAmounts: 0 };
