// Filters by text: compared as a whole and without regard to case (D8), repeatable (D3).

import { readStateCode, STATE_CODE_SHAPE } from '../values/states';
import { failure, success, type Result } from '../values/result';
import type { Parameter } from './parameter';

type TextFilter = Parameter<string>;

export const organizationUuid = textFilter(
  'OrganizationUUID',
  'Organization identifier: only what this organization submitted.',
  'UTwr',
);

export const siteUuid = textFilter('SiteUUID', 'Universal site identifier across all states.', 'UTss_S877');

export const siteTypeCv = textFilter('SiteTypeCV', 'Controlled site type.', 'Reservoir');

export const podOrPouSite = textFilter(
  'PODorPOUSite',
  'Whether the site is a point of diversion (POD) or a place of use (POU).',
  'POD',
);

export const waterSourceTypeCv = textFilter(
  'WaterSourceTypeCV',
  "Type of the record's own water source.",
  'Surface Water',
);

export const allocationUuid = textFilter(
  'AllocationUUID',
  'Allocation identifier, unique across member states.',
  'COwr_WR0000001',
);

export const allocationNativeId = textFilter(
  'AllocationNativeID',
  'Allocation identifier as the submitting organization gives it; another organization may give the same.',
  '0042',
);

export const allocationLegalStatusCv: TextFilter = {
  ...textFilter('AllocationLegalStatusCV', 'Legal status of the allocation.', 'Active'),
  // The answer's member has this name.
  synonyms: ['AllocationLegalStatusCodeCV'],
};

export const reportingUnitUuid = textFilter(
  'ReportingUnitUUID',
  'Reporting unit identifier, unique across member states.',
  'NMag_RU1',
);

export const reportingUnitTypeCv = textFilter(
  'ReportingUnitTypeCV',
  'Reporting unit type, for example HUC, County, Custom.',
  'County',
);

export const variableCv = textFilter(
  'VariableCV',
  'Variable; white space, commas, underscores, hyphens and slashes do not count.',
  'Withdrawal',
);

export const variableSpecificCv = textFilter(
  'VariableSpecificCV',
  'Specific variable, for aggregated amounts a category and subcategory pair, however the pair is joined.',
  'Aggregated Withdrawal, Irrigation',
);

export const beneficialUseCv = textFilter(
  'BeneficialUseCV',
  "Beneficial use category as defined by each state: the record's primary use or any of its uses.",
  'Irrigation',
);

export const usgsCategoryNameCv = textFilter(
  'USGSCategoryNameCV',
  'National water use category (USGS) of the primary use or of any of the uses.',
  'Public Supply',
);

export const county = textFilter('County', 'County; a trailing "County" is ignored.', 'Cache');

export const huc8 = hydrologicUnit('HUC8', 8, '16010202');

export const huc12 = hydrologicUnit('HUC12', 12, '160102020305');

export const state: TextFilter = {
  ...textFilter(
    'State',
    'Two-letter state abbreviation: records that an organization of that state submitted, or that lie in it.',
    'UT',
  ),
  limits: { pattern: STATE_CODE_SHAPE.source },
  read: (text) => {
    const code = readStateCode(text);
    if (code !== undefined) return success(code);
    return failure('must be a two-letter postal abbreviation of a state or territory, such as UT');
  },
};

function textFilter(name: string, meaning: string, example: string): TextFilter {
  return { name, synonyms: [], isRepeatable: true, type: 'string', meaning, example, read: success };
}

function hydrologicUnit(name: string, digits: number, example: string): TextFilter {
  const shape = new RegExp(`^\\d{${digits}}$`);
  const read = (text: string): Result<string> =>
    shape.test(text) ? success(text) : failure(`must be exactly ${digits} digits`);
  const limits = { pattern: shape.source };
  return { ...textFilter(name, `Hydrologic unit (watershed) of ${digits} digits.`, example), limits, read };
}
