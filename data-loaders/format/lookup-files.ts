// The columns of the lookup files of a submission (submissions.md, 2), with the older names that real files still use.

import { column, defineFile, required, vocabulary, type RowOf } from './column';

/** By the names of their staging tables. */
export const lookupFiles = {
  organizations: defineFile('organizations.csv', {
    OrganizationUUID: required('identifier', 'OrganizationUID'),
    OrganizationName: required('text'),
    OrganizationPurview: column('text'),
    OrganizationWebsite: column('text'),
    OrganizationPhoneNumber: column('text'),
    OrganizationContactName: column('text'),
    OrganizationContactEmail: column('text'),
    State: required('state'),
    OrganizationDataMappingURL: column('text', 'DataMappingURL'),
  }),
  variables: defineFile('variables.csv', {
    VariableSpecificUUID: required('identifier'),
    VariableSpecificCV: vocabulary(required('text')),
    VariableCV: vocabulary(required('text')),
    AggregationStatisticCV: vocabulary(column('text')),
    AggregationInterval: column('identifier'),
    AggregationIntervalUnitCV: vocabulary(column('text')),
    ReportYearStartMonth: column('identifier'),
    ReportYearTypeCV: vocabulary(column('text')),
    AmountUnitCV: vocabulary(column('text')),
    MaximumAmountUnitCV: vocabulary(column('text')),
  }),
  methods: defineFile('methods.csv', {
    MethodUUID: required('identifier'),
    MethodName: column('text'),
    MethodDescription: column('text'),
    MethodNEMILink: column('text'),
    ApplicableResourceTypeCV: vocabulary(column('text')),
    MethodTypeCV: vocabulary(column('text')),
    DataCoverageValue: column('text'),
    DataQualityValueCV: vocabulary(column('text')),
    DataConfidenceValue: column('text'),
    WaDEDataMappingUrl: column('text', 'WaDEDataMappingURL'),
  }),
  watersources: defineFile('watersources.csv', {
    WaterSourceUUID: required('identifier'),
    WaterSourceNativeID: column('identifier'),
    WaterSourceName: column('text'),
    WaterSourceTypeCV: vocabulary(column('text')),
    WaterQualityIndicatorCV: vocabulary(column('text')),
    GNISFeatureNameCV: column('text'),
    Geometry: column('text'),
  }),
  sites: defineFile('sites.csv', {
    SiteUUID: required('identifier', 'WaDESiteUUID'),
    SiteNativeID: column('identifier'),
    SiteName: column('text'),
    USGSSiteID: column('text'),
    SiteTypeCV: vocabulary(column('text')),
    Longitude: column('text'),
    Latitude: column('text'),
    Geometry: column('text'),
    CoordinateMethodCV: vocabulary(column('text')),
    CoordinateAccuracy: column('text'),
    GNISCodeCV: column('text'),
    EPSGCodeCV: column('text'),
    NHDNetworkStatusCV: vocabulary(column('text')),
    NHDProductCV: vocabulary(column('text')),
    NHDUpdateDate: column('date'),
    NHDReachCode: column('identifier'),
    NHDMeasureNumber: column('text'),
    HUC8: column('huc8'),
    HUC12: column('huc12'),
    County: vocabulary(column('text')),
    StateCV: column('text'),
    PODorPOUSite: vocabulary(column('text')),
    WaterSourceUUIDs: column('identifiers', 'WaterSourceUUID'),
  }),
  relations: defineFile('podsitetopousiterelationships.csv', {
    PODSiteUUID: required('identifier'),
    POUSiteUUID: required('identifier'),
    StartDate: column('date'),
    EndDate: column('date'),
  }),
  reportingunits: defineFile('reportingunits.csv', {
    ReportingUnitUUID: required('identifier', 'ReportingUnitUID'),
    ReportingUnitNativeID: column('identifier'),
    ReportingUnitName: column('text'),
    ReportingUnitTypeCV: vocabulary(column('text')),
    ReportingUnitUpdateDate: column('date'),
    ReportingUnitProductVersion: column('text'),
    StateCV: column('text'),
    EPSGCodeCV: column('text'),
    Geometry: column('text'),
  }),
  beneficialuses: defineFile('beneficialuses.csv', {
    BeneficialUseCategory: vocabulary(required('text')),
    PrimaryUseCategory: vocabulary(column('text', 'PrimaryUseCategoryCV')),
    USGSCategoryNameCV: vocabulary(column('text')),
    NAICSCodeNameCV: vocabulary(column('text')),
  }),
};

type LookupRow<Name extends keyof typeof lookupFiles> = RowOf<(typeof lookupFiles)[Name]>;

export type OrganizationRow = LookupRow<'organizations'>;
export type VariableRow = LookupRow<'variables'>;
export type MethodRow = LookupRow<'methods'>;
export type WaterSourceRow = LookupRow<'watersources'>;
export type SiteRow = LookupRow<'sites'>;
export type RelationRow = LookupRow<'relations'>;
export type ReportingUnitRow = LookupRow<'reportingunits'>;
export type BeneficialUseRow = LookupRow<'beneficialuses'>;
