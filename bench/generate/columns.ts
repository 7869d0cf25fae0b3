// The columns of generated files. They are written out here instead of taken from the loader, because these files test
// the loader.

/** The small files in every submission. */
export const lookupColumns = {
  organizations: splitColumns(`
    OrganizationUUID OrganizationContactEmail OrganizationContactName OrganizationDataMappingURL OrganizationName
    OrganizationPhoneNumber OrganizationPurview OrganizationWebsite State`),
  variables: splitColumns(`
    VariableSpecificUUID AggregationInterval AggregationIntervalUnitCV AggregationStatisticCV AmountUnitCV
    MaximumAmountUnitCV ReportYearStartMonth ReportYearTypeCV VariableCV VariableSpecificCV`),
  methods: splitColumns(`
    MethodUUID ApplicableResourceTypeCV DataConfidenceValue DataCoverageValue DataQualityValueCV MethodDescription
    MethodName MethodNEMILink MethodTypeCV`),
  waterSources: splitColumns(`
    WaterSourceUUID Geometry GNISFeatureNameCV WaterQualityIndicatorCV WaterSourceName WaterSourceNativeID
    WaterSourceTypeCV`),
  beneficialUses: splitColumns('BeneficialUseCategory PrimaryUseCategory USGSCategoryNameCV NAICSCodeNameCV'),
  relations: splitColumns('PODSiteUUID POUSiteUUID StartDate EndDate'),
  reportingUnits: splitColumns(`
    ReportingUnitUUID EPSGCodeCV Geometry ReportingUnitName ReportingUnitNativeID ReportingUnitProductVersion
    ReportingUnitTypeCV ReportingUnitUpdateDate StateCV`),
} as const;

/** Every column of the format under its current name, so that loading gives no warning. */
export const currentColumns = {
  methods: [...lookupColumns.methods, 'WaDEDataMappingUrl'],
  sites: splitColumns(`
    SiteUUID WaterSourceUUIDs CoordinateAccuracy CoordinateMethodCV County EPSGCodeCV Geometry GNISCodeCV HUC12 HUC8
    Latitude Longitude NHDNetworkStatusCV NHDProductCV NHDUpdateDate NHDReachCode NHDMeasureNumber PODorPOUSite SiteName
    SiteNativeID SiteTypeCV StateCV USGSSiteID`),
  siteAmounts: splitColumns(`
    MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID Amount AssociatedNativeAllocationIDs
    BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI
    Geometry IrrigatedAcreage IrrigationMethodCV PopulationServed PowerGeneratedGWh PrimaryUseCategory ReportYearCV
    SDWISIdentifier TimeframeEnd TimeframeStart`),
  aggregatedAmounts: splitColumns(`
    MethodUUID OrganizationUUID ReportingUnitUUID VariableSpecificUUID WaterSourceUUID Amount BeneficialUseCategory
    CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate IrrigatedAcreage IrrigationMethodCV
    PopulationServed PowerGeneratedGWh PrimaryUseCategory ReportYearCV SDWISIdentifierCV TimeframeEnd TimeframeStart`),
  allocations: splitColumns(`
    AllocationUUID AllocationNativeID MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID
    AllocationApplicationDate AllocationBasisCV AllocationChangeApplicationIndicator
    AllocationCommunityWaterSupplySystem AllocationCropDutyAmount AllocationExpirationDate AllocationFlow_CFS
    AllocationLegalStatusCV AllocationOwner AllocationPriorityDate AllocationSDWISIdentifierCV AllocationTimeframeEnd
    AllocationTimeframeStart AllocationTypeCV AllocationVolume_AF BeneficialUseCategory CommunityWaterSupplySystem
    CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI ExemptOfVolumeFlowPriority GeneratedPowerCapacityMW
    IrrigatedAcreage IrrigationMethodCV LegacyAllocationIDs OwnerClassificationCV PopulationServed PrimaryUseCategory
    WaterAllocationNativeURL`),
} as const;

function splitColumns(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
