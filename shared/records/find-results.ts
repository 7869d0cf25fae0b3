// The members of the answer to a search for names (D60).

import {
  listMember,
  type Member,
  objectMember,
  type ObjectValue,
  requiredCount,
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
  SiteVariableAmounts: withDescription(requiredCount, 'Amounts at sites.'),
  AggregatedAmounts: withDescription(requiredCount, 'Amounts for reporting units.'),
  SiteAllocationAmounts: withDescription(requiredCount, 'Water rights.'),
};

const findResultMembers = {
  Kind: withDescription(kind, 'The kind of result.'),
  OrganizationUUID: withDescription(text, 'The organization; null for results that cover all organizations.'),
  Identifier: withDescription(
    text,
    'Universal identifier; for a county `STATE/NAME`, for a watershed its code, for a term the term itself; null for owners.',
  ),
  Name: withDescription(text, 'Its name; null for rights and watersheds, and if none was submitted.'),
  State: withDescription(text, 'Two-letter abbreviation of its state; for a right, the state of its organization.'),
  County: withDescription(text, 'Its county.'),
  RecordsCounts: withDescription(
    objectMember(countMembers),
    'Number of records that `Filter` matches with each operation.',
  ),
  Filter: withDescription(requiredText, 'The query string that selects its records in the operations.'),
};

export const findMembers = {
  TotalFoundCount: withDescription(requiredCount, 'Number of results on all pages.'),
  Found: withDescription(listMember(objectMember(findResultMembers)), 'The results of this page, best match first.'),
};

export type FindResult = ObjectValue<typeof findResultMembers>;

export type RecordsCounts = ObjectValue<typeof countMembers>;

export const ZERO_COUNTS: RecordsCounts = { SiteVariableAmounts: 0, AggregatedAmounts: 0, SiteAllocationAmounts: 0 };
