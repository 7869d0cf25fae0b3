// The layouts of answers that list sites (D42) and reporting units (D43), with the series at each place.

import { type AnswerLayout, leadingMembers, type OrganizationPart, type PlaceKind } from './data-sets';
import { reportingUnitMembers, siteMembers } from './lookups';
import { date, listMember, objectMember, requiredCount, requiredText, withDescription } from './object-definition';
import { totaledVariableMembers } from './totals';

/** A series: the amounts of one variable at one place. */
const seriesMembers = {
  VariableSpecificUUID: withDescription(requiredText, 'Identifier of the variable.'),
  ...totaledVariableMembers,
  RecordsCount: withDescription(requiredCount, 'Number of amounts in the series.'),
  YearsCount: withDescription(
    requiredCount,
    "Number of distinct calendar years. An amount's year is the year of its last day; an amount that covers more than 366 days has no year.",
  ),
  FirstDay: withDescription(date, 'First day of the timeframes.'),
  LastDay: withDescription(date, 'Last day of the timeframes.'),
};

const Series = withDescription(
  listMember(objectMember(seriesMembers)),
  'What is measured or reported there: each variable with its amounts, by VariableSpecificUUID.',
);

export const placeLayouts: Readonly<Record<PlaceKind, AnswerLayout>> = {
  Sites: {
    kind: 'Sites',
    countName: 'TotalSitesCount',
    recordMembers: {
      ...siteMembers,
      Series,
      AllocationsCount: withDescription(requiredCount, 'Number of water rights that list the site.'),
    },
    organization: layOutOrganization('Sites'),
  },
  ReportingUnits: {
    kind: 'ReportingUnits',
    countName: 'TotalReportingUnitsCount',
    recordMembers: { ...reportingUnitMembers, Series },
    organization: layOutOrganization('ReportingUnits'),
  },
};

function layOutOrganization(name: PlaceKind): readonly OrganizationPart[] {
  return [
    ...leadingMembers,
    { kind: 'records', name },
    { kind: 'member', name: 'State' },
    { kind: 'member', name: 'OrganizationUUID' },
  ];
}
