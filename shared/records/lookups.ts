// The lookup items of an organization (D24, D25), members in the answer's order.

import {
  date,
  described,
  listOf,
  type Members,
  type ObjectOf,
  objectOf,
  requiredText,
  text,
  timestamp,
} from './object-definition';
import { recurring, recurringMembers, relationEnd, relationStart } from './records';

export const variableSpecificMembers = {
  ...recurringMembers('VariableSpecificTypeCV', 'VariableCV', 'AmountUnitCV'),
  AggregationStatisticCV: described(text, 'Statistic over the interval, such as Average or Cumulative.'),
  AggregationInterval: described(
    text,
    'Length of the interval in AggregationIntervalUnitCV; text that holds a number.',
  ),
  AggregationIntervalUnitCV: described(text, 'Unit of the interval, such as Day, Month or Year.'),
  ReportYearStartMonth: described(text, 'First month of the report year, as month or month/day.'),
  ReportYearTypeCV: described(text, 'Kind of the report year, such as CalendarYear or WaterYear.'),
  MaximumAmountUnitCV: described(text, 'Unit of maximum amounts, such as AF (acre-feet).'),
  VariableSpecificUUID: described(requiredText, 'Identifier of the variable.'),
};

export const methodMembers = {
  MethodUUID: described(requiredText, 'Identifier of the method.'),
  MethodName: described(text, 'Name of the method.'),
  MethodDescription: described(text, 'How amounts came about; may have line breaks.'),
  MethodNEMILink: described(text, 'Page about the method.'),
  ApplicableResourceType: described(text, 'Kind of resource that the method applies to.'),
  MethodTypeCV: described(text, 'Type of the method, such as Measured, Estimated or Modeled.'),
  DataCoverageValue: described(text, 'How much of the subject the data cover, in words of the organization.'),
  DataQualityValue: described(text, 'Quality of the data, in words of the organization.'),
  DataConfidenceValue: described(text, 'Confidence in the data, in words of the organization.'),
};

export const waterSourceMembers = {
  WaterSourceName: described(text, 'Name of the river, reservoir or aquifer.'),
  WaterSourceNativeID: described(text, "The organization's own identifier of the water source."),
  WaterSourceUUID: described(requiredText, 'Identifier of the water source.'),
  WaterSourceTypeCV: recurring.WaterSourceTypeCV,
  FreshSalineIndicatorCV: described(text, 'Whether the water is fresh or saline.'),
  WaterSourceGeometry: described(text, 'Well-known text (WKT), longitude then latitude, WGS 84.'),
};

export const beneficialUseMembers = {
  BeneficialUseCategoryCV: described(requiredText, 'The use, in words of the organization.'),
  PrimaryUseCategoryCV: described(text, 'Category of the use over all organizations.'),
  USGSCategoryNameCV: described(text, 'Category in the vocabulary of the U.S. Geological Survey.'),
  NAICSCodeNameCV: described(text, 'Category in the North American Industry Classification System.'),
  Term: described(requiredText, 'The same as BeneficialUseCategoryCV.'),
  Name: described(requiredText, 'The same as BeneficialUseCategoryCV.'),
};

const relatedSiteMembers = {
  SiteUUID: described(requiredText, 'The related site; it need not be in the list.'),
  StartDate: relationStart,
  EndDate: relationEnd,
};

export const siteMembers = {
  ...recurringMembers('SiteName', 'SiteUUID', 'NativeSiteID'),
  USGSSiteID: described(text, 'Identifier of the site at the U.S. Geological Survey.'),
  ...recurringMembers('SiteTypeCV', 'Longitude', 'Latitude', 'PODorPOUSite', 'CoordinateMethodCV'),
  CoordinateAccuracy: recurring.CoordinateAccuracy,
  WaterSources: described(
    listOf(
      objectOf({
        WaterSourceUUID: described(requiredText, "Refers to an item of the organization's WaterSources."),
        WaterSourceTypeCV: recurring.WaterSourceTypeCV,
      }),
    ),
    'Where the water of the site is from.',
  ),
  SiteGeometry: described(text, 'Well-known text (WKT), longitude then latitude, WGS 84; for areas and lines.'),
  NHDNetworkStatusCV: described(text, 'Whether the site lies on the National Hydrography Dataset (NHD) network.'),
  NHDProductCV: described(text, 'Which NHD product the NHD members refer to.'),
  NHDUpdateDate: described(timestamp, 'Day of the NHD product.'),
  NHDReachCode: described(text, 'NHD reach on which the site lies.'),
  NHDMeasureNumber: described(text, 'Where on the NHD reach the site lies.'),
  ...recurringMembers('StateCV', 'County', 'HUC8', 'HUC12'),
  RelatedPODSites: described(listOf(objectOf(relatedSiteMembers)), 'Of a place of use: where its water is taken.'),
  RelatedPOUSites: described(listOf(objectOf(relatedSiteMembers)), 'Of a point of diversion: where its water is used.'),
  WaterSourceUUIDs: described(listOf(requiredText), 'The identifiers of WaterSources alone.'),
};

const unitGeometry = described(text, 'Well-known text (WKT), longitude then latitude, WGS 84.');

export const reportingUnitMembers = {
  ReportingUnitUUID: recurring.ReportingUnitUUID,
  ReportingUnitNativeID: described(text, "The organization's own identifier of the reporting unit."),
  ...recurringMembers('ReportingUnitName', 'ReportingUnitTypeCV'),
  ReportingUnitUpdateDate: described(date, 'Day of the product that the unit is from.'),
  ReportingUnitProductVersion: described(text, 'Version of the product that the unit is from.'),
  StateCV: recurring.StateCV,
  EPSGCodeCV: described(text, 'Coordinate system as the organization states it; geometries are read as WGS 84.'),
  Geometry: unitGeometry,
  ReportingUnitGeometry: described(unitGeometry, 'The same as Geometry.'),
};

export type Method = ObjectOf<typeof methodMembers>;
export type RelatedSite = ObjectOf<typeof relatedSiteMembers>;
export type Site = ObjectOf<typeof siteMembers>;
export type ReportingUnit = ObjectOf<typeof reportingUnitMembers>;

/** The lookup lists of the answer, by their names in it. */
export type LookupKind =
  'VariableSpecifics' | 'Methods' | 'BeneficialUses' | 'WaterSources' | 'Sites' | 'ReportingUnits';

export const lookupMembers: Readonly<Record<LookupKind, Members>> = {
  VariableSpecifics: variableSpecificMembers,
  Methods: methodMembers,
  BeneficialUses: beneficialUseMembers,
  WaterSources: waterSourceMembers,
  Sites: siteMembers,
  ReportingUnits: reportingUnitMembers,
};

/** The member that records refer by. */
export const lookupIdentifiers: Readonly<Record<LookupKind, string>> = {
  VariableSpecifics: 'VariableSpecificUUID',
  Methods: 'MethodUUID',
  BeneficialUses: 'Name',
  WaterSources: 'WaterSourceUUID',
  Sites: 'SiteUUID',
  ReportingUnits: 'ReportingUnitUUID',
};

export const geometryMembers = { Sites: 'SiteGeometry', ReportingUnits: 'Geometry' } as const;
