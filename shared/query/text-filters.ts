// Filters by text: compared as a whole and without regard to case (D8), repeatable (D3). Each names the filter field
// whose terms it asks for. To add one: declare it here, add a new field to filter-terms.ts, and list it in
// operations.ts.

import { failure, success, type Result } from '../values/result';
import { readStateCode, STATE_CODE_SHAPE } from '../values/states';
import type { FilterField } from './filter-terms';
import type { OrganizationFilter, TermFilter } from './parameter';

export const organizationUuid: OrganizationFilter = {
  ...textParameter('OrganizationUUID', 'Organization identifier: only what this organization submitted.', 'UTwr'),
  kind: 'organization',
};

export const siteUuid = termFilter('site', 'SiteUUID', 'Universal site identifier across all states.', 'UTss_S877');

export const siteTypeCv = termFilter('siteType', 'SiteTypeCV', 'Controlled site type.', 'Reservoir');

export const podOrPouSite = termFilter(
  'podOrPou',
  'PODorPOUSite',
  'Whether the site is a point of diversion (POD) or a place of use (POU).',
  'POD',
);

export const waterSourceTypeCv = termFilter(
  'waterSourceType',
  'WaterSourceTypeCV',
  "Type of the record's own water source.",
  'Surface Water',
);

export const allocationUuid = termFilter(
  'allocationUuid',
  'AllocationUUID',
  'Allocation identifier, unique across member states.',
  'COwr_WR0000001',
);

export const allocationNativeId = termFilter(
  'allocationNativeId',
  'AllocationNativeID',
  'Allocation identifier as the submitting organization gives it; another organization may give the same.',
  '0042',
);

export const allocationLegalStatusCv = {
  ...termFilter('legalStatus', 'AllocationLegalStatusCV', 'Legal status of the allocation.', 'Active'),
  // The member of the answer has this name.
  synonyms: ['AllocationLegalStatusCodeCV'],
};

export const reportingUnitUuid = termFilter(
  'reportingUnit',
  'ReportingUnitUUID',
  'Reporting unit identifier, unique across member states.',
  'NMag_RU1',
);

export const reportingUnitTypeCv = termFilter(
  'reportingUnitType',
  'ReportingUnitTypeCV',
  'Reporting unit type, for example HUC, County, Custom.',
  'County',
);

export const variableCv = termFilter(
  'variable',
  'VariableCV',
  'Variable; white space, commas, underscores, hyphens and slashes do not count.',
  'Withdrawal',
);

export const variableSpecificCv = termFilter(
  'variableSpecific',
  'VariableSpecificCV',
  'Specific variable, for aggregated amounts a category and subcategory pair, however the pair is joined.',
  'Aggregated Withdrawal, Irrigation',
);

export const beneficialUseCv = termFilter(
  'use',
  'BeneficialUseCV',
  "Beneficial use category as defined by each state: the record's primary use or any of its uses.",
  'Irrigation',
);

export const usgsCategoryNameCv = termFilter(
  'usgsCategory',
  'USGSCategoryNameCV',
  'National water use category (USGS) of the primary use or of any of the uses.',
  'Public Supply',
);

export const county = termFilter('county', 'County', 'County; a trailing "County" is ignored.', 'Cache');

export const huc8 = hydrologicUnit('huc8', 8, '16010202');

export const huc12 = hydrologicUnit('huc12', 12, '160102020305');

export const state = {
  ...termFilter(
    'state',
    'State',
    'Two-letter state abbreviation: records that an organization of that state submitted, or that lie in it.',
    'UT',
  ),
  limits: { pattern: STATE_CODE_SHAPE.source },
  read: (text: string): Result<string> => {
    const code = readStateCode(text);
    if (code !== undefined) return success(code);
    return failure('must be a two-letter postal abbreviation of a state or territory, such as UT');
  },
};

function termFilter<Field extends FilterField>(
  field: Field,
  name: string,
  meaning: string,
  example: string,
): TermFilter<Field> {
  return { ...textParameter(name, meaning, example), kind: 'term', field };
}

function textParameter(name: string, meaning: string, example: string): Omit<TermFilter, 'kind' | 'field'> {
  return { name, synonyms: [], isRepeatable: true, type: 'string', meaning, example, read: success };
}

function hydrologicUnit<Field extends 'huc8' | 'huc12'>(
  field: Field,
  digits: number,
  example: string,
): TermFilter<Field> {
  const shape = new RegExp(`^\\d{${digits}}$`);
  return {
    ...termFilter(field, field.toUpperCase(), `Hydrologic unit (watershed) of ${digits} digits.`, example),
    limits: { pattern: shape.source },
    read: (text) => (shape.test(text) ? success(text) : failure(`must be exactly ${digits} digits`)),
  };
}
