// The records of answers, their members in the answer's order: an organization's own (D23), amounts at sites and of
// reporting units (D26), and water rights (D27). Members that stand in several of them are described once.

import {
  boolean,
  date,
  described,
  listOf,
  number,
  type ObjectOf,
  objectOf,
  requiredNumber,
  requiredText,
  text,
  timestamp,
} from './object-definition';

export const recurring = {
  SiteUUID: described(requiredText, 'Identifier of the site, unique over all organizations.'),
  NativeSiteID: described(text, "The organization's own identifier of the site."),
  SiteName: described(text, 'Name of the site.'),
  SiteTypeCV: described(text, 'Type of the site, such as Stream Gage or Reservoir.'),
  Longitude: described(text, 'Decimal degrees (WGS 84), negative in the west; text as submitted.'),
  Latitude: described(text, 'Decimal degrees (WGS 84); text as submitted.'),
  CoordinateMethodCV: described(text, 'How the coordinates were found.'),
  CoordinateAccuracy: described(text, 'How accurate the coordinates are, in words of the organization.'),
  PODorPOUSite: described(
    text,
    'POD: a point of diversion, where water is taken. POU: a place of use, where it is used.',
  ),
  StateCV: described(text, 'State in which it lies, as submitted: an abbreviation or a name.'),
  County: described(text, 'County in which it lies.'),
  HUC8: described(text, 'Watershed of 8 digits; a missing one is the first 8 digits of HUC12.'),
  HUC12: described(text, 'Watershed of 12 digits.'),

  ReportingUnitUUID: described(requiredText, 'Identifier of the reporting unit, unique over all organizations.'),
  ReportingUnitName: described(text, 'Name of the reporting unit.'),
  ReportingUnitTypeCV: described(text, 'Type of the reporting unit, such as HUC, County or Custom.'),

  WaterSourceUUID: described(text, 'Refers to an item of WaterSources.'),
  WaterSourceTypeCV: described(text, 'Type of the water source, such as Surface Water or Groundwater.'),
  MethodUUID: described(requiredText, 'Refers to an item of Methods.'),
  VariableSpecificUUID: described(requiredText, 'Refers to an item of VariableSpecifics.'),
  VariableCV: described(text, 'The variable: what kind of quantity it is.'),
  VariableSpecificTypeCV: described(
    text,
    'The specific variable; of aggregated amounts a category and subcategory pair.',
  ),
  AmountUnitCV: described(text, 'Unit of the amounts, such as AF (acre-feet) or CFS (cubic feet per second).'),

  BeneficialUses: described(
    listOf(objectOf({ BeneficialUseCategoryCV: described(requiredText, 'Refers to an item of BeneficialUses.') })),
    'All beneficial uses of the record.',
  ),
  PrimaryUseCategoryCV: described(text, "The record's primary beneficial use, in words of the organization."),
  ReportYear: described(text, 'Year under which the amount is reported, which may be a water year; text.'),
  IrrigationMethodCV: described(text, 'Irrigation method.'),
  IrrigatedAcreage: described(number, 'Irrigated area in acres.'),
  CropTypeCV: described(text, 'What is irrigated.'),
  PopulationServed: described(number, 'Number of people served.'),
  PowerGeneratedGWh: described(number, 'Power generated, in gigawatt-hours.'),
  AllocationCommunityWaterSupplySystem: described(text, 'Name of the community water supply system.'),
  SDWISIdentifierCV: described(
    text,
    'Identifier of the water supply system in the Safe Drinking Water Information System.',
  ),
  CustomerTypeCV: described(text, 'Type of the customers served.'),
  DataPublicationDate: described(timestamp, 'Day on which the organization published the datum.'),
  DataPublicationDOI: described(text, 'Digital object identifier of the publication.'),
};

