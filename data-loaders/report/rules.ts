// The rules by which a row is rejected or warned for (submissions.md, 3 and 4), each with the sentence that a submitter
// reads. The name is what `reasons` counts and what scripts rely on.

interface Rule {
  readonly severity: 'rejected' | 'warned';
  readonly sentence: string;
}

export const rules = {
  'missing-column': rejected('The file lacks a column that every row needs, so none of its rows can be taken.'),
  'cell-count': rejected(
    'The row does not have as many cells as the header; a quote that is not closed may be the cause.',
  ),
  'broken-csv': rejected('The row is not readable as CSV.'),
  'required-empty': rejected('A cell that every row needs is empty.'),
  'required-unreadable': rejected('A cell that every row needs cannot be read.'),
  'unknown-organization': rejected('organizations.csv has no accepted row with this OrganizationUUID.'),
  'unknown-site': rejected('sites.csv has no accepted row with this SiteUUID.'),
  'unknown-reporting-unit': rejected('reportingunits.csv has no accepted row with this ReportingUnitUUID.'),
  'unknown-variable': rejected('variables.csv has no accepted row with this VariableSpecificUUID.'),
  'unknown-method': rejected('methods.csv has no accepted row with this MethodUUID.'),
  'duplicate-identifier': rejected('An earlier row of the file has the same identifier; the first stays.'),
  'duplicate-amount': rejected('An earlier row of the file has the same key; the first stays.'),
  'relation-without-site': rejected('A site of the relation is not in sites.csv.'),
  'duplicate-relation': rejected('An earlier row relates the same sites over the same dates.'),
  'no-identifier': rejected('The row has neither an AllocationUUID nor an AllocationNativeID.'),
  'unreadable-date': warned('The date cannot be read and is left out: write YYYY-MM-DD or M/D/YYYY.'),
  'unreadable-number': warned('The number cannot be read and is left out: write it with a decimal point.'),
  'unreadable-boolean': warned('The value is neither true nor false and is left out: write 1 or 0.'),
  'lost-digits': warned('A spreadsheet has rounded this identifier; it is left out: format the column as text.'),
  'no-point': warned('The coordinates are not a point on Earth, so searches by boundary do not find the site by them.'),
  'unusable-geometry': warned('The geometry is kept as text, but searches by boundary cannot use it.'),
  'unknown-water-source': warned(
    'watersources.csv has no accepted row with this WaterSourceUUID; the reference is left out.',
  ),
  'unknown-site-in-list': warned('sites.csv has no accepted row with this SiteUUID; it is dropped from the list.'),
  'reversed-timeframe': warned('TimeframeStart is after TimeframeEnd; both are kept as submitted.'),
  'without-site': warned('The allocation has no site, so no search by place finds it.'),
  'letter-case': warned('The same term stands elsewhere in another letter case; both are one term for searches.'),
  'other-organization': warned('No amount names this organization, so it is left aside.'),
  'absent-column': warned('The file lacks a column that may be missing; its members are null.'),
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof rules;

function rejected(sentence: string): Rule & { readonly severity: 'rejected' } {
  return { severity: 'rejected', sentence };
}

function warned(sentence: string): Rule & { readonly severity: 'warned' } {
  return { severity: 'warned', sentence };
}
