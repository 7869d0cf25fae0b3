// The columns of the three amounts files of a submission (submissions.md, 2), with the older names of real files.

import type { DataSetKind } from '../../shared/records/data-sets';
import { column, defineFile, required, vocabulary, type SubmissionFile } from './column';

const primaryUse = vocabulary(column('text', 'PrimaryBeneficialUseCategory', 'PrimaryUseCategoryCV'));
const communitySystem = column('text', 'CommunityWaterSupplySyste');
const organization = required('identifier', 'OrganizationUID');

/** The columns that amounts at sites and amounts of reporting units have in common. */
const timeSeriesColumns = {
  OrganizationUUID: organization,
  VariableSpecificUUID: required('identifier'),
  WaterSourceUUID: column('identifier'),
  MethodUUID: required('identifier'),
  TimeframeStart: column('date'),
  TimeframeEnd: column('date'),
  Amount: required('number'),
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

export const siteSpecificAmountsFile = defineFile('sitespecificamounts.csv', {
  SiteUUID: required('identifier', 'WaDESiteUUID'),
  ...timeSeriesColumns,
  SDWISIdentifier: column('identifier'),
  AssociatedNativeAllocationIDs: column('identifier'),
  DataPublicationDOI: column('text'),
  Geometry: column('text'),
});

export const aggregatedAmountsFile = defineFile('aggregatedamounts.csv', {
  ReportingUnitUUID: required('identifier', 'ReportingUnitUID'),
  ...timeSeriesColumns,
  SDWISIdentifierCV: column('identifier'),
});

export const waterAllocationsFile = defineFile('waterallocations.csv', {
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
  AllocationFlow_CFS: column('number', 'AllocationAmount'),
  AllocationVolume_AF: column('number', 'AllocationMaximum'),
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
});

/** Each amounts file is the source of one kind of data set. */
export const amountsFiles: Readonly<Record<DataSetKind, SubmissionFile>> = {
  SiteVariableAmounts: siteSpecificAmountsFile,
  AggregatedAmounts: aggregatedAmountsFile,
  WaterAllocations: waterAllocationsFile,
};

export const amountsFileNames: readonly string[] = Object.values(amountsFiles).map(({ name }) => name);