/** Some of them, in the order of the names. */
export function recurringMembers<Name extends keyof typeof recurring>(
  ...names: readonly Name[]
): Pick<typeof recurring, Name> {
  const members = names.map((name) => [name, recurring[name]] as const);
  return Object.fromEntries(members) as Pick<typeof recurring, Name>; // It has exactly these names.
}

export const relationStart = described(date, 'First day of the relation.');
export const relationEnd = described(date, 'Last day of the relation.');

export const organizationMembers = {
  OrganizationName: described(requiredText, 'Name of the organization.'),
  OrganizationPurview: described(text, 'What the organization is in charge of.'),
  OrganizationWebsite: described(text, 'Web site of the organization.'),
  OrganizationPhoneNumber: described(text, 'Telephone number of the organization.'),
  OrganizationContactName: described(text, 'Whom to ask about the data.'),
  OrganizationContactEmail: described(text, 'Where to ask about the data.'),
  OrganizationState: described(requiredText, 'State of the organization, two letters.'),
  State: described(requiredText, 'State of the organization, full name.'),
  OrganizationDataMappingURL: described(text, 'Page on how the organization mapped its data.'),
  OrganizationUUID: described(requiredText, 'Identifier of the organization.'),
};

export type Organization = ObjectOf<typeof organizationMembers>;

const amount = described(requiredNumber, 'The amount as submitted, in the unit of AmountUnitCV; exports are negative.');

const FIRST_DAY = 'First day of the timeframe that the amount is about.';
const LAST_DAY = 'Last day of the timeframe that the amount is about.';

export const siteVariableAmountMembers = {
  ...recurringMembers('SiteUUID', 'SiteTypeCV', 'Longitude', 'Latitude', 'CoordinateMethodCV', 'CoordinateAccuracy'),
  VariableSpecificTypeCV: recurring.VariableSpecificTypeCV,
  BeneficialUseCategoryCV: recurring.BeneficialUses,
  ...recurringMembers('WaterSourceUUID', 'WaterSourceTypeCV', 'MethodUUID', 'ReportYear'),
  TimeframeStart: described(date, FIRST_DAY),
  TimeframeEnd: described(date, LAST_DAY),
  Amount: amount,
  ...recurringMembers('AmountUnitCV', 'IrrigationMethodCV', 'IrrigatedAcreage', 'CropTypeCV', 'PopulationServed'),
  ...recurringMembers('PowerGeneratedGWh', 'AllocationCommunityWaterSupplySystem', 'SDWISIdentifierCV'),
  CustomerTypeCV: recurring.CustomerTypeCV,
  AssociatedNativeAllocationIDs: described(text, "The organization's identifiers of the rights that it belongs to."),
  ...recurringMembers('DataPublicationDate', 'DataPublicationDOI', 'VariableSpecificUUID', 'VariableCV'),
  PrimaryUseCategoryCV: recurring.PrimaryUseCategoryCV,
};

export const aggregatedAmountMembers = {
  VariableSpecificTypeCV: recurring.VariableSpecificTypeCV,
  BeneficialUseCategoryCV: recurring.BeneficialUses,
  ...recurringMembers('WaterSourceUUID', 'MethodUUID'),
  ReportingUnitUID: described(recurring.ReportingUnitUUID, 'The same as ReportingUnitUUID.'),
  ...recurringMembers('ReportingUnitName', 'ReportingUnitTypeCV', 'ReportYear'),
  TimeframeStart: described(timestamp, FIRST_DAY),
  TimeframeEnd: described(timestamp, LAST_DAY),
  AmountUnitCV: recurring.AmountUnitCV,
  Amount: amount,
  ...recurringMembers('PopulationServed', 'AllocationCommunityWaterSupplySystem', 'CustomerTypeCV'),
  ...recurringMembers('SDWISIdentifierCV', 'PowerGeneratedGWh', 'IrrigationMethodCV', 'IrrigatedAcreage', 'CropTypeCV'),
  ...recurringMembers('DataPublicationDate', 'VariableSpecificUUID', 'VariableCV', 'PrimaryUseCategoryCV'),
  ReportingUnitUUID: recurring.ReportingUnitUUID,
};

