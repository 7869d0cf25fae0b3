// The columns of a big generated submission: every one of the format, under its present name, so that loading gives no warning.
// Written out here and not taken from the loader, which is what the generated files try.

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
  MethodName MethodNEMILink MethodTypeCV WaDEDataMappingUrl`);

export const waterSourceColumns = columnsOf(`
  WaterSourceUUID Geometry GNISFeatureNameCV WaterQualityIndicatorCV WaterSourceName WaterSourceNativeID
  WaterSourceTypeCV`);

export const beneficialUseColumns = columnsOf(`
  BeneficialUseCategory PrimaryUseCategory USGSCategoryNameCV NAICSCodeNameCV`);

export const siteColumns = columnsOf(`
  SiteUUID WaterSourceUUIDs CoordinateAccuracy CoordinateMethodCV County EPSGCodeCV Geometry GNISCodeCV HUC12 HUC8
  Latitude Longitude NHDNetworkStatusCV NHDProductCV NHDUpdateDate NHDReachCode NHDMeasureNumber PODorPOUSite SiteName
  SiteNativeID SiteTypeCV StateCV USGSSiteID`);

export const relationColumns = columnsOf('PODSiteUUID POUSiteUUID StartDate EndDate');

export const reportingUnitColumns = columnsOf(`
  ReportingUnitUUID EPSGCodeCV Geometry ReportingUnitName ReportingUnitNativeID ReportingUnitProductVersion
  ReportingUnitTypeCV ReportingUnitUpdateDate StateCV`);

export const siteAmountColumns = columnsOf(`
  MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID Amount AssociatedNativeAllocationIDs
  BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI
  Geometry IrrigatedAcreage IrrigationMethodCV PopulationServed PowerGeneratedGWh PrimaryUseCategory ReportYearCV
  SDWISIdentifier TimeframeEnd TimeframeStart`);

export const aggregatedAmountColumns = columnsOf(`
  MethodUUID OrganizationUUID ReportingUnitUUID VariableSpecificUUID WaterSourceUUID Amount BeneficialUseCategory
  CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate IrrigatedAcreage IrrigationMethodCV
  PopulationServed PowerGeneratedGWh PrimaryUseCategory ReportYearCV SDWISIdentifierCV TimeframeEnd TimeframeStart`);

export const allocationColumns = columnsOf(`
  AllocationUUID AllocationNativeID MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID
  AllocationApplicationDate AllocationBasisCV AllocationChangeApplicationIndicator
  AllocationCommunityWaterSupplySystem AllocationCropDutyAmount AllocationExpirationDate AllocationFlow_CFS
  AllocationLegalStatusCV AllocationOwner AllocationPriorityDate AllocationSDWISIdentifierCV AllocationTimeframeEnd
  AllocationTimeframeStart AllocationTypeCV AllocationVolume_AF BeneficialUseCategory CommunityWaterSupplySystem
  CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI ExemptOfVolumeFlowPriority GeneratedPowerCapacityMW
  IrrigatedAcreage IrrigationMethodCV LegacyAllocationIDs OwnerClassificationCV PopulationServed PrimaryUseCategory
  WaterAllocationNativeURL`);
