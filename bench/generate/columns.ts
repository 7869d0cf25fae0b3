// The columns of generated files, written out here and not taken from the loader, which is what these files try.

/** The small files that all submissions have. */
export const lookupColumns = {
  organizations: columnsOf(`
    OrganizationUUID OrganizationContactEmail OrganizationContactName OrganizationDataMappingURL OrganizationName
    OrganizationPhoneNumber OrganizationPurview OrganizationWebsite State`),
  variables: columnsOf(`
    VariableSpecificUUID AggregationInterval AggregationIntervalUnitCV AggregationStatisticCV AmountUnitCV
    MaximumAmountUnitCV ReportYearStartMonth ReportYearTypeCV VariableCV VariableSpecificCV`),
  methods: columnsOf(`
    MethodUUID ApplicableResourceTypeCV DataConfidenceValue DataCoverageValue DataQualityValueCV MethodDescription
    MethodName MethodNEMILink MethodTypeCV`),
  waterSources: columnsOf(`
    WaterSourceUUID Geometry GNISFeatureNameCV WaterQualityIndicatorCV WaterSourceName WaterSourceNativeID
    WaterSourceTypeCV`),
  beneficialUses: columnsOf('BeneficialUseCategory PrimaryUseCategory USGSCategoryNameCV NAICSCodeNameCV'),
  relations: columnsOf('PODSiteUUID POUSiteUUID StartDate EndDate'),
  reportingUnits: columnsOf(`
    ReportingUnitUUID EPSGCodeCV Geometry ReportingUnitName ReportingUnitNativeID ReportingUnitProductVersion
    ReportingUnitTypeCV ReportingUnitUpdateDate StateCV`),
} as const;

/** Every column of the format under its present name, so that loading gives no warning. */
export const presentColumns = {
  methods: [...lookupColumns.methods, 'WaDEDataMappingUrl'],
  sites: columnsOf(`
    SiteUUID WaterSourceUUIDs CoordinateAccuracy CoordinateMethodCV County EPSGCodeCV Geometry GNISCodeCV HUC12 HUC8
    Latitude Longitude NHDNetworkStatusCV NHDProductCV NHDUpdateDate NHDReachCode NHDMeasureNumber PODorPOUSite SiteName
    SiteNativeID SiteTypeCV StateCV USGSSiteID`),
  siteAmounts: columnsOf(`
    MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID Amount AssociatedNativeAllocationIDs
    BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI
    Geometry IrrigatedAcreage IrrigationMethodCV PopulationServed PowerGeneratedGWh PrimaryUseCategory ReportYearCV
    SDWISIdentifier TimeframeEnd TimeframeStart`),
  aggregatedAmounts: columnsOf(`
    MethodUUID OrganizationUUID ReportingUnitUUID VariableSpecificUUID WaterSourceUUID Amount BeneficialUseCategory
    CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate IrrigatedAcreage IrrigationMethodCV
    PopulationServed PowerGeneratedGWh PrimaryUseCategory ReportYearCV SDWISIdentifierCV TimeframeEnd TimeframeStart`),
  allocations: columnsOf(`
    AllocationUUID AllocationNativeID MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID
    AllocationApplicationDate AllocationBasisCV AllocationChangeApplicationIndicator
    AllocationCommunityWaterSupplySystem AllocationCropDutyAmount AllocationExpirationDate AllocationFlow_CFS
    AllocationLegalStatusCV AllocationOwner AllocationPriorityDate AllocationSDWISIdentifierCV AllocationTimeframeEnd
    AllocationTimeframeStart AllocationTypeCV AllocationVolume_AF BeneficialUseCategory CommunityWaterSupplySystem
    CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI ExemptOfVolumeFlowPriority GeneratedPowerCapacityMW
    IrrigatedAcreage IrrigationMethodCV LegacyAllocationIDs OwnerClassificationCV PopulationServed PrimaryUseCategory
    WaterAllocationNativeURL`),
} as const;

function columnsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
