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

/**
 * The names and order of real submissions, with columns that nobody reads and some older names, which are understood.
 */
const realSites = columnsOf(`
  SiteUUID RegulatoryOverlayUUIDs WaterSourceUUID CoordinateAccuracy CoordinateMethodCV County EPSGCodeCV Geometry
  GNISCodeCV HUC12 HUC8 Latitude Longitude NHDNetworkStatusCV NHDProductCV PODorPOUSite SiteName SiteNativeID SitePoint
  SiteTypeCV StateCV USGSSiteID`);

export const realColumns = {
  sites: realSites,
  /** As some states write it: a row number in front, and the site under its older name. */
  olderSites: ['index', ...realSites.with(0, 'WaDESiteUUID')],
  siteAmounts: columnsOf(`
    MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID Amount AllocationCropDutyAmount
    AssociatedNativeAllocationIDs BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV
    DataPublicationDate DataPublicationDOI Geometry IrrigatedAcreage IrrigationMethodCV PopulationServed
    PowerGeneratedGWh PowerType PrimaryUseCategory ReportYearCV SDWISIdentifier TimeframeEnd TimeframeStart`),
  aggregatedAmounts: columnsOf(`
    MethodUUID OrganizationUUID ReportingUnitUUID VariableSpecificUUID WaterSourceUUID AllocationCropDutyAmount Amount
    BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI
    InterbasinTransferFromID InterbasinTransferToID IrrigatedAcreage IrrigationMethodCV PopulationServed
    PowerGeneratedGWh PowerType PrimaryUseCategory ReportYearCV SDWISIdentifierCV TimeframeEnd TimeframeStart`),
  allocations: columnsOf(`
    AllocationNativeID MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID AllocationApplicationDate
    AllocationAssociatedConsumptiveUseSiteIDs AllocationAssociatedWithdrawalSiteIDs AllocationBasisCV
    AllocationChangeApplicationIndicator AllocationCommunityWaterSupplySystem AllocationCropDutyAmount
    AllocationExpirationDate AllocationFlow_CFS AllocationLegalStatusCV AllocationOwner AllocationPriorityDate
    AllocationSDWISIdentifierCV AllocationTimeframeEnd AllocationTimeframeStart AllocationTypeCV AllocationVolume_AF
    BeneficialUseCategory CommunityWaterSupplySystem CropTypeCV CustomerTypeCV DataPublicationDate DataPublicationDOI
    ExemptOfVolumeFlowPriority GeneratedPowerCapacityMW IrrigatedAcreage IrrigationMethodCV LegacyAllocationIDs
    OwnerClassificationCV PopulationServed PowerType PrimaryUseCategory WaterAllocationNativeURL`),
  /** The short form of the first years, when flow and volume were the amount and the maximum. */
  olderAllocations: columnsOf(`
    AllocationUUID AllocationNativeID MethodUUID OrganizationUUID SiteUUID VariableSpecificUUID WaterSourceUUID
    AllocationAmount AllocationLegalStatusCodeCV AllocationMaximum AllocationOwner AllocationPriorityDate
    AllocationTimeframeEnd AllocationTimeframeStart BeneficialUseCategory DataPublicationDate IrrigatedAcreage
    PrimaryBeneficialUseCategory WaterAllocationNativeUrl`),
} as const;

function columnsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
