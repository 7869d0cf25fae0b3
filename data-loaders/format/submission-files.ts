// Declares the files of a submission and their columns, with the older names that real files still use (submissions.md,
// 2).

import type { DataSetKind } from '../../shared/records/data-sets';
import { column, defineFile, required, type RowOf, type SubmissionFile, vocabulary } from './column';

/** Keyed by the name of the staging table. */
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
    Geometry: column('geometry'),
  }),
  sites: defineFile('sites.csv', {
    SiteUUID: required('identifier', 'WaDESiteUUID'),
    SiteNativeID: column('identifier'),
    SiteName: column('text'),
    USGSSiteID: column('text'),
    SiteTypeCV: vocabulary(column('text')),
    Longitude: column('text'),
    Latitude: column('text'),
    Geometry: column('geometry'),
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
    StateCV: column('stateName'),
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
    StateCV: column('stateName'),
    EPSGCodeCV: column('text'),
    Geometry: column('geometry'),
  }),
  beneficialuses: defineFile('beneficialuses.csv', {
    BeneficialUseCategory: vocabulary(required('text')),
    PrimaryUseCategory: vocabulary(column('text', 'PrimaryUseCategoryCV')),
    USGSCategoryNameCV: vocabulary(column('text')),
    NAICSCodeNameCV: vocabulary(column('text')),
  }),
};

type LookupRow<Name extends keyof typeof lookupFiles> = RowOf<(typeof lookupFiles)[Name]>;

export type VariableRow = LookupRow<'variables'>;
export type MethodRow = LookupRow<'methods'>;
export type WaterSourceRow = LookupRow<'watersources'>;
export type SiteRow = LookupRow<'sites'>;
export type RelationRow = LookupRow<'relations'>;
export type ReportingUnitRow = LookupRow<'reportingunits'>;
export type BeneficialUseRow = LookupRow<'beneficialuses'>;

const primaryUse = vocabulary(column('text', 'PrimaryBeneficialUseCategory', 'PrimaryUseCategoryCV'));
const communitySystem = column('text', 'CommunityWaterSupplySyste');
const organization = required('identifier', 'OrganizationUID');

/** The columns that the files of site amounts and of aggregated amounts have in common. */
const timeSeriesColumns = {
  OrganizationUUID: organization,
  VariableSpecificUUID: required('identifier'),
  WaterSourceUUID: column('identifier'),
  MethodUUID: required('identifier'),
  TimeframeStart: column('date'),
  TimeframeEnd: column('date'),
  Amount: required('amount'),
  ReportYearCV: column('identifier'),
  BeneficialUseCategory: vocabulary(column('list')),
  PrimaryUseCategory: primaryUse,
  PopulationServed: column('number'),
  CommunityWaterSupplySystem: communitySystem,
  CustomerTypeCV: vocabulary(column('text')),
  IrrigatedAcreage: column('number'),
  CropTypeCV: vocabulary(column('text')),
  IrrigationMethodCV: vocabulary(column('text')),
  PowerGeneratedGWh: column('number'),
  DataPublicationDate: column('date'),
};

/** Each of these files is the source of one kind of data set. */
export const amountsFiles = {
  SiteVariableAmounts: defineFile('sitespecificamounts.csv', {
    SiteUUID: required('identifier', 'WaDESiteUUID'),
    ...timeSeriesColumns,
    SDWISIdentifier: column('identifier'),
    AssociatedNativeAllocationIDs: column('identifier'),
    DataPublicationDOI: column('text'),
    Geometry: column('geometry'),
  }),
  AggregatedAmounts: defineFile('aggregatedamounts.csv', {
    ReportingUnitUUID: required('identifier', 'ReportingUnitUID'),
    ...timeSeriesColumns,
    SDWISIdentifierCV: column('identifier'),
  }),
  WaterAllocations: defineFile('waterallocations.csv', {
    OrganizationUUID: organization,
    VariableSpecificUUID: required('identifier'),
    MethodUUID: required('identifier'),
    SiteUUID: column('identifiers', 'WaDESiteUUID'),
    WaterSourceUUID: column('identifier'),
    BeneficialUseCategory: vocabulary(column('list')),
    PrimaryUseCategory: primaryUse,
    AllocationUUID: column('identifier'),
    AllocationNativeID: column('identifier'),
    AllocationOwner: column('text'),
    AllocationApplicationDate: column('date'),
    AllocationPriorityDate: column('date'),
    AllocationExpirationDate: column('date'),
    AllocationLegalStatusCV: vocabulary(column('text', 'AllocationLegalStatusCodeCV')),
    AllocationChangeApplicationIndicator: column('text'),
    LegacyAllocationIDs: column('text'),
    IrrigatedAcreage: column('number'),
    AllocationBasisCV: vocabulary(column('text')),
    AllocationTimeframeStart: column('text'),
    AllocationTimeframeEnd: column('text'),
    AllocationCropDutyAmount: column('number'),
    AllocationFlow_CFS: column('amount', 'AllocationAmount'),
    AllocationVolume_AF: column('amount', 'AllocationMaximum'),
    PopulationServed: column('number'),
    GeneratedPowerCapacityMW: column('number'),
    CommunityWaterSupplySystem: communitySystem,
    AllocationCommunityWaterSupplySystem: column('text'),
    AllocationSDWISIdentifierCV: column('identifier', 'AllocationSDWISIdentifier'),
    AllocationTypeCV: vocabulary(column('text')),
    OwnerClassificationCV: vocabulary(column('text')),
    ExemptOfVolumeFlowPriority: column('boolean'),
    IrrigationMethodCV: vocabulary(column('text')),
    CropTypeCV: vocabulary(column('text')),
    CustomerTypeCV: vocabulary(column('text')),
    WaterAllocationNativeURL: column('text', 'WaterAllocationNativeUrl'),
    DataPublicationDate: column('date'),
    DataPublicationDOI: column('text'),
  }),
} as const satisfies Readonly<Record<DataSetKind, SubmissionFile>>;

export const amountsFileNames: readonly string[] = Object.values(amountsFiles).map(({ name }) => name);

/** All files of a submission that are read. */
export const submissionFiles: readonly SubmissionFile[] = [
  ...Object.values(lookupFiles),
  ...Object.values(amountsFiles),
];
