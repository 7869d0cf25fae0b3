// Members that stand in several objects of the answer, described once.

import { date, described, listOf, number, objectOf, requiredText, text, timestamp } from './object-definition';

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
  IrrigationMethodCV: described(text, 'How is irrigated.'),
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
