// The members of organizations (D23), of amounts at sites and of reporting units (D26), and of water rights (D27), in
// the order of the answer. Shared members are described once.

import {
  boolean,
  date,
  listMember,
  number,
  objectMember,
  type ObjectValue,
  requiredNumber,
  requiredText,
  text,
  timestamp,
  withDescription,
} from './object-definition';

export const sharedMembers = {
  SiteUUID: withDescription(requiredText, 'Identifier of the site, unique across all organizations.'),
  NativeSiteID: withDescription(text, "The organization's own identifier for the site."),
  SiteName: withDescription(text, 'Name of the site.'),
  SiteTypeCV: withDescription(text, 'Type of the site, such as Stream Gage or Reservoir.'),
  Longitude: withDescription(text, 'Decimal degrees (WGS 84), negative in the west; text as submitted.'),
  Latitude: withDescription(text, 'Decimal degrees (WGS 84); text as submitted.'),
  CoordinateMethodCV: withDescription(text, 'How the coordinates were determined.'),
  CoordinateAccuracy: withDescription(text, "How accurate the coordinates are, in the organization's words."),
  PODorPOUSite: withDescription(
    text,
    'POD: a point of diversion, where water is taken. POU: a place of use, where it is used.',
  ),
  StateCV: withDescription(text, 'Its state, as submitted: an abbreviation or a name.'),
  County: withDescription(text, 'Its county.'),
  HUC8: withDescription(text, 'Watershed code with 8 digits; if missing, the first 8 digits of HUC12.'),
  HUC12: withDescription(text, 'Watershed code with 12 digits.'),

  ReportingUnitUUID: withDescription(
    requiredText,
    'Identifier of the reporting unit, unique across all organizations.',
  ),
  ReportingUnitName: withDescription(text, 'Name of the reporting unit.'),
  ReportingUnitTypeCV: withDescription(text, 'Type of the reporting unit, such as HUC, County or Custom.'),

  WaterSourceUUID: withDescription(text, 'Refers to an item of WaterSources.'),
  WaterSourceTypeCV: withDescription(text, 'Type of the water source, such as Surface Water or Groundwater.'),
  MethodUUID: withDescription(requiredText, 'Refers to an item of Methods.'),
  VariableSpecificUUID: withDescription(requiredText, 'Refers to an item of VariableSpecifics.'),
  VariableCV: withDescription(text, 'The variable: the kind of quantity.'),
  VariableSpecificTypeCV: withDescription(
    text,
    'The specific variable; for aggregated amounts a pair of category and subcategory.',
  ),
  AmountUnitCV: withDescription(text, 'Unit of the amounts, such as AF (acre-feet) or CFS (cubic feet per second).'),

  BeneficialUses: withDescription(
    listMember(
      objectMember({ BeneficialUseCategoryCV: withDescription(requiredText, 'Refers to an item of BeneficialUses.') }),
    ),
    'All beneficial uses of the record.',
  ),
  PrimaryUseCategoryCV: withDescription(text, "The record's primary beneficial use, in the organization's words."),
  ReportYear: withDescription(text, 'Year under which the amount is reported, which may be a water year; text.'),
  IrrigationMethodCV: withDescription(text, 'Irrigation method.'),
  IrrigatedAcreage: withDescription(number, 'Irrigated area in acres.'),
  CropTypeCV: withDescription(text, 'What is irrigated.'),
  PopulationServed: withDescription(number, 'Number of people served.'),
  PowerGeneratedGWh: withDescription(number, 'Power generated, in gigawatt-hours.'),
  AllocationCommunityWaterSupplySystem: withDescription(text, 'Name of the community water supply system.'),
  SDWISIdentifierCV: withDescription(
    text,
    'Identifier of the water supply system in the Safe Drinking Water Information System.',
  ),
  CustomerTypeCV: withDescription(text, 'Type of the customers served.'),
  DataPublicationDate: withDescription(timestamp, 'Day on which the organization published the data.'),
  DataPublicationDOI: withDescription(text, 'Digital object identifier of the publication.'),
};

/** Returns the shared members with these names, in the order of the names. */
export function pickSharedMembers<Name extends keyof typeof sharedMembers>(
  ...names: readonly Name[]
): Pick<typeof sharedMembers, Name> {
  const members = names.map((name) => [name, sharedMembers[name]] as const);
  // The object has exactly the members with these names.
  return Object.fromEntries(members) as Pick<typeof sharedMembers, Name>;
}

