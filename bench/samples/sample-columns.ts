// The columns of the sample files in the order of real submissions, with the columns that we do not read and some of the
// older names, so that the samples show that these are understood.

function columnsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}

export const organizationColumns = columnsOf(`
  OrganizationUUID OrganizationContactEmail OrganizationContactName OrganizationDataMappingURL OrganizationName
  OrganizationPhoneNumber OrganizationPurview OrganizationWebsite State`);

export const variableColumns = columnsOf(`
  VariableSpecificUUID AggregationInterval AggregationIntervalUnitCV AggregationStatisticCV AmountUnitCV
  MaximumAmountUnitCV ReportYearStartMonth ReportYearTypeCV VariableCV VariableSpecificCV`);

export const methodColumns = columnsOf(`
  MethodUUID ApplicableResourceTypeCV DataConfidenceValue DataCoverageValue DataQualityValueCV MethodDescription
  MethodName MethodNEMILink MethodTypeCV`);

export const waterSourceColumns = columnsOf(`
  WaterSourceUUID Geometry GNISFeatureNameCV WaterQualityIndicatorCV WaterSourceName WaterSourceNativeID
  WaterSourceTypeCV`);

export const beneficialUseColumns = columnsOf(`
  BeneficialUseCategory PrimaryUseCategory USGSCategoryNameCV NAICSCodeNameCV`);

/** With `WaterSourceUUID`, the older name of the list of water sources. */
export const siteColumns = columnsOf(`
  SiteUUID RegulatoryOverlayUUIDs WaterSourceUUID CoordinateAccuracy CoordinateMethodCV County EPSGCodeCV Geometry
  GNISCodeCV HUC12 HUC8 Latitude Longitude NHDNetworkStatusCV NHDProductCV PODorPOUSite SiteName SiteNativeID SitePoint
  SiteTypeCV StateCV USGSSiteID`);

/** As some states write it: a row number in front, and the site under its older name. */
export const olderSiteColumns = ['index', ...siteColumns.with(0, 'WaDESiteUUID')];

export const relationColumns = columnsOf('PODSiteUUID POUSiteUUID StartDate EndDate');

export const reportingUnitColumns = columnsOf(`
  ReportingUnitUUID EPSGCodeCV Geometry ReportingUnitName ReportingUnitNativeID ReportingUnitProductVersion
  ReportingUnitTypeCV ReportingUnitUpdateDate StateCV`);

/** With `SDWISIdentifier`, as site amounts name it. */
export const siteAmountColumns = columnsOf(`
  MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID Amount AllocationCropDutyAmount
  AssociatedNativeAllocationIDs BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV
  DataPublicationDate DataPublicationDOI Geometry IrrigatedAcreage IrrigationMethodCV PopulationServed PowerGeneratedGWh
  PowerType PrimaryUseCategory ReportYearCV SDWISIdentifier TimeframeEnd TimeframeStart`);

export const aggregatedAmountColumns = columnsOf(`
  MethodUUID OrganizationUUID ReportingUnitUUID VariableSpecificUUID WaterSourceUUID AllocationCropDutyAmount Amount
  BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI
  InterbasinTransferFromID InterbasinTransferToID IrrigatedAcreage IrrigationMethodCV PopulationServed
  PowerGeneratedGWh PowerType PrimaryUseCategory ReportYearCV SDWISIdentifierCV TimeframeEnd TimeframeStart`);

export const allocationColumns = columnsOf(`
  AllocationNativeID MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID AllocationApplicationDate
  AllocationAssociatedConsumptiveUseSiteIDs AllocationAssociatedWithdrawalSiteIDs AllocationBasisCV
  AllocationChangeApplicationIndicator AllocationCommunityWaterSupplySystem AllocationCropDutyAmount
  AllocationExpirationDate AllocationFlow_CFS AllocationLegalStatusCV AllocationOwner AllocationPriorityDate
  AllocationSDWISIdentifierCV AllocationTimeframeEnd AllocationTimeframeStart AllocationTypeCV AllocationVolume_AF
  BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI
  ExemptOfVolumeFlowPriority GeneratedPowerCapacityMW IrrigatedAcreage IrrigationMethodCV LegacyAllocationIDs
  OwnerClassificationCV PopulationServed PowerType PrimaryUseCategory WaterAllocationNativeURL`);

/** The short form of the first years, when flow and volume were the amount and the maximum. */
export const olderAllocationColumns = columnsOf(`
  AllocationUUID AllocationNativeID MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID
  AllocationAmount AllocationLegalStatusCodeCV AllocationMaximum AllocationOwner AllocationPriorityDate
  AllocationTimeframeEnd AllocationTimeframeStart BeneficialUseCategory DataPublicationDate IrrigatedAcreage
  PrimaryBeneficialUseCategory WaterAllocationNativeUrl`);
