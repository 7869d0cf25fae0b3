// The answers of sites (D42) and of reporting units (D43): what a place is, and what there is at it.

import { type AnswerLayout, firstMembers, type OrganizationPart, type PlaceKind } from './data-sets';
import { reportingUnitMembers, siteMembers } from './lookups';
import { date, described, listOf, objectOf, requiredNumber, requiredText } from './object-definition';
import { totalledVariableMembers } from './totals';

/** A series: the amounts of one variable at one place. */
const seriesMembers = {
  VariableSpecificUUID: described(requiredText, 'Identifier of the variable.'),
  ...totalledVariableMembers,
  RecordsCount: described(requiredNumber, 'How many amounts the series has.'),
  YearsCount: described(
    requiredNumber,
    'In how many distinct calendar years; the year of an amount is that of its last day, none if it is about over 366 days.',
  ),
  FirstDay: described(date, 'First day of the timeframes.'),
  LastDay: described(date, 'Last day of the timeframes.'),
};

const Series = described(
  listOf(objectOf(seriesMembers)),
  'What is measured or reported there: each variable with its amounts, by VariableSpecificUUID.',
);

export const placeLayouts: Readonly<Record<PlaceKind, AnswerLayout>> = {
  Sites: {
    kind: 'Sites',
    countName: 'TotalSitesCount',
    recordMembers: {
      ...siteMembers,
      Series,
      AllocationsCount: described(requiredNumber, 'How many water rights name the site.'),
    },
    organization: organizationOf('Sites'),
  },
  ReportingUnits: {
    kind: 'ReportingUnits',
    countName: 'TotalReportingUnitsCount',
    recordMembers: { ...reportingUnitMembers, Series },
    organization: organizationOf('ReportingUnits'),
  },
};

function organizationOf(name: PlaceKind): readonly OrganizationPart[] {
  return [
    ...firstMembers,
    { kind: 'records', name },
    { kind: 'member', name: 'State' },
    { kind: 'member', name: 'OrganizationUUID' },
  ];
}