export type SiteVariableAmount = ObjectOf<typeof siteVariableAmountMembers>;
export type AggregatedAmount = ObjectOf<typeof aggregatedAmountMembers>;

export const allocationSiteMembers = {
  ...recurringMembers('SiteUUID', 'NativeSiteID', 'SiteName', 'SiteTypeCV', 'Longitude', 'Latitude'),
  ...recurringMembers('CoordinateMethodCV', 'HUC8', 'HUC12', 'County', 'StateCV', 'PODorPOUSite'),
};

const flow = described(number, 'Flow of the right in cubic feet per second (CFS).');
const volume = described(number, 'Volume of the right in acre-feet (AF).');

export const waterAllocationMembers = {
  AllocationNativeID: described(text, "The organization's own identifier of the right."),
  WaterSourceUUID: recurring.WaterSourceUUID,
  AllocationOwner: described(text, 'Who holds the right.'),
  AllocationApplicationDate: described(date, 'Day on which the right was applied for.'),
  AllocationPriorityDate: described(
    date,
    'Day from which the right counts; older rights come first when water is short.',
  ),
  AllocationLegalStatusCodeCV: described(text, 'Legal status of the right.'),
  AllocationExpirationDate: described(date, 'Day on which the right ends.'),
  AllocationChangeApplicationIndicator: described(text, 'Whether the right was changed on application.'),
  LegacyAllocationIDs: described(text, 'Former identifiers of the right.'),
  AllocationAcreage: described(number, 'Area in acres that may be irrigated.'),
  AllocationBasisCV: described(text, 'What the right rests on.'),
  TimeframeStart: described(text, 'Start of the season in which water may be taken, as submitted, such as 04/15.'),
  TimeframeEnd: described(text, 'End of the season in which water may be taken, as submitted, such as 10/31.'),
  DataPublicationDate: recurring.DataPublicationDate,
  AllocationCropDutyAmount: described(
    number,
    'Water per irrigated area, in acre-feet per acre where not said otherwise.',
  ),
  AllocationAmount: flow,
  AllocationMaximum: volume,
  PopulationServed: recurring.PopulationServed,
  GeneratedPowerCapacityMW: described(number, 'Capacity of the power plant in megawatts.'),
  AllocationCommunityWaterSupplySystem: recurring.AllocationCommunityWaterSupplySystem,
  AllocationSDWISIdentifier: recurring.SDWISIdentifierCV,
  ...recurringMembers('MethodUUID', 'VariableSpecificTypeCV'),
  Sites: described(
    listOf(objectOf(allocationSiteMembers)),
    "Where the water of the right is taken or used, in the submission's order; geometries are in the organization's Sites.",
  ),
  BeneficialUses: described(
    listOf(described(requiredText, "Refers to an item of the organization's BeneficialUses.")),
    'All beneficial uses of the right.',
  ),
  AllocationUUID: described(text, 'Identifier of the right, unique over all organizations.'),
  AllocationFlow_CFS: described(flow, 'The same as AllocationAmount, in cubic feet per second.'),
  AllocationVolume_AF: described(volume, 'The same as AllocationMaximum, in acre-feet.'),
  AllocationTypeCV: described(text, 'Type of the right.'),
  OwnerClassificationCV: described(text, 'Kind of owner.'),
  PrimaryUseCategoryCV: recurring.PrimaryUseCategoryCV,
  ExemptOfVolumeFlowPriority: described(boolean, 'Whether the right is exempt from a volume, a flow or a priority.'),
  ...recurringMembers('IrrigationMethodCV', 'CropTypeCV', 'CustomerTypeCV'),
  WaterAllocationNativeURL: described(text, 'Page of the organization about the right.'),
  ...recurringMembers('DataPublicationDOI', 'VariableSpecificUUID', 'VariableCV'),
};

export type WaterAllocation = ObjectOf<typeof waterAllocationMembers>;
