// The members of an organization's lookups (D24, D25), in the order of the answer.

import {
  date,
  listMember,
  type Members,
  objectMember,
  type ObjectValue,
  requiredText,
  text,
  timestamp,
  withDescription,
} from './object-definition';
import { pickSharedMembers, relationEnd, relationStart, sharedMembers } from './records';

export const variableSpecificMembers = {
  ...pickSharedMembers('VariableSpecificTypeCV', 'VariableCV', 'AmountUnitCV'),
  AggregationStatisticCV: withDescription(text, 'Statistic over the interval, such as Average or Cumulative.'),
  AggregationInterval: withDescription(text, 'Length of the interval in AggregationIntervalUnitCV; a number as text.'),
  AggregationIntervalUnitCV: withDescription(text, 'Unit of the interval, such as Day, Month or Year.'),
  ReportYearStartMonth: withDescription(text, 'First month of the report year, as month or month/day.'),
  ReportYearTypeCV: withDescription(text, 'Kind of the report year, such as CalendarYear or WaterYear.'),
  MaximumAmountUnitCV: withDescription(text, 'Unit of maximum amounts, such as AF (acre-feet).'),
  VariableSpecificUUID: withDescription(requiredText, 'Identifier of the variable.'),
};

export const methodMembers = {
  MethodUUID: withDescription(requiredText, 'Identifier of the method.'),
  MethodName: withDescription(text, 'Name of the method.'),
  MethodDescription: withDescription(text, 'How the amounts were obtained; may contain line breaks.'),
  MethodNEMILink: withDescription(text, 'Page about the method.'),
  ApplicableResourceType: withDescription(text, 'Kind of resource that the method applies to.'),
  MethodTypeCV: withDescription(text, 'Type of the method, such as Measured, Estimated or Modeled.'),
  DataCoverageValue: withDescription(text, "How much of the subject the data cover, in the organization's words."),
  DataQualityValue: withDescription(text, "Quality of the data, in the organization's words."),
  DataConfidenceValue: withDescription(text, "Confidence in the data, in the organization's words."),
};

export const waterSourceMembers = {
  WaterSourceName: withDescription(text, 'Name of the river, reservoir or aquifer.'),
  WaterSourceNativeID: withDescription(text, "The organization's own identifier for the water source."),
  WaterSourceUUID: withDescription(requiredText, 'Identifier of the water source.'),
  WaterSourceTypeCV: sharedMembers.WaterSourceTypeCV,
  FreshSalineIndicatorCV: withDescription(text, 'Whether the water is fresh or saline.'),
  WaterSourceGeometry: withDescription(text, 'Well-known text (WKT), longitude then latitude, WGS 84.'),
};

export const beneficialUseMembers = {
  BeneficialUseCategoryCV: withDescription(requiredText, "The use, in the organization's words."),
  PrimaryUseCategoryCV: withDescription(text, 'Category of the use, comparable across organizations.'),
  USGSCategoryNameCV: withDescription(text, "Category in the U.S. Geological Survey's vocabulary."),
  NAICSCodeNameCV: withDescription(text, 'Category in the North American Industry Classification System.'),
  Term: withDescription(requiredText, 'The same as BeneficialUseCategoryCV.'),
  Name: withDescription(requiredText, 'The same as BeneficialUseCategoryCV.'),
};

const relatedSiteMembers = {
  SiteUUID: withDescription(requiredText, 'The related site; it may be missing from the list.'),
  StartDate: relationStart,
  EndDate: relationEnd,
};

export const siteMembers = {
  ...pickSharedMembers('SiteName', 'SiteUUID', 'NativeSiteID'),
  USGSSiteID: withDescription(text, "The U.S. Geological Survey's identifier for the site."),
  ...pickSharedMembers('SiteTypeCV', 'Longitude', 'Latitude', 'PODorPOUSite', 'CoordinateMethodCV'),
  CoordinateAccuracy: sharedMembers.CoordinateAccuracy,
  WaterSources: withDescription(
    listMember(
      objectMember({
        WaterSourceUUID: withDescription(requiredText, "Refers to an item of the organization's WaterSources."),
        WaterSourceTypeCV: sharedMembers.WaterSourceTypeCV,
      }),
    ),
    'The water sources at the site.',
  ),
  SiteGeometry: withDescription(text, 'Well-known text (WKT), longitude then latitude, WGS 84; for areas and lines.'),
  NHDNetworkStatusCV: withDescription(text, 'Whether the site is on the National Hydrography Dataset (NHD) network.'),
  NHDProductCV: withDescription(text, 'Which NHD product the NHD members refer to.'),
  NHDUpdateDate: withDescription(timestamp, 'Date of the NHD product.'),
  NHDReachCode: withDescription(text, 'The NHD reach that the site is on.'),
  NHDMeasureNumber: withDescription(text, 'Position of the site on the NHD reach.'),
  ...pickSharedMembers('StateCV', 'County', 'HUC8', 'HUC12'),
  RelatedPODSites: withDescription(
    listMember(objectMember(relatedSiteMembers)),
    'For a place of use: its points of diversion.',
  ),
  RelatedPOUSites: withDescription(
    listMember(objectMember(relatedSiteMembers)),
    'For a point of diversion: its places of use.',
  ),
  WaterSourceUUIDs: withDescription(listMember(requiredText), 'The identifiers of WaterSources.'),
};

const unitGeometry = withDescription(text, 'Well-known text (WKT), longitude then latitude, WGS 84.');

export const reportingUnitMembers = {
  ReportingUnitUUID: sharedMembers.ReportingUnitUUID,
  ReportingUnitNativeID: withDescription(text, "The organization's own identifier for the reporting unit."),
  ...pickSharedMembers('ReportingUnitName', 'ReportingUnitTypeCV'),
  ReportingUnitUpdateDate: withDescription(date, 'Date of the product that the unit comes from.'),
  ReportingUnitProductVersion: withDescription(text, 'Version of the product that the unit comes from.'),
  StateCV: sharedMembers.StateCV,
  EPSGCodeCV: withDescription(text, 'Coordinate system as the organization states it; geometries are read as WGS 84.'),
  Geometry: unitGeometry,
  ReportingUnitGeometry: withDescription(unitGeometry, 'The same as Geometry.'),
};

export type Method = ObjectValue<typeof methodMembers>;
export type RelatedSite = ObjectValue<typeof relatedSiteMembers>;
export type Site = ObjectValue<typeof siteMembers>;
export type ReportingUnit = ObjectValue<typeof reportingUnitMembers>;

/** The lookup lists, by their names in the answer. */
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

/** The member that contains the identifier by which records refer to a lookup. */
export const lookupIdentifiers: Readonly<Record<LookupKind, string>> = {
  VariableSpecifics: 'VariableSpecificUUID',
  Methods: 'MethodUUID',
  BeneficialUses: 'Name',
  WaterSources: 'WaterSourceUUID',
  Sites: 'SiteUUID',
  ReportingUnits: 'ReportingUnitUUID',
};

export const geometryMembers = { Sites: 'SiteGeometry', ReportingUnits: 'Geometry' } as const;
