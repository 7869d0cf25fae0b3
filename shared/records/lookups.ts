// The lookup items of an organization (D24, D25), members in the answer's order.

import { listOf, objectOf, requiredText, text, type ObjectOf } from './object-definition';

export const variableSpecificMembers = {
  VariableSpecificTypeCV: text,
  VariableCV: text,
  AmountUnitCV: text,
  AggregationStatisticCV: text,
  AggregationInterval: text,
  AggregationIntervalUnitCV: text,
  ReportYearStartMonth: text,
  ReportYearTypeCV: text,
  MaximumAmountUnitCV: text,
  VariableSpecificUUID: requiredText,
};

export const methodMembers = {
  MethodUUID: requiredText,
  MethodName: text,
  MethodDescription: text,
  MethodNEMILink: text,
  ApplicableResourceType: text,
  MethodTypeCV: text,
  DataCoverageValue: text,
  DataQualityValue: text,
  DataConfidenceValue: text,
};

export const waterSourceMembers = {
  WaterSourceName: text,
  WaterSourceNativeID: text,
  WaterSourceUUID: requiredText,
  WaterSourceTypeCV: text,
  FreshSalineIndicatorCV: text,
  WaterSourceGeometry: text,
};

export const beneficialUseMembers = {
  BeneficialUseCategoryCV: requiredText,
  PrimaryUseCategoryCV: text,
  USGSCategoryNameCV: text,
  NAICSCodeNameCV: text,
  Term: requiredText,
  Name: requiredText,
};

const relatedSiteMembers = { SiteUUID: requiredText, StartDate: text, EndDate: text };

export const siteMembers = {
  SiteName: text,
  SiteUUID: requiredText,
  NativeSiteID: text,
  USGSSiteID: text,
  SiteTypeCV: text,
  Longitude: text,
  Latitude: text,
  PODorPOUSite: text,
  CoordinateMethodCV: text,
  CoordinateAccuracy: text,
  WaterSources: listOf(objectOf({ WaterSourceUUID: requiredText, WaterSourceTypeCV: text })),
  SiteGeometry: text,
  NHDNetworkStatusCV: text,
  NHDProductCV: text,
  NHDUpdateDate: text,
  NHDReachCode: text,
  NHDMeasureNumber: text,
  StateCV: text,
  County: text,
  HUC8: text,
  HUC12: text,
  RelatedPODSites: listOf(objectOf(relatedSiteMembers)),
  RelatedPOUSites: listOf(objectOf(relatedSiteMembers)),
  WaterSourceUUIDs: listOf(requiredText),
};

export const reportingUnitMembers = {
  ReportingUnitUUID: requiredText,
  ReportingUnitNativeID: text,
  ReportingUnitName: text,
  ReportingUnitTypeCV: text,
  ReportingUnitUpdateDate: text,
  ReportingUnitProductVersion: text,
  StateCV: text,
  EPSGCodeCV: text,
  Geometry: text,
  ReportingUnitGeometry: text,
};

export type VariableSpecific = ObjectOf<typeof variableSpecificMembers>;
export type Method = ObjectOf<typeof methodMembers>;
export type WaterSource = ObjectOf<typeof waterSourceMembers>;
export type BeneficialUse = ObjectOf<typeof beneficialUseMembers>;
export type RelatedSite = ObjectOf<typeof relatedSiteMembers>;
export type Site = ObjectOf<typeof siteMembers>;
export type ReportingUnit = ObjectOf<typeof reportingUnitMembers>;

/** The lookup lists of the answer, by their names in it. */
export type LookupKind =
  'VariableSpecifics' | 'Methods' | 'BeneficialUses' | 'WaterSources' | 'Sites' | 'ReportingUnits';