export const relationStart = withDescription(date, 'First day of the relation.');
export const relationEnd = withDescription(date, 'Last day of the relation.');

export const organizationMembers = {
  OrganizationName: withDescription(requiredText, 'Name of the organization.'),
  OrganizationPurview: withDescription(text, "The organization's responsibilities."),
  OrganizationWebsite: withDescription(text, "The organization's website."),
  OrganizationPhoneNumber: withDescription(text, "The organization's telephone number."),
  OrganizationContactName: withDescription(text, 'Contact for the data.'),
  OrganizationContactEmail: withDescription(text, 'Email address for questions about the data.'),
  OrganizationState: withDescription(requiredText, "Two-letter abbreviation of the organization's state."),
  State: withDescription(requiredText, "Name of the organization's state."),
  OrganizationDataMappingURL: withDescription(text, 'Page that explains how the organization mapped its data.'),
  OrganizationUUID: withDescription(requiredText, 'Identifier of the organization.'),
};

export type Organization = ObjectValue<typeof organizationMembers>;

const amount = withDescription(
  requiredNumber,
  'The amount as submitted, in the unit of AmountUnitCV; exports are negative.',
);

const FIRST_DAY = 'First day that the amount covers.';
const LAST_DAY = 'Last day that the amount covers.';

/** Only this data set writes timeframes with a time of day (D28). */
const WITH_MIDNIGHT =
  'Written with midnight as the time, `1990-12-31T00:00:00`; amounts at sites and rights have only the day.';

export const siteVariableAmountMembers = {
  ...pickSharedMembers('SiteUUID', 'SiteTypeCV', 'Longitude', 'Latitude', 'CoordinateMethodCV', 'CoordinateAccuracy'),
  VariableSpecificTypeCV: sharedMembers.VariableSpecificTypeCV,
  BeneficialUseCategoryCV: sharedMembers.BeneficialUses,
  ...pickSharedMembers('WaterSourceUUID', 'WaterSourceTypeCV', 'MethodUUID', 'ReportYear'),
  TimeframeStart: withDescription(date, FIRST_DAY),
  TimeframeEnd: withDescription(date, LAST_DAY),
  Amount: amount,
  ...pickSharedMembers('AmountUnitCV', 'IrrigationMethodCV', 'IrrigatedAcreage', 'CropTypeCV', 'PopulationServed'),
  ...pickSharedMembers('PowerGeneratedGWh', 'AllocationCommunityWaterSupplySystem', 'SDWISIdentifierCV'),
  CustomerTypeCV: sharedMembers.CustomerTypeCV,
  AssociatedNativeAllocationIDs: withDescription(
    text,
    "The organization's identifiers for the rights that the amount belongs to.",
  ),
  ...pickSharedMembers('DataPublicationDate', 'DataPublicationDOI', 'VariableSpecificUUID', 'VariableCV'),
  PrimaryUseCategoryCV: sharedMembers.PrimaryUseCategoryCV,
};

export const aggregatedAmountMembers = {
  VariableSpecificTypeCV: sharedMembers.VariableSpecificTypeCV,
  BeneficialUseCategoryCV: sharedMembers.BeneficialUses,
  ...pickSharedMembers('WaterSourceUUID', 'MethodUUID'),
  ReportingUnitUID: withDescription(sharedMembers.ReportingUnitUUID, 'The same as ReportingUnitUUID.'),
  ...pickSharedMembers('ReportingUnitName', 'ReportingUnitTypeCV', 'ReportYear'),
  TimeframeStart: withDescription(timestamp, `${FIRST_DAY} ${WITH_MIDNIGHT}`),
  TimeframeEnd: withDescription(timestamp, `${LAST_DAY} ${WITH_MIDNIGHT}`),
  AmountUnitCV: sharedMembers.AmountUnitCV,
  Amount: amount,
  ...pickSharedMembers('PopulationServed', 'AllocationCommunityWaterSupplySystem', 'CustomerTypeCV'),
  ...pickSharedMembers(
    'SDWISIdentifierCV',
    'PowerGeneratedGWh',
    'IrrigationMethodCV',
    'IrrigatedAcreage',
    'CropTypeCV',
  ),
  ...pickSharedMembers('DataPublicationDate', 'VariableSpecificUUID', 'VariableCV', 'PrimaryUseCategoryCV'),
  ReportingUnitUUID: sharedMembers.ReportingUnitUUID,
};

