// Filters by text: compared as a whole and without regard to case (D8), repeatable (D3). To add one: declare it here
// with the filter field whose terms it asks for, add a new field to filter-terms.ts, and list it in operations.ts.

import { BOOLEAN_TEXTS } from '../values/numbers';
import { failure, success } from '../values/result';
import { readStateCode, STATE_CODE_SHAPE } from '../values/states';
import { foldText } from '../values/text';
import type { FilterField } from './filter-terms';
import type { OrganizationFilter, OwnerFilter, TermFilter } from './parameter';

const TEXT_VALUES = { synonyms: [], isRepeatable: true, type: 'string', read: success } as const;

export const organizationUuid: OrganizationFilter = {
  kind: 'organization',
  name: 'OrganizationUUID',
  meaning: 'Organization identifier: only what this organization submitted.',
  example: 'UTwr',
  ...TEXT_VALUES,
};

export const siteUuid = termFilter('site', 'SiteUUID', {
  meaning: 'Universal site identifier across all states.',
  example: 'UTss_S877',
});

export const siteTypeCv = termFilter('siteType', 'SiteTypeCV', {
  meaning: 'Controlled site type.',
  example: 'Reservoir',
});

export const podOrPouSite = termFilter('podOrPou', 'PODorPOUSite', {
  meaning: 'Whether the site is a point of diversion (POD) or a place of use (POU).',
  example: 'POD',
});

export const waterSourceTypeCv = termFilter('waterSourceType', 'WaterSourceTypeCV', {
  meaning: "Type of the record's own water source.",
  example: 'Surface Water',
});

export const allocationUuid = termFilter('allocationUuid', 'AllocationUUID', {
  meaning: 'Allocation identifier, unique across member states.',
  example: 'COwr_WR0000001',
});

export const allocationNativeId = termFilter('allocationNativeId', 'AllocationNativeID', {
  meaning: 'Allocation identifier as the submitting organization gives it; another organization may give the same.',
  example: '0042',
});

export const allocationLegalStatusCv = termFilter('legalStatus', 'AllocationLegalStatusCV', {
  // The member of the answer has this name.
  synonyms: ['AllocationLegalStatusCodeCV'],
  meaning: 'Legal status of the allocation.',
  example: 'Active',
});

/** Shorter texts stand in nearly every owner. */
const OWNER_CHARACTERS = 3;
const LONG_ENOUGH = new RegExp(`.{${OWNER_CHARACTERS}}`, 'su');

export const allocationOwner: OwnerFilter = {
  kind: 'owner',
  name: 'AllocationOwner',
  meaning: `Text that the owner of the allocation contains, of at least ${OWNER_CHARACTERS} characters.`,
  example: 'Irrigation Company',
  ...TEXT_VALUES,
  limits: { minLength: OWNER_CHARACTERS },
  read: (text) => {
    const folded = foldText(text);
    return LONG_ENOUGH.test(folded) ? success(folded) : failure(`must have at least ${OWNER_CHARACTERS} characters`);
  },
};

export const ownerClassificationCv = termFilter('ownerClass', 'OwnerClassificationCV', {
  meaning: 'Class of the owner of the allocation.',
  example: 'Private',
});

export const allocationTypeCv = termFilter('allocationType', 'AllocationTypeCV', {
  meaning: 'Type of the allocation.',
  example: 'Decree',
});

export const exemptOfVolumeFlowPriority = termFilter('exempt', 'ExemptOfVolumeFlowPriority', {
  isRepeatable: false,
  meaning: 'Whether the allocation is exempt of volume, flow and priority; one that does not say so never matches.',
  example: 'true',
  limits: { enum: [...BOOLEAN_TEXTS.keys()] },
  read: (text) => {
    const value = BOOLEAN_TEXTS.get(text.toLowerCase());
    return value === undefined ? failure('must be true or false, yes or no, 1 or 0') : success(String(value));
  },
});

export const reportingUnitUuid = termFilter('reportingUnit', 'ReportingUnitUUID', {
  meaning: 'Reporting unit identifier, unique across member states.',
  example: 'NMag_RU1',
});

export const reportingUnitTypeCv = termFilter('reportingUnitType', 'ReportingUnitTypeCV', {
  meaning: 'Reporting unit type, for example HUC, County, Custom.',
  example: 'County',
});

export const variableCv = termFilter('variable', 'VariableCV', {
  meaning: 'Variable; white space, commas, underscores, hyphens and slashes do not count.',
  example: 'Withdrawal',
});

export const variableSpecificCv = termFilter('variableSpecific', 'VariableSpecificCV', {
  meaning: 'Specific variable, for aggregated amounts a category and subcategory pair, however the pair is joined.',
  example: 'Aggregated Withdrawal, Irrigation',
});

export const beneficialUseCv = termFilter('use', 'BeneficialUseCV', {
  meaning: "Beneficial use category as defined by each state: the record's primary use or any of its uses.",
  example: 'Irrigation',
});

export const usgsCategoryNameCv = termFilter('usgsCategory', 'USGSCategoryNameCV', {
  meaning: 'National water use category (USGS) of the primary use or of any of the uses.',
  example: 'Public Supply',
});

export const county = termFilter('county', 'County', {
  meaning: 'County; a trailing "County" is ignored.',
  example: 'Cache',
});

export const huc8 = hydrologicUnit('huc8', 8, '16010202');

export const huc12 = hydrologicUnit('huc12', 12, '160102020305');

export const state = termFilter('state', 'State', {
  meaning: 'Two-letter state abbreviation: records that an organization of that state submitted, or that lie in it.',
  example: 'UT',
  limits: { pattern: STATE_CODE_SHAPE.source },
  read: (text) => {
    const code = readStateCode(text);
    if (code !== undefined) return success(code);
    return failure('must be a two-letter postal abbreviation of a state or territory, such as UT');
  },
});

function termFilter<Field extends FilterField>(
  field: Field,
  name: string,
  declared: Pick<TermFilter, 'meaning' | 'example'> & Partial<TermFilter>,
): TermFilter<Field> {
  return { ...TEXT_VALUES, ...declared, kind: 'term', field, name };
}

function hydrologicUnit<Field extends 'huc8' | 'huc12'>(
  field: Field,
  digits: number,
  example: string,
): TermFilter<Field> {
  const shape = new RegExp(`^\\d{${digits}}$`);
  return termFilter(field, field.toUpperCase(), {
    meaning: `Hydrologic unit (watershed) of ${digits} digits.`,
    example,
    limits: { pattern: shape.source },
    read: (text) => (shape.test(text) ? success(text) : failure(`must be exactly ${digits} digits`)),
  });
}