export type SiteVariableAmount = ObjectValue<typeof siteVariableAmountMembers>;
export type AggregatedAmount = ObjectValue<typeof aggregatedAmountMembers>;

export const allocationSiteMembers = {
  ...pickSharedMembers('SiteUUID', 'NativeSiteID', 'SiteName', 'SiteTypeCV', 'Longitude', 'Latitude'),
  ...pickSharedMembers('CoordinateMethodCV', 'HUC8', 'HUC12', 'County', 'StateCV', 'PODorPOUSite'),
};

const flow = withDescription(number, 'Flow of the right in cubic feet per second (CFS).');
const volume = withDescription(number, 'Volume of the right in acre-feet (AF).');

export const waterAllocationMembers = {
  AllocationNativeID: withDescription(text, "The organization's own identifier for the right."),
  WaterSourceUUID: sharedMembers.WaterSourceUUID,
  AllocationOwner: withDescription(text, 'Who holds the right.'),
  AllocationApplicationDate: withDescription(date, 'Date of the application for the right.'),
  AllocationPriorityDate: withDescription(
    date,
    "Date that determines the right's priority; older rights come first when water is short.",
  ),
  AllocationLegalStatusCodeCV: withDescription(text, 'Legal status of the right.'),
  AllocationExpirationDate: withDescription(date, 'Date on which the right expires.'),
  AllocationChangeApplicationIndicator: withDescription(text, 'Whether an application changed the right.'),
  LegacyAllocationIDs: withDescription(text, 'Earlier identifiers of the right.'),
  AllocationAcreage: withDescription(number, 'Area in acres that may be irrigated.'),
  AllocationBasisCV: withDescription(text, 'What the right is based on.'),
  TimeframeStart: withDescription(
    text,
    'Start of the season in which water may be taken, as submitted, such as 04/15.',
  ),
  TimeframeEnd: withDescription(text, 'End of the season in which water may be taken, as submitted, such as 10/31.'),
  DataPublicationDate: sharedMembers.DataPublicationDate,
  AllocationCropDutyAmount: withDescription(
    number,
    'Water per irrigated area, in acre-feet per acre unless stated otherwise.',
  ),
  AllocationAmount: flow,
  AllocationMaximum: volume,
  PopulationServed: sharedMembers.PopulationServed,
  GeneratedPowerCapacityMW: withDescription(number, 'Capacity of the power plant in megawatts.'),
  AllocationCommunityWaterSupplySystem: sharedMembers.AllocationCommunityWaterSupplySystem,
  AllocationSDWISIdentifier: sharedMembers.SDWISIdentifierCV,
  ...pickSharedMembers('MethodUUID', 'VariableSpecificTypeCV'),
  Sites: withDescription(
    listMember(objectMember(allocationSiteMembers)),
    "The sites where the water of the right is taken or used, in the order of the submission; their geometries are in the organization's Sites.",
  ),
  BeneficialUses: withDescription(
    listMember(withDescription(requiredText, "Refers to an item of the organization's BeneficialUses.")),
    'All beneficial uses of the right.',
  ),
  AllocationUUID: withDescription(text, 'Identifier of the right, unique across all organizations.'),
  AllocationFlow_CFS: withDescription(flow, 'The same as AllocationAmount, in cubic feet per second.'),
  AllocationVolume_AF: withDescription(volume, 'The same as AllocationMaximum, in acre-feet.'),
  AllocationTypeCV: withDescription(text, 'Type of the right.'),
  OwnerClassificationCV: withDescription(text, 'Kind of owner.'),
  PrimaryUseCategoryCV: sharedMembers.PrimaryUseCategoryCV,
  ExemptOfVolumeFlowPriority: withDescription(
    boolean,
    'Whether the right is exempt from volume, flow and priority limits.',
  ),
  ...pickSharedMembers('IrrigationMethodCV', 'CropTypeCV', 'CustomerTypeCV'),
  WaterAllocationNativeURL: withDescription(text, "The organization's page about the right."),
  ...pickSharedMembers('DataPublicationDOI', 'VariableSpecificUUID', 'VariableCV'),
};

export type WaterAllocation = ObjectValue<typeof waterAllocationMembers>;
